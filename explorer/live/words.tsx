/** Small texts of the live view. */

/** `0x1234…cdef`, whole where one points at it. */
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
