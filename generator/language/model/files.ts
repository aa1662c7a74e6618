/** How methods use the type `file`. */
import type { ArgumentsNode, FieldNode, MethodNode, StructNode, TypeNode } from "../syntax/tree.ts";
import { foldCase } from "./names.ts";
import type { Scope } from "./scope.ts";
import { fileType } from "./types.ts";

/** Whether a type is `file` or `[]file`. Declared types start with an upper-case letter, so the name cannot clash. */
export function fileForm(type: TypeNode): "one" | "list" | undefined {
  if (type.kind === "list") return fileForm(type.element) === "one" ? "list" : undefined;
  return type.kind === "named" && type.name === fileType ? "one" : undefined;
}

const noFields: readonly FieldNode[] = [];

/** Returns the fields of a struct that are files. */
export function fileFieldsOf({ fields }: StructNode): readonly FieldNode[] {
  return fields.some(isFile) ? fields.filter(isFile) : noFields;
}

function isFile({ type }: FieldNode): boolean {
  return fileForm(type) !== undefined;
}

/** Returns the struct with files that a type names. Aliases of such a struct are not allowed. */
export function structWithFiles(type: TypeNode, { typeByName }: Scope): StructNode | undefined {
  const node = type.kind === "named" ? typeByName.get(type.name)?.node : undefined;
  return node?.kind === "struct" && fileFieldsOf(node).length > 0 ? node : undefined;
}

/** Whether a method responds with a file: `=> (report: file)`, or `=> (file)` unless a struct named File exists. */
export function isFileOutput({ succinct, list }: ArgumentsNode, scope: Scope): boolean {
  if (succinct !== undefined)
    return succinct.text === fileType && !scope.typeByFoldedName.has(foldCase(fileType));
  const [only] = list;
  return only !== undefined && list.length === 1 && fileForm(only.type) === "one";
}

/** Whether a method receives a file. */
export function takesFile({ input: { succinct, list } }: MethodNode, scope: Scope): boolean {
  const struct = succinct && scope.typeByFoldedName.get(foldCase(succinct.text))?.node;
  return (
    list.some(({ type }) => fileForm(type) !== undefined || structWithFiles(type, scope) !== undefined) ||
    (struct?.kind === "struct" && fileFieldsOf(struct).length > 0)
  );
}
