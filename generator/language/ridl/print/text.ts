import type { Name, SchemaFile, Text } from "../../syntax/tree.ts";

/** Where a value stands decides what it may hold without quotes. */
export type ValuePosition = "literal" | "path" | "word" | "message" | "meta";

/** Prints the values and the meta keys of one file. */
export interface TextPrinter {
  value(text: Text, position: ValuePosition): string;
  key(name: Name): string;
}

/** A RIDL text says how its values are written, quotes and escapes included; any other tree has only the values. */
export function textPrinter(file: SchemaFile): TextPrinter {
  if (!isRidlText(file)) return { value: printValue, key: ({ text }) => escaped(text) };
  const { text } = file.source;
  const written = ({ span }: Text | Name): string => text.slice(span.start, span.end);
  return { value: written, key: written };
}

/** Whether the spans and comments of a tree are those of a RIDL text. */
export function isRidlText({ format, docs }: SchemaFile): boolean {
  return format === "ridl" && docs === undefined;
}

function printValue({ value }: Text, position: ValuePosition): string {
  const isBare =
    barePatterns[position].test(value) || isBareMeta(value, position) || isBareWord(value, position);
  return isBare ? value : `"${escaped(value)}"`;
}

/** In quotes a quote behind a letter cannot be written, because the backslash before it belongs to the word. */
function isBareMeta(value: string, position: ValuePosition): boolean {
  return position === "meta" && /[\w.]"/.test(value) && /^[^\s"\\#][^\s\\]*$/.test(value);
}

/** A word is taken as it stands there, and a backslash cannot be written in quotes. */
function isBareWord(value: string, position: ValuePosition): boolean {
  const takesWord = position === "message" || position === "word";
  return takesWord && value.includes("\\") && /^[A-Za-z0-9_][^\s[\]()<>{}=:\u00bf?\u00a1!,"]*$/.test(value);
}

/** What may go without quotes: narrower than what the parser takes, so that nobody has to wonder. */
const barePatterns: Readonly<Record<ValuePosition, RegExp>> = {
  literal: /^[A-Za-z0-9_][\w./-]*$|^\/[\w./-]*$/,
  path: /^[\w./-]*[\w/]$/,
  word: /^[A-Za-z0-9_][\w./-]*$/,
  message: /^(?!)/,
  meta: /^[\w.,:/*-]+$/,
};

function escaped(value: string): string {
  return value.replace(/["\n\t]/g, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", '"': '\\"' };
