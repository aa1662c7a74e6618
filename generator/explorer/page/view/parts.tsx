/** Small components that all pages share. */
import { type ComponentChildren, type ComponentType, createContext, createElement, Fragment } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { docsOf, findMethod, type Schema } from "../schema/ir.ts";
import { entryOf, itemOf, type Meta } from "../schema/shape.ts";
import { links } from "../state/route.ts";
import { CodeLines, type Language } from "./code-colors.tsx";

/** The contract whose names are links in descriptions. */
export const LinkedNames = createContext<Schema | undefined>(undefined);

export function Docs({ comments }: { readonly comments: readonly string[] | undefined }) {
  const schema = useContext(LinkedNames);
  // A single word, such as Order, may be English. `Unavailable: …` is an error.
  const paragraphs = docsOf(comments).map((text) => withCode(schema, text, /[a-z0-9.][A-Z]|:$/));
  if (paragraphs.length === 0) return null;
  return (
    <div class="docs">
      {blocksIn(paragraphs).map(({ kind, parts }, at) => {
        const [first = ""] = parts;
        if (kind === "code")
          return <Code key={at} text={first.replace(/^.*\n/, "").replace(/\n.*$/, "")} label="code" />;
        if (kind === "table") return <DocsTable key={at} text={first} />;
        if (kind === "p") return <p key={at}>{marked(first)}</p>;
        const texts = parts.map((part) => marked(part.replace(blockMark, "")));
        if (kind === "blockquote")
          return (
            <blockquote key={at}>
              {texts.map((text, line) => (
                <Fragment key={line}>{text} </Fragment>
              ))}
            </blockquote>
          );
        const List = kind;
        return (
          <List key={at} start={List === "ol" ? Number.parseInt(first, 10) : undefined}>
            {texts.map((text, item) => (
              <li key={item}>{text}</li>
            ))}
          </List>
        );
      })}
    </div>
  );
}

const blockMark = /^(?:[-*] |\d+[.] |> ?)/;

type BlockKind = "p" | "ul" | "ol" | "blockquote" | "code" | "table";

interface Block {
  readonly kind: BlockKind;
  /** Items of a list and lines of a quote. Otherwise one. */
  readonly parts: string[];
}

function blocksIn(paragraphs: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const paragraph of paragraphs) {
    const kind = kindOf(paragraph);
    const last = blocks.at(-1);
    if (last?.kind === kind && blockMark.test(paragraph)) last.parts.push(paragraph);
    else blocks.push({ kind, parts: [paragraph] });
  }
  return blocks;
}

function kindOf(paragraph: string): BlockKind {
  if (paragraph.startsWith("```")) return "code";
  if (/^[|].*\n/.test(paragraph)) return "table";
  const [mark = ""] = blockMark.exec(paragraph) ?? [];
  return mark === "" ? "p" : mark.startsWith(">") ? "blockquote" : /^\d/.test(mark) ? "ol" : "ul";
}

function DocsTable({ text }: { readonly text: string }) {
  const cellsOf = (line: string): readonly string[] =>
    line
      .trim()
      .replaceAll(/^[|]|[|]$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const rows = text.split("\n").map(cellsOf);
  const [head = [], ...body] = rows.filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content
    <div class="scroll" tabIndex={0}>
      <table class="grid">
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col">
                {marked(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at}>{marked(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inlineMarks =
  /`([^`]+)`|\*\*([^*]+)\*\*|(?<!\w)\*(?=\S)([^*]+)(?<=\S)\*(?!\w)|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>]*[^\s<>()*.,;:!?'"])/;

/** Renders the Markdown within a line: code, bold and emphasized text, and links to the web. */
export function marked(text: string): ComponentChildren {
  const [whole = "", code, bold, emphasis, title, target, bare] = inlineMarks.exec(text) ?? [];
  const url = target ?? bare;
  if (whole === "") return text;
  const at = text.indexOf(whole);
  return (
    <>
      {text.slice(0, at)}
      {code !== undefined && <InlineCode text={code} />}
      {bold !== undefined && <strong>{marked(bold)}</strong>}
      {emphasis !== undefined && <em>{marked(emphasis)}</em>}
      {url !== undefined && (
        <a href={url} target="_blank" rel="noreferrer noopener">
          {title ?? url}
        </a>
      )}
      {marked(text.slice(at + whole.length))}
    </>
  );
}

function InlineCode({ text }: { readonly text: string }) {
  const href = pageOf(useContext(LinkedNames), text);
  return <code>{href === undefined ? text : <a href={href}>{text}</a>}</code>;
}

/** The page of a type, an error or a method: `Order`, `NotFound`, `GetOrders`, `Marketplace.GetOrders`. */
function pageOf(schema: Schema | undefined, name: string): string | undefined {
  if (schema === undefined) return undefined;
  const { types, ir } = schema;
  if (types.has(name)) return links.type(name);
  if (ir.errors?.some((error) => error.name === name) === true) return links.error(name);
  const [method = "", owner] = name.split(".").reverse();
  const found = ir.services
    .filter((service) => owner === undefined || service.name === owner)
    .flatMap((service) => findMethod(schema, service.name, method) ?? [])[0];
  return found === undefined ? undefined : links.method(found.service.name, found.method.name);
}

/** Puts the names of pages into backticks, so that `marked` links them, if the name and the character after it match `which`. */
export function withCode(schema: Schema | undefined, text: string, which: RegExp): string {
  return text.replaceAll(
    /`[^`]*`|\*\*?[^*]+\*\*?|\[[^\]]*\]\([^)]*\)|https?:\S+|(?<![\w./])[A-Z]\w*(?:[.][A-Z]\w*)?/g,
    (name, at: number) =>
      which.test(text.slice(at, at + name.length + 1)) && pageOf(schema, name) !== undefined
        ? `\`${name}\``
        : name,
  );
}

/** Says that a field is deprecated, and why. */
export function DeprecatedMark({ meta: { deprecated } }: { readonly meta: Meta }) {
  if (deprecated === undefined || deprecated === "false") return null;
  const reason = deprecated === "true" ? "" : `: ${deprecated}`;
  return <span class="need is-needed">deprecated{reason}</span>;
}

/** A name or a path, which breaks before its capitals and after its slashes. */
export function Name({ text }: { readonly text: string }) {
  const parts = text.split(/(?<=[/.])|(?<=[a-z0-9])(?=[A-Z])/);
  return <>{parts.flatMap((part, index) => [part, <wbr key={index} />])}</>;
}

/** A type such as `[]Order`, with links to the pages of named types. */
export function TypeName({ schema, type }: { readonly schema: Schema; readonly type: string }) {
  return <code class="type">{typeParts(schema, type)}</code>;
}

function typeParts(schema: Schema, type: string): ComponentChildren {
  const item = itemOf(type);
  if (item !== undefined) return <>[]{typeParts(schema, item)}</>;
  const entry = entryOf(type);
  if (entry !== undefined) {
    return (
      <>
        map&lt;{typeParts(schema, entry[0])}, {typeParts(schema, entry[1])}&gt;
      </>
    );
  }
  return schema.types.has(type) ? (
    <a href={links.type(type)}>
      <Name text={type} />
    </a>
  ) : (
    type
  );
}

/** Focuses a field. It may be folded, or in the panel of keys. */
export function revealField(id: string): void {
  const field = document.getElementById(id);
  for (let at = field?.parentElement; at != null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
    if (at.popover && !at.matches(":popover-open")) at.showPopover();
  }
  field?.focus();
}

/** Whether keys go into a field. */
export function isTyping(): boolean {
  return /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
}

/** Resolves to false if the browser does not allow it, as on HTTP. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

interface CopyProps {
  readonly text: string;
  readonly what: string;
  /** Default: `Copy`. */
  readonly title?: string;
}

export function Copy({ text, what, title = "Copy" }: CopyProps) {
  const [status, setStatus] = useState("");
  const copy = async (): Promise<void> => {
    setStatus((await copyText(text)) ? "Copied" : "Copying failed");
    setTimeout(() => setStatus(""), 1_500);
  };
  return (
    <button type="button" class="quiet" onClick={copy} aria-label={`Copy ${what}`}>
      <span aria-live="polite">{status === "" ? title : status}</span>
    </button>
  );
}

interface UnfoldProps {
  readonly summary: ComponentChildren;
  /** At first. */
  readonly open?: boolean;
  /** Rendered once it is open, because types may be recursive. */
  readonly children: () => ComponentChildren;
}

export function Unfold({ summary, open = false, children }: UnfoldProps) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}

export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly content: ComponentChildren;
}

interface TabsProps {
  readonly id: string;
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Becoming true shows the first tab. */
  readonly isStarting?: boolean;
}

/** Arrow keys move between tabs, following the ARIA tabs pattern. */
export function Tabs({ id, label, tabs, isStarting = false }: TabsProps) {
  const [name, setName] = useState(tabs[0]?.name);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isStarting || name === tabs[0]?.name) return;
    // What has the focus goes away with its tab.
    const hasFocus = list.current?.parentElement?.contains(document.activeElement) === true;
    if (hasFocus) list.current?.querySelector("button")?.focus();
    setName(tabs[0]?.name);
  }, [isStarting]);
  const shown = tabs.find((tab) => tab.name === name) ?? tabs[0];
  const go = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || shown === undefined) return;
    event.preventDefault();
    const at = (tabs.indexOf(shown) + by + tabs.length) % tabs.length;
    setName(tabs[at]?.name);
    list.current?.querySelectorAll("button")[at]?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={go}>
        {tabs.map((tab) => (
          <button
            type="button"
            role="tab"
            key={tab.name}
            id={`${id}-${tab.name}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setName(tab.name)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown?.name}`} tabIndex={0}>
        {shown?.content}
      </div>
    </div>
  );
}

/** A component in a file of its own, which is loaded when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ComponentChildren {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props) {
    const [status, setStatus] = useState("Loading…");
    useEffect(() => {
      load().then(
        (found) => {
          loaded = found;
          setStatus("");
        },
        // The server has been rebuilt, and the file has another name now.
        () => setStatus("Reload the page."),
      );
    }, []);
    return loaded === undefined ? <p class="empty">{status}</p> : createElement(loaded, props);
  };
}

interface CodeProps {
  readonly text: string;
  readonly label: string;
  readonly language?: Language;
}

/** A block of code with a copy button. Long code can be scrolled with the keyboard. */
export function Code({ text, label, language }: CodeProps) {
  return (
    <section class="code" aria-label={label}>
      <Copy text={text} what={label} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content */}
      <pre tabIndex={0}>
        <code>{language === undefined ? text : <CodeLines text={text} language={language} />}</code>
      </pre>
    </section>
  );
}

/** `12 ms`, `1.5 s` */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** In the language of the browser, with the date if it is not today. */
export function timeText(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** Longest text that is shown, in bytes. */
const maxShownText = 20_000;

/** A file: images and short texts are shown, every file can be saved. */
export function FilePreview({ blob, name }: { readonly blob: Blob; readonly name: string | undefined }) {
  const [url, setUrl] = useState<string>();
  const [text, setText] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    setText(undefined);
    if (/^text\/|json/.test(blob.type) && blob.size <= maxShownText) void blob.text().then(setText);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  if (url === undefined) return null;
  const title = name ?? "file";
  return (
    <div class="file">
      {blob.type.startsWith("image/") && <img src={url} alt={title} />}
      {text !== undefined && <Code text={text} label={title} />}
      <p class="hint">
        <a href={url} download={title}>
          {title}
        </a>{" "}
        · {blob.size} bytes{blob.type === "" ? "" : ` · ${blob.type}`}
      </p>
    </div>
  );
}

/** `1 item`, `2 items` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
