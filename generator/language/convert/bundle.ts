import type { Declared, Scope } from "../model/scope.ts";
import type { Declaration, SchemaFile } from "../syntax/tree.ts";
import { detach } from "./detach.ts";

/**
 * Merges a schema and its imports into one file without imports, in the order of its IR. Comments at the top of an imported file
 * move above its first declaration.
 */
export function bundle(scope: Scope): SchemaFile {
  const files = new Set([...scope.types, ...scope.errors, ...scope.services].map(({ file }) => file));
  const docs = new Map<object, readonly string[]>();
  const otherComments = new Map<object, readonly string[]>();
  for (const file of new Set([...files, scope.file])) {
    const tree = detach(file);
    for (const [node, lines] of tree.docs ?? []) docs.set(node, lines);
    for (const [node, lines] of tree.otherComments ?? []) otherComments.set(node, lines);
    if (file !== scope.file) moveFileComments(tree, docs, otherComments);
  }
  const nodes = (list: readonly Declared<Declaration>[]): Declaration[] => list.map(({ node }) => node);
  const declarations = [...nodes(scope.types), ...nodes(scope.errors), ...nodes(scope.services)];
  return { ...scope.file, format: "yaml", imports: [], declarations, docs, otherComments };
}

type Lines = Map<object, readonly string[]>;

/** Moves the comments of headers and imports, and those at the end of a file, above its first declaration. */
function moveFileComments(file: SchemaFile, docs: Lines, otherComments: Lines): void {
  const heads: object[] = [...file.headers, ...file.imports];
  const lines = heads.flatMap((node) => [
    ...(otherComments.get(node) ?? []),
    ...commented(docs.get(node) ?? []),
  ]);
  const atEnd = otherComments.get(file.source) ?? [];
  otherComments.delete(file.source);
  const [first] = file.declarations;
  const all = [...lines, ...atEnd];
  if (first !== undefined && all.length > 0)
    otherComments.set(first, [...all, ...(otherComments.get(first) ?? [])]);
}

function commented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "#" : `# ${line}`));
}
