/** How methods use the type `file`. */
import type { ArgumentsNode, TypeNode } from "../syntax/tree.ts";
import { foldCase } from "./names.ts";
import type { Scope } from "./scope.ts";
import { fileType } from "./types.ts";

/** Whether a type is `file` or `[]file`. Declared types start with an upper-case letter, so the name cannot clash. */
export function fileForm(type: TypeNode): "one" | "list" | undefined {
  if (type.kind === "list") return fileForm(type.element) === "one" ? "list" : undefined;
  return type.kind === "named" && type.name === fileType ? "one" : undefined;
}

/** Whether a method responds with a file: `=> (report: file)`, or `=> (file)` unless a struct named File exists. */
export function isFileOutput({ succinct, list }: ArgumentsNode, scope: Scope): boolean {
  if (succinct !== undefined)
    return succinct.text === fileType && !scope.typeByFoldedName.has(foldCase(fileType));
  const [only] = list;
  return only !== undefined && list.length === 1 && fileForm(only.type) === "one";
}
