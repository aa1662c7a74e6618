import type { Position } from "vscode-languageserver/node";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { editedText } from "../../language/fixes.ts";
import { foldCase } from "../../language/model/names.ts";
import type { Scope } from "../../language/model/scope.ts";
import { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";
import type { EnumValueNode, FieldNode } from "../../language/syntax/tree.ts";
import type { HandlerReference } from "./language-server-host.ts";
import {
  type DeclaredEntity,
  type Entity,
  isDeclared,
  isSame,
  mentionsIn,
  nameOf,
} from "./names-in-schema.ts";
import { offsetOf } from "./positions.ts";

export interface Reference {
  readonly source: SourceFile;
  readonly span: Span;
  readonly isDeclaration: boolean;
}

/** All mentions of an entity, sorted by file and offset. A file that several schemas share counts once. */
export function referencesTo(entity: DeclaredEntity, scopes: readonly Scope[]): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const scope of scopes) {
    const source = scope.file.source;
    for (const { entity: other, span, isDeclaration } of mentionsIn(scope)) {
      if (isDeclared(other) && isSame(other, entity))
        found.set(`${source.path}\0${span.start}`, { source, span, isDeclaration });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      (a.source.path < b.source.path ? -1 : a.source.path > b.source.path ? 1 : 0) ||
      a.span.start - b.span.start,
  );
}

/** Returns the handlers of a method or of a service. If there are none, returns all code that names the method. */
export function referencesOf(
  entity: Entity,
  references: readonly HandlerReference[],
): readonly HandlerReference[] {
  const [service, method] =
    entity.kind === "method"
      ? [entity.service.name.value, entity.node.name.text]
      : entity.kind === "service"
        ? [entity.node.name.value, undefined]
        : [undefined, undefined];
  const found = references.filter(
    (reference) => reference.service === service && (method === undefined || reference.method === method),
  );
  const handlers = found.filter(({ isHandler }) => isHandler);
  return handlers.length > 0 ? handlers : found;
}

/** The reference at a position in hand-written code. If the file refers to a single method, every position counts as a reference to it. */
export function referenceAt(
  path: string,
  position: Position,
  references: readonly HandlerReference[],
): HandlerReference | undefined {
  const here = references.filter((reference) => reference.path === path);
  const [first] = here;
  if (first === undefined) return undefined;
  const offset = offsetOf(new SourceFile(path, first.text), position);
  const exact = here.find(({ span }) => span.start <= offset && offset <= span.end);
  if (exact !== undefined) return exact;
  const methods = new Set(here.map(({ service, method }) => `${service}.${method}`));
  return methods.size === 1 ? first : undefined;
}

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
    return `"${before}" is spelled differently in "${mismatch.source.path}"; rename it there by hand.`;
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
