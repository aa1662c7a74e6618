import { insertion, type Line, type Repair, spanIn } from "./repair.ts";

/** Maximum number of positions to try for a missing quote or bracket. */
const maxCandidates = 4;

/** Proposes repairs for unpaired quotes and brackets in a line, one for each position where the missing one could belong. */
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
  /** A value that ends with a quote but does not start with one. */
  readonly stray: { readonly from: number; readonly quote: number } | undefined;
  /** Column of an unclosed quote. */
  readonly open: number | undefined;
  /** Columns of unclosed brackets. */
  readonly opening: readonly number[];
  /** Columns of closing brackets that were never opened. */
  readonly closing: readonly number[];
}

/** Matches what precedes a value: a colon, a dash, a comma and a space, or a bracket that does not follow a word. */
const separator: RegExp = /(?:[:,]\s+|(?:^|[\s[{])[[{]\s*|^\s*(?:- )?)/y;

function findUnpaired(text: string): UnpairedDelimiters {
  const opening: number[] = [];
  const closing: number[] = [];
  let stray: UnpairedDelimiters["stray"];
  let open: number | undefined;
  let from = 0;
  for (let at = 0; at < text.length && open === undefined; at++) {
    const character = text[at] ?? "";
    if (character === "#" && /\s|^$/.test(text[at - 1] ?? "")) break;
    separator.lastIndex = at;
    const [separated] = separator.exec(text) ?? [];
    if (separated !== undefined) from = Math.max(from, at + separated.length);
    if ((character === '"' || character === "'") && at === from) {
      const end = text.indexOf(character, at + 1);
      if (end === -1) open = at;
      else at = end;
    } else if (character === '"' && at > from && /^["\s]*(?:[,}\]]|$)/.test(text.slice(at + 1))) {
      if (((text.slice(from, at).match(/"/g)?.length ?? 0) & 1) === 0) stray ??= { from, quote: at };
    } else if (character === "[" || character === "{") opening.push(at);
    else if ((character === "]" || character === "}") && opening.pop() === undefined) closing.push(at);
  }
  return { stray, open, opening, closing };
}

function openingQuote(
  line: Line,
  { from, quote }: { readonly from: number; readonly quote: number },
): Repair {
  return {
    reason: "the opening quote is missing",
    advice: "Start the value with the quote it ends with.",
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
    advice: "End the value with the quote it starts with.",
    title: "Add the closing quote",
    at: spanIn(line, open, line.text.length),
    edits: insertion(line, column, quote),
  }));
}

function closingBrackets(line: Line, at: number): Repair[] {
  const open = line.text[at] ?? "";
  const close = open === "[" ? "]" : "}";
  const rest = line.text.replace(/\s+#.*$/, "");
  const end = rest.endsWith(" ") && open === "{" ? rest.length : rest.trimEnd().length;
  const inner = [...line.text.slice(0, end).matchAll(/,\s+[\w.]+\??:|\s*[}\]]/g)].map(({ index }) => index);
  const columns = [end, ...inner.filter((index) => index > at)];
  return columns.slice(0, maxCandidates).map((column) => ({
    reason: `"${open}" is not closed`,
    advice: `Add "${close}".`,
    title: `Add "${close}"`,
    at: spanIn(line, at, line.text.length),
    edits: insertion(line, column, close === "}" && line.text[column] !== " " ? " }" : close),
  }));
}

function openingBrackets(line: Line, at: number): Repair[] {
  const close = line.text[at] ?? "";
  const open = close === "]" ? "[" : "{";
  const starts = [...line.text.slice(0, at).matchAll(/:\s+|^\s*- |[[{,]\s*/g)].map(
    ({ 0: found, index }) => index + found.length,
  );
  // The brackets of a list type, as in Pet[], both follow the name.
  const columns = open === "[" && /\w/.test(line.text[at - 1] ?? "") ? [at, ...starts] : starts;
  return columns.slice(0, maxCandidates).map((column) => ({
    reason: `"${close}" has no opening "${open}"`,
    advice: `Add "${open}".`,
    title: `Add "${open}"`,
    at: spanIn(line, column, at + 1),
    edits: [
      line.text.slice(column - 2, column) === "  "
        ? { span: spanIn(line, column - 1, column), text: `${open} ` }
        : { span: spanIn(line, column, column), text: open === "{" ? "{ " : open },
    ],
  }));
}
