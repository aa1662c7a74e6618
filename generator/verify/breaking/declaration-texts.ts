import type { Declaration, SchemaFile } from "../../language/syntax/tree.ts";

const known = new WeakMap<SchemaFile, ReadonlyMap<Declaration, string>>();

/**
 * The text of each declaration of a file, up to the next one. A comment that stands above that belongs to it here, which only
 * makes more of them differ. Empty for the other forms: they may say things by anchors and keys that stand elsewhere.
 */
export function declarationTexts(file: SchemaFile): ReadonlyMap<Declaration, string> {
  let texts = known.get(file);
  if (texts === undefined) {
    texts = cut(file);
    known.set(file, texts);
  }
  return texts;
}

function cut(file: SchemaFile): ReadonlyMap<Declaration, string> {
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
}
