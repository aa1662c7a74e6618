import type { ComponentChildren } from "preact";

/** `0x1234…cdef`, with the full text as a tooltip. */
export function Short({ text }: { readonly text: string }) {
  const short = text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
  return (
    <code class="short" title={text}>
      {short}
    </code>
  );
}

/** `12:00:03` */
export function Clock({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time datetime={at} title={at}>
      {date.toLocaleTimeString("en-GB")}
    </time>
  );
}

export function State({ name }: { readonly name: string }) {
  return <span class={`state is-${name}`}>{name}</span>;
}

/** Scrolls content that is wider than its box, with the keyboard too. */
export function ScrollBox({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="table" tabIndex={0}>
      {children}
    </div>
  );
}
