import { conditionLines, enumOf } from "../../language/model/conditions.ts";
import { type CoreType, isCoreType } from "../../language/model/core-types.ts";
import { isMetaKeyName, type MetaKeyName, readCondition } from "../../language/model/meta/keys.ts";
import { structOf } from "../../language/model/meta/read.ts";
import { foldCase } from "../../language/model/names.ts";
import {
  type Declared,
  isDerived,
  type Scope,
  type TypeDeclarationNode,
} from "../../language/model/scope.ts";
import { fileType } from "../../language/model/types.ts";
import { memoize } from "../../language/source/memoize.ts";
import type { Span } from "../../language/source/span.ts";
import type {
  ArgumentNode,
  ArgumentsNode,
  EnumNode,
  EnumValueNode,
  ErrorNode,
  FieldNode,
  Import,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  StructNode,
  TypeNode,
} from "../../language/syntax/tree.ts";

/** What a name in a schema refers to. */
export type Entity = DeclaredEntity | BuiltIn;

/** An entity with a declaration in a schema. */
export type DeclaredEntity = { readonly file: SchemaFile } & (
  | { readonly kind: "type"; readonly node: TypeDeclarationNode }
  | { readonly kind: "error"; readonly node: ErrorNode }
  | { readonly kind: "service"; readonly node: ServiceNode }
  | { readonly kind: "method"; readonly node: MethodNode; readonly service: ServiceNode }
  | { readonly kind: "field"; readonly node: FieldNode; readonly struct: StructNode }
  | { readonly kind: "value"; readonly node: EnumValueNode; readonly owner: EnumNode }
  | { readonly kind: "argument"; readonly node: ArgumentNode }
);

export type BuiltIn =
  | { readonly kind: "core"; readonly name: CoreType | typeof fileType }
  | { readonly kind: "meta"; readonly name: MetaKeyName }
  | { readonly kind: "import"; readonly target: SchemaFile };

/** An occurrence of a name. */
export interface Mention {
  readonly entity: Entity;
  readonly span: Span;
  readonly isDeclaration: boolean;
}

export function isDeclared(entity: Entity): entity is DeclaredEntity {
  return "file" in entity;
}

export function nameOf(entity: DeclaredEntity): string {
  return entity.kind === "service" ? entity.node.name.value : entity.node.name.text;
}

/** The span of the name in its declaration, without quotes. */
export function nameSpan({ node, file }: DeclaredEntity): Span {
  return unquoted(node.name.span, file);
}

export function isSame(one: DeclaredEntity, other: DeclaredEntity): boolean {
  return one.file.source.path === other.file.source.path && one.node.span.start === other.node.span.start;
}

/** Returns the mention that contains the offset or ends at it. */
export function mentionAt(mentions: readonly Mention[], offset: number): Mention | undefined {
  return mentions.find(({ span }) => span.start <= offset && offset <= span.end);
}

class MentionCollector {
  readonly #scope: Scope;
  readonly #mentions: Mention[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  all(): readonly Mention[] {
    const { file } = this.#scope;
    for (const node of file.imports) this.#import(node);
    for (const node of file.declarations) {
      switch (node.kind) {
        case "enum":
          this.#declare({ kind: "type", node, file });
          for (const value of node.values) this.#declare({ kind: "value", node: value, owner: node, file });
          break;
        case "struct":
          this.#declare({ kind: "type", node, file });
          for (const field of node.fields) {
            this.#declare({ kind: "field", node: field, struct: node, file });
            this.#type(field.type);
            this.#meta(field.meta, field.type);
            this.#conditions(field, node);
          }
          break;
        case "alias":
          this.#declare({ kind: "type", node, file });
          this.#type(node.type);
          this.#meta(node.meta, node.type);
          break;
        case "error":
          this.#declare({ kind: "error", node, file });
          break;
        case "service":
          this.#declare({ kind: "service", node, file });
          for (const method of node.methods) this.#method(method, node);
      }
    }
    return this.#mentions;
  }

  #declare(entity: DeclaredEntity): void {
    this.#mentions.push({ entity, span: nameSpan(entity), isDeclaration: true });
  }

  #mention(entity: Entity, span: Span): void {
    this.#mentions.push({ entity, span, isDeclaration: false });
  }

  #import(node: Import): void {
    const { file, imports } = this.#scope;
    const scope = imports.find((each) => each.node === node)?.scope;
    if (scope === undefined) return;
    this.#mention({ kind: "import", target: scope.file }, unquoted(node.path.span, file));
    for (const { value, span } of node.members) {
      const at = unquoted(span, file);
      const type = scope.typeByName.get(value);
      this.#reference(type, at);
      const error = scope.errorByName.get(value);
      if (error !== undefined) this.#mention({ kind: "error", ...error }, at);
      const service = scope.services.find((each) => each.node.name.value === value);
      if (service !== undefined) this.#mention({ kind: "service", ...service }, at);
    }
  }

  #method(node: MethodNode, service: ServiceNode): void {
    const { file, errorByName } = this.#scope;
    this.#declare({ kind: "method", node, service, file });
    this.#arguments(node.input);
    this.#arguments(node.output);
    for (const { text, span } of node.errors) {
      const error = errorByName.get(text);
      if (error !== undefined) this.#mention({ kind: "error", ...error }, span);
    }
  }

  #arguments({ succinct, list }: ArgumentsNode): void {
    if (succinct !== undefined) {
      const { text, span } = succinct;
      if (text === fileType) this.#mention({ kind: "core", name: fileType }, span);
      else this.#reference(this.#scope.typeByFoldedName.get(foldCase(text)), span);
    }
    for (const node of list) {
      this.#declare({ kind: "argument", node, file: this.#scope.file });
      this.#type(node.type);
    }
  }

  #type(type: TypeNode): void {
    switch (type.kind) {
      case "list":
        this.#type(type.element);
        break;
      case "map":
        if (type.key.kind === "named" && !isCoreType(type.key.name))
          this.#reference(this.#scope.typeByFoldedName.get(foldCase(type.key.name)), type.key.span);
        else this.#type(type.key);
        this.#type(type.value);
        break;
      case "named": {
        const { name, span } = type;
        if (isCoreType(name) || name === fileType) this.#mention({ kind: "core", name }, span);
        else this.#reference(this.#scope.typeByName.get(name), span);
        break;
      }
      case "missing":
    }
  }

  #reference(declared: Declared<TypeDeclarationNode> | undefined, span: Span): void {
    if (declared === undefined) return;
    const { node, file } = declared;
    this.#mention({ kind: "type", node: isDerived(node) ? node.alias : node, file }, span);
  }

  /** Records the kind fields and values that conditions name. */
  #conditions(field: FieldNode, struct: StructNode): void {
    const { file } = this.#scope;
    for (const { value } of conditionLines(field)) {
      const condition = readCondition(value.value);
      const { start } = unquoted(value.span, file);
      const end = start + condition.kind.length;
      const kind = struct.fields.find(({ name }) => name.text === condition.kind);
      if (kind === undefined) continue;
      this.#mention({ kind: "field", node: kind, struct, file }, { start, end });
      const owner = enumOf(kind, this.#scope);
      const named = owner?.node.values.find(({ name }) => name.text === condition.value);
      if (owner === undefined || named === undefined) continue;
      const at = { start: end + 1, end: end + 1 + condition.value.length };
      this.#mention({ kind: "value", node: named, owner: owner.node, file: owner.file }, at);
    }
  }

  /** Records meta keys, the error that `errorData` names, the field of `omit` or `pick`, and the enum value of a `default`. */
  #meta(lines: readonly MetaNode[], type: TypeNode): void {
    for (const { key, value } of lines) {
      if (!isMetaKeyName(key.text)) continue;
      this.#mention({ kind: "meta", name: key.text }, key.span);
      if (key.text === "errorData") {
        const error = this.#scope.errorByName.get(value.value);
        if (error !== undefined)
          this.#mention({ kind: "error", ...error }, unquoted(value.span, this.#scope.file));
      }
      if (key.text === "omit" || key.text === "pick") this.#field(value, type);
      if (key.text !== "default" || type.kind !== "named") continue;
      const found = this.#scope.typeByName.get(type.name);
      if (found?.node.kind !== "enum") continue;
      const named = found.node.values.find(({ name }) => name.text === value.value);
      if (named === undefined) continue;
      const entity = { kind: "value", node: named, owner: found.node, file: found.file } as const;
      this.#mention(entity, unquoted(value.span, this.#scope.file));
    }
  }

  #field({ value, span }: MetaNode["value"], type: TypeNode): void {
    const struct = structOf(type, this.#scope);
    const node = struct?.fields.find(({ name }) => name.text === value);
    const declared = struct && sourceOf(struct, this.#scope);
    if (node === undefined || declared === undefined) return;
    const entity = { kind: "field", node, struct: declared.node, file: declared.file } as const;
    this.#mention(entity, unquoted(span, this.#scope.file));
  }
}

/** The struct that declares the fields of a struct. */
function sourceOf(struct: StructNode, { typeByName }: Scope): Declared<StructNode> | undefined {
  if (isDerived(struct)) return struct.source;
  const declared = typeByName.get(struct.name.text);
  return declared && { node: struct, file: declared.file };
}

function unquoted(span: Span, { source }: SchemaFile): Span {
  const text = source.text.slice(span.start, span.end);
  return /^(["']).*\1$/.test(text) && text.length > 1 ? { start: span.start + 1, end: span.end - 1 } : span;
}

/** All mentions in a file, unordered. Cached per scope. */
export const mentionsIn: (scope: Scope) => readonly Mention[] = memoize((scope) =>
  new MentionCollector(scope).all(),
);
