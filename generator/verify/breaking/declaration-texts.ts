import { memoize } from "../../language/source/memoize.ts";
import type { Declaration, SchemaFile } from "../../language/syntax/tree.ts";

/**
 * The text of each declaration of a file, up to the next one. A comment that stands above that belongs to it here, which only
 * makes more of them differ. Empty for the other forms: they may say things by anchors and keys that stand elsewhere.
 */
export const declarationTexts: (file: SchemaFile) => ReadonlyMap<Declaration, string> = memoize((file) => {
  const { source, format, headers, imports, declarations } = file;
  if (format !== "ridl") return new Map();
  const starts = [...headers, ...imports, ...declarations].map(({ span }) => span.start);
  starts.sort((a, b) => a - b);
  const next = new Map(starts.map((start, index) => [start, starts[index + 1] ?? source.text.length]));
  return new Map(
    declarations.map((node) => [
      node,
      source.text.slice(node.span.start, next.get(node.span.start)).trimEnd(),
    ]),
  );
});
