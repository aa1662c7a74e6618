import type { HeaderKey } from "../../syntax/tree.ts";

export type DeclarationKeyword = "enum" | "struct" | "type" | "error" | "service";
export type Keyword = HeaderKey | "import" | DeclarationKeyword;

/** The words that start a top-level line. A list of fields or methods ends before one. */
export const keywords: ReadonlySet<string> = new Set<Keyword>([
  "webrpc",
  "name",
  "version",
  "basepath",
  "import",
  "enum",
  "struct",
  "type",
  "error",
  "service",
]);

export function isKeyword(word: string): word is Keyword {
  return keywords.has(word);
}
