import type { Name, SchemaFile, Text } from "../../syntax/tree.ts";

/** The position of a value decides which characters need quotes. */
export type ValuePosition = "literal" | "path" | "word" | "message" | "meta";

export interface TextPrinter {
  value(text: Text, position: ValuePosition): string;
  key(name: Name): string;
}

/** Prints values as the RIDL text spells them, including quotes and escapes. A tree without RIDL text has only the values. */
export function textPrinter(file: SchemaFile): TextPrinter {
  if (!isRidlText(file)) return { value: printValue, key: ({ text }) => escaped(text) };
  const { text } = file.source;
  const written = ({ span }: Text | Name): string => text.slice(span.start, span.end);
  return { value: written, key: written };
}

/** Whether the spans and comments of a tree refer to a RIDL text. */
export function isRidlText({ format, docs }: SchemaFile): boolean {
  return format === "ridl" && docs === undefined;
}

function printValue({ value }: Text, position: ValuePosition): string {
  const isBare =
    barePatterns[position].test(value) || isBareMeta(value, position) || isBareWord(value, position);
  return isBare ? value : `"${escaped(value)}"`;
}

/** In a quoted string, a quote after a letter cannot be written: the backslash before it would become part of the word. */
function isBareMeta(value: string, position: ValuePosition): boolean {
  return position === "meta" && /[\w.]"/.test(value) && /^[^\s"\\#][^\s\\]*$/.test(value);
}

/** A bare word is taken literally, so it can hold a backslash. A quoted string cannot. */
function isBareWord(value: string, position: ValuePosition): boolean {
  const takesWord = position === "message" || position === "word";
  return takesWord && value.includes("\\") && /^[A-Za-z0-9_][^\s[\]()<>{}=:\u00bf?\u00a1!,"]*$/.test(value);
}

/** Values that are printed without quotes. Narrower than what the parser accepts, to keep the output obvious. */
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
