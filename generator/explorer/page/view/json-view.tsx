/** JSON that folds. Its text is that of the document, so that one can select and search it. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type JsonNode, JsonSyntaxError, parseJson, printJson, writeJson } from "../json/node.ts";
import { colored, Line } from "./code-colors.tsx";
import { Code, Copy, copyText, counted } from "./parts.tsx";

interface JsonViewProps {
  readonly text: string;
  readonly label: string;
}

/** Any other text is shown as it is. */
export function JsonView({ text, label }: JsonViewProps) {
  const node = useMemo(() => parsed(text), [text]);
  // The same element is not rendered again while one types into the form.
  const tree = useMemo(() => node && <JsonTree node={node} />, [node]);
  const [isTable, setTable] = useState(false);
  if (node === undefined) return <Code text={text} label={label} />;
  const rows = rowsOf(node);
  return (
    <section class="code" aria-label={label}>
      <div class="tools">
        <Copy text={printJson(node)} what={label} />
        {rows !== undefined && (
          <button type="button" class="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            Table
          </button>
        )}
      </div>
      {isTable && rows !== undefined ? <RowTable {...rows} /> : tree}
    </section>
  );
}

export function parsed(text: string): JsonNode | undefined {
  try {
    return parseJson(text);
  } catch (err) {
    if (!(err instanceof JsonSyntaxError)) throw err;
    return undefined;
  }
}

/** In characters. Of longer documents, only the parts of the outermost value are shown at first. */
const unfoldedMax = 60_000;

/** Arrow keys move through the names and folds, and Enter presses them. */
export function JsonTree({ node, levels }: { readonly node: JsonNode; readonly levels?: number }) {
  const [status, setStatus] = useState("");
  const copyPath = async (path: string): Promise<void> =>
    setStatus((await copyText(path)) ? `Copied ${path}` : "Copying failed");
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const stops = [...event.currentTarget.querySelectorAll("button")];
    const at = stops.indexOf(document.activeElement as HTMLButtonElement);
    stops[Math.max(0, at + by)]?.focus();
  };
  const openMax = writeJson(node).length > unfoldedMax ? 1 : Number.POSITIVE_INFINITY;
  const openLevels = Math.min(levels ?? openMax, openMax);
  return (
    <div class="json">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content */}
      <pre tabIndex={0} onKeyDown={move}>
        <code>
          <Lines node={node} indent="" path="" end="" tree={{ copyPath, openLevels }} />
        </code>
      </pre>
      <p class="copied" role="status">
        {status}
      </p>
    </div>
  );
}

interface Tree {
  readonly copyPath: (path: string) => void;
  /** Levels that are unfolded at first. */
  readonly openLevels: number;
}

interface LinesProps {
  readonly node: JsonNode;
  /** Undefined for items of a list, and for the document. */
  readonly name?: string;
  readonly indent: string;
  /** `orders[0].id` */
  readonly path: string;
  /** What follows the value: a comma, and the end of the line. */
  readonly end: string;
  readonly tree: Tree;
}

/** The lines of a value, as `printJson` breaks them. */
function Lines({ node, name, indent, path, end, tree }: LinesProps) {
  const [isOpen, setOpen] = useState(() => indent.length / 2 < tree.openLevels);
  const start = (
    <>
      {indent}
      {name !== undefined && (
        <>
          <button
            type="button"
            class="key"
            tabIndex={-1}
            title={`Copy the path ${path}`}
            onClick={() => tree.copyPath(path)}
          >
            {JSON.stringify(name)}
          </button>
          {": "}
        </>
      )}
    </>
  );
  const text = printJson(node, indent);
  if (!text.includes("\n")) {
    const image = node.kind === "string" ? imageOf(node.value) : undefined;
    return (
      <Line indent={indent} isWord={name === undefined && !text.includes(" ")}>
        {start}
        {image === undefined ? colored(text, "json") : <span class="clipped is-text">{text}</span>}
        {end}
        {image !== undefined && <img src={image} alt={path} />}
      </Line>
    );
  }
  const parts = partsOf(node, path);
  const [open, close] = node.kind === "array" ? "[]" : "{}";
  return (
    <>
      <Line indent={indent}>
        <button
          type="button"
          class="fold"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={`Fold ${path === "" ? "all" : path}`}
          onClick={() => setOpen(!isOpen)}
        />
        {start}
        {open}
        {isOpen ? "\n" : <span class="folded"> {countOf(parts.length, node.kind)} </span>}
        {!isOpen && `${close}${end}`}
      </Line>
      {isOpen && (
        <>
          {parts.map((part, index) => (
            <Lines
              key={part.path}
              {...part}
              indent={`${indent}  `}
              end={index === parts.length - 1 ? "\n" : ",\n"}
              tree={tree}
            />
          ))}
          <Line indent={indent}>
            {indent}
            {close}
            {end}
          </Line>
        </>
      )}
    </>
  );
}

function partsOf(node: JsonNode, path: string): readonly Pick<LinesProps, "node" | "name" | "path">[] {
  if (node.kind === "array")
    return node.items.map((item, index) => ({ node: item, path: `${path}[${index}]` }));
  if (node.kind !== "object") return [];
  return node.entries.map(([name, value]) => ({ node: value, name, path: memberPath(path, name) }));
}

function countOf(count: number, kind: JsonNode["kind"]): string {
  return counted(count, kind === "array" ? "item" : "field");
}

/** `order.id`, `order["a b"]` */
function memberPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** How PNG, JPEG, GIF and WebP start in base64. */
const imageStarts = [
  [/^iVBORw0KGgo/, "png"],
  [/^[/]9j[/]/, "jpeg"],
  [/^R0lGOD/, "gif"],
  [/^UklGR.{11}XRUJQ/, "webp"],
] as const;

/** The data URL of an image. Images of other hosts are not loaded. */
function imageOf(value: string): string | undefined {
  if (/^data:image\/(?:png|jpeg|gif|webp|svg[+]xml)[;,]/.test(value)) return value;
  const [, type] = imageStarts.find(([start]) => start.test(value)) ?? [];
  return type !== undefined && value.length > 40 && /^[A-Za-z0-9+/]+=*$/.test(value)
    ? `data:image/${type};base64,${value}`
    : undefined;
}

/* A list of objects as a table. */

type JsonObject = Extract<JsonNode, { kind: "object" }>;

interface Rows {
  readonly title: string;
  readonly rows: readonly JsonObject[];
}

/** The first list of several objects: the response itself, or a field of it. */
function rowsOf(node: JsonNode): Rows | undefined {
  const lists = node.kind === "object" ? node.entries : [["response", node] as const];
  for (const [title, list] of lists) {
    const rows = list.kind === "array" ? list.items.filter((item) => item.kind === "object") : [];
    if (list.kind === "array" && rows.length > 1 && rows.length === list.items.length) return { title, rows };
  }
  return undefined;
}

function RowTable({ title, rows }: Rows) {
  const cellsOfRows = rows.map(cellsOf);
  const columns = [...new Map(cellsOfRows.flatMap((cells) => [...cells])).values()];
  const names = [...new Set(columns.map(({ group }) => group))];
  const groups = names.map((name) => [name, columns.filter(({ group }) => group === name)] as const);
  const ordered = groups.flatMap(([, own]) => own);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content
    <div class="scroll" tabIndex={0}>
      <table class="grid is-data">
        <caption class="unseen">{title}</caption>
        <thead>
          {groups.length > 1 && (
            <tr>
              {groups.map(([group, { length }]) =>
                group === "" ? (
                  <td key={group} colSpan={length} />
                ) : (
                  <th key={group} scope="colgroup" colSpan={length}>
                    {group}
                  </th>
                ),
              )}
            </tr>
          )}
          <tr>
            {ordered.map(({ group, name }) => (
              <th key={`${group}.${name}`} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cellsOfRows.map((cells, index) => (
            <tr key={index}>
              {ordered.map(({ group, name }) => (
                <td key={`${group}.${name}`}>{cellOf(cells.get(`${group}.${name}`)?.node)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Cell {
  /** The field that has this one. Empty for fields of the row. */
  readonly group: string;
  readonly name: string;
  readonly node: JsonNode;
}

/** Fields of a field have columns of their own, below its name. */
function cellsOf({ entries }: JsonObject): ReadonlyMap<string, Cell> {
  const cells = entries.flatMap(([name, node]): readonly Cell[] =>
    node.kind === "object" && node.entries.length > 0
      ? node.entries.map(([inner, part]) => ({ group: name, name: inner, node: part }))
      : [{ group: "", name, node }],
  );
  return new Map(cells.map((cell) => [`${cell.group}.${cell.name}`, cell]));
}

/** In characters. */
const cellMax = 80;

function cellOf(node: JsonNode | undefined): ComponentChildren {
  if (node === undefined) return "";
  const text = node.kind === "string" ? node.value : writeJson(node);
  const parts = partsOf(node, "");
  const isPlain = parts.every((part) => part.node.kind !== "object" && part.node.kind !== "array");
  if ((node.kind === "array" || node.kind === "object") && !(isPlain && text.length <= cellMax))
    return <span title={text}>{countOf(parts.length, node.kind)}</span>;
  if (text.length > cellMax) return <span title={text}>{`${text.slice(0, cellMax)}…`}</span>;
  return node.kind === "string" ? text : colored(text, "json");
}
