import { memoize } from "../../language/source/memoize.ts";
import type { Declaration, SchemaFile } from "../../language/syntax/tree.ts";

/**
 * The text of each declaration in a RIDL file, up to the next declaration. A comment above the next declaration is included, which can
 * only make more declarations differ. Empty for YAML and IR files, where a declaration may depend on text elsewhere.
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
