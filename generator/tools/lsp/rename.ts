import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { editedText } from "../../language/diagnostics/fixes.ts";
import { foldCase } from "../../language/model/names.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { EnumValueNode, FieldNode } from "../../language/syntax/tree.ts";
import { type DeclaredEntity, nameOf } from "./names-in-schema.ts";
import type { Reference } from "./references.ts";

export interface RenameTask {
  readonly entity: DeclaredEntity;
  readonly name: string;
  readonly references: readonly Reference[];
  /** Checks the schemas. `texts` replaces the contents of files. */
  readonly check: (texts: ReadonlyMap<string, string> | undefined) => readonly Diagnostic[];
}

export interface Rename {
  readonly edits: readonly Reference[];
  /** A warning about the effect on the wire. Undefined for names that are never sent, such as those of types. */
  readonly wireWarning: string | undefined;
}

/** Renames an entity. Returns a message if the new name is invalid or would cause errors. */
export function rename({ entity, name, references, check }: RenameTask): Rename | string {
  const before = nameOf(entity);
  if (name === before) return { edits: [], wireWarning: undefined };
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return `"${name}" is not a valid name: use letters, digits and "_".`;
  const mismatch = references.find(({ source, span }) => !isWrittenAs(before, source, span.start, span.end));
  if (mismatch !== undefined)
    return `"${before}" is spelt differently in "${mismatch.source.path}"; rename it there by hand.`;
  const known = new Set(errorsOf(check(undefined)).map(keyOf));
  const fault = errorsOf(check(textsAfter(references, name))).find((one) => !known.has(keyOf(one)));
  if (fault !== undefined)
    return fault.advice === undefined ? fault.message : `${fault.message} ${fault.advice}`;
  return { edits: references, wireWarning: wireChange(entity, before, name) };
}

/** Ignores letter case, because map keys and succinct arguments may be written in another case than the declaration. */
function isWrittenAs(name: string, { text }: SourceFile, start: number, end: number): boolean {
  const written = text.slice(start, end);
  return written === name || foldCase(written) === foldCase(name);
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** Identifies a diagnostic by its message and line, because offsets change with the length of a name. */
function keyOf({ code, message, path, at }: Diagnostic): string {
  return [code, message, path, at?.file.lineAt(at.span.start)].join("\0");
}

function textsAfter(references: readonly Reference[], name: string): ReadonlyMap<string, string> {
  const sources = new Set(references.map(({ source }) => source));
  return new Map(
    [...sources].map((source) => {
      const own = references.filter((one) => one.source === source);
      const edits = own.map(({ span }) => ({ span, text: name }));
      return [source.path, editedText(source.text, edits)] as const;
    }),
  );
}

function wireChange(entity: DeclaredEntity, before: string, name: string): string | undefined {
  switch (entity.kind) {
    case "type":
      return undefined;
    case "error":
      return `"${before}" becomes "${name}" in responses; clients that use the error code are not affected`;
    case "service":
    case "method":
      return `"${before}" becomes "${name}" in the path of calls`;
    case "field":
      return hasJsonName(entity.node) ? undefined : `"${before}" becomes "${name}" in JSON`;
    case "value": {
      const isText = entity.owner.base.text === "string";
      const keepsWireName = isText ? entity.node.value !== undefined : hasJsonName(entity.node);
      return keepsWireName ? undefined : `"${before}" becomes "${name}" in JSON`;
    }
    case "argument":
      return `"${before}" becomes "${name}" in JSON`;
  }
}

function hasJsonName({ meta }: FieldNode | EnumValueNode): boolean {
  return meta.some(({ key }) => key.text === "json");
}
