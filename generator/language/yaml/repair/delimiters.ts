import { insertion, type Line, type Repair, spanIn } from "./repair.ts";

/** Limit of positions to try for the missing end of one quote or bracket. */
const maxCandidates = 4;

/** Proposes repairs for unpaired quotes and brackets of a line, one for each position where the missing end could belong. */
export function delimiterRepairs(line: Line): Repair[] {
  const { stray, open, opening, closing } = findUnpaired(line.text);
  return [
    ...(stray === undefined ? [] : [openingQuote(line, stray)]),
    ...(open === undefined ? [] : closingQuotes(line, open)),
    ...opening.slice(-1).flatMap((at) => closingBrackets(line, at)),
    ...closing.slice(0, 1).flatMap((at) => openingBrackets(line, at)),
  ];
}

interface UnpairedDelimiters {
  /** A text that ends with a quote but does not start with one. */
  readonly stray: { readonly from: number; readonly quote: number } | undefined;
  /** Column of an unclosed quote. */
  readonly open: number | undefined;
  /** Columns of unclosed brackets. */
  readonly opening: readonly number[];
  /** Columns of closing brackets that were never opened. */
  readonly closing: readonly number[];
}

/** What comes before a text: a key with its colon, a dash, a comma and a space, or a bracket that does not follow a word. */
const separator: RegExp = /(?:[:,]\s+|(?:^|[\s[{])[[{]\s*|^\s*(?:- )?)/y;

function findUnpaired(text: string): UnpairedDelimiters {
  const opening: number[] = [];
  const closing: number[] = [];
  let stray: UnpairedDelimiters["stray"];
  let open: number | undefined;
  let from = 0;
  for (let at = 0; at < text.length && open === undefined; at++) {
    const sign = text[at] ?? "";
    if (sign === "#" && /\s|^$/.test(text[at - 1] ?? "")) break;
    separator.lastIndex = at;
    const [separated] = separator.exec(text) ?? [];
    if (separated !== undefined) from = Math.max(from, at + separated.length);
    if ((sign === '"' || sign === "'") && at === from) {
      const end = text.indexOf(sign, at + 1);
      if (end === -1) open = at;
      else at = end;
    } else if (sign === '"' && at > from && /^["\s]*(?:[,}\]]|$)/.test(text.slice(at + 1))) {
      if (((text.slice(from, at).match(/"/g)?.length ?? 0) & 1) === 0) stray ??= { from, quote: at };
    } else if (sign === "[" || sign === "{") opening.push(at);
    else if ((sign === "]" || sign === "}") && opening.pop() === undefined) closing.push(at);
  }
  return { stray, open, opening, closing };
}

function openingQuote(
  line: Line,
  { from, quote }: { readonly from: number; readonly quote: number },
): Repair {
  return {
    reason: "the opening quote is missing",
    advice: "Start the text with the quote it ends with.",
    title: "Add the opening quote",
    at: spanIn(line, from, quote + 1),
    edits: insertion(line, from, line.text[quote] ?? '"'),
  };
}

function closingQuotes(line: Line, open: number): Repair[] {
  const quote = line.text[open] ?? '"';
  const ends = [...line.text.matchAll(/,\s|\s?[}\]](?=\s*[,}\]]|\s*$)|\s+#|\s*$/g)];
  const columns = ends.map(({ index }) => index).filter((index) => index > open + 1);
  return columns.slice(0, maxCandidates).map((column) => ({
    reason: "the closing quote is missing",
    advice: "End the text with the quote it starts with.",
    title: "Add the closing quote",
    at: spanIn(line, open, line.text.length),
    edits: insertion(line, column, quote),
  }));
}

function closingBrackets(line: Line, open: number): Repair[] {
  const sign = line.text[open] ?? "";
  const close = sign === "[" ? "]" : "}";
  const rest = line.text.replace(/\s+#.*$/, "");
  const end = rest.endsWith(" ") && sign === "{" ? rest.length : rest.trimEnd().length;
  const inner = [...line.text.slice(0, end).matchAll(/,\s+[\w.]+\??:|\s*[}\]]/g)].map(({ index }) => index);
  const columns = [end, ...inner.filter((index) => index > open)];
  return columns.slice(0, maxCandidates).map((column) => ({
    reason: `"${sign}" is not closed`,
    advice: `Add "${close}".`,
    title: `Add "${close}"`,
    at: spanIn(line, open, line.text.length),
    edits: insertion(line, column, close === "}" && line.text[column] !== " " ? " }" : close),
  }));
}

function openingBrackets(line: Line, close: number): Repair[] {
  const sign = line.text[close] ?? "";
  const open = sign === "]" ? "[" : "{";
  const starts = [...line.text.slice(0, close).matchAll(/:\s+|^\s*- |[[{,]\s*/g)].map(
    ({ 0: found, index }) => index + found.length,
  );
  // The brackets of a list type, as in Pet[], both follow the name.
  const columns = open === "[" && /\w/.test(line.text[close - 1] ?? "") ? [close, ...starts] : starts;
  return columns.slice(0, maxCandidates).map((column) => ({
    reason: `"${sign}" has no opening "${open}"`,
    advice: `Add "${open}".`,
    title: `Add "${open}"`,
    at: spanIn(line, column, close + 1),
    edits: [
      line.text.slice(column - 2, column) === "  "
        ? { span: spanIn(line, column - 1, column), text: `${open} ` }
        : { span: spanIn(line, column, column), text: open === "{" ? "{ " : open },
    ],
  }));
}
