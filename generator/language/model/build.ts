import type { Location } from "../diagnostics/diagnostic.ts";
import { type Documented, docsOf } from "../syntax/docs.ts";
import type {
  AliasNode,
  ArgumentNode,
  ArgumentsNode,
  EnumNode,
  EnumValueNode,
  ErrorNode,
  FieldNode,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  StructNode,
  TypeNode,
} from "../syntax/tree.ts";
import { errorsListedBy, listedErrors } from "./annotations.ts";
import { isCoreType, isIntegerType } from "./core-types.ts";
import { fileFieldsOf, fileForm, isFileOutput } from "./files.ts";
import { readConstraints, readOtherNames } from "./meta/read.ts";
import type {
  AliasModel,
  ArgumentModel,
  EnumModel,
  EnumValueModel,
  ErrorModel,
  FieldModel,
  FileModel,
  MetaModel,
  MethodModel,
  Model,
  PayloadModel,
  ServiceModel,
  StructModel,
  TypeModel,
} from "./model.ts";
import { foldCase } from "./names.ts";
import { isRouted, wirePath } from "./routes.ts";
import { enumValueOf, enumWireOf } from "./rules/enums.ts";
import { errorCode, errorName, errorStatus } from "./rules/errors.ts";
import { headerOf, normalizeBasepath } from "./rules/files.ts";
import { wireNameOf } from "./rules/names.ts";
import type { Declared, Scope, TypeDeclarationNode } from "./scope.ts";
import { fileType, type MapKeyType, type ResolvedType } from "./types.ts";

/** Builds the model of a valid file and everything that it imports. */
export function buildModel(scope: Scope): Model {
  const header = (key: "name" | "version" | "basepath"): string | undefined =>
    headerOf(scope, key)?.value.value;
  const types = scope.types.map((type) => buildType(type, scope));
  const services = new Set(scope.services);
  return {
    name: header("name") ?? "",
    version: header("version") ?? "",
    basepath: normalizeBasepath(header("basepath"), services.size > 0),
    types,
    typeByName: new Map(types.map((type) => [type.name, type])),
    errors: scope.errors.map(({ node, file }) => buildError(node, file)),
    services: [...services].map(({ node, file }) => buildService(node, file, scope)),
  };
}

function buildService(node: ServiceNode, file: SchemaFile, scope: Scope): ServiceModel {
  const methods = lazily(() =>
    node.methods.map((method) => new Method(method, file, scope, node.path?.value)),
  );
  const docs = lazily(() => docsOf(file, node));
  const listedErrors = lazily(() => errorsListedBy(node));
  return {
    name: node.name.value,
    get listedErrors() {
      return listedErrors();
    },
    get methods() {
      return methods();
    },
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildError(node: ErrorNode, file: SchemaFile): ErrorModel {
  const docs = lazily(() => docsOf(file, node));
  return {
    name: errorName(node),
    code: errorCode(node),
    message: node.message.value,
    httpStatus: errorStatus(node),
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

export function buildType({ node, file }: Declared<TypeDeclarationNode>, scope: Scope): TypeModel {
  switch (node.kind) {
    case "struct":
      return new Struct(node, file, scope);
    case "enum":
      return new Enum(node, file);
    case "alias":
      return new Alias(node, file, scope);
  }
}

function lazily<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

/**
 * Models of the nodes that a large schema has by the thousand. Properties that not every stage needs are computed on first
 * access: comparing two versions looks at few of them. Classes are used because V8 allocates a hidden class for each object with
 * its own getter.
 */

abstract class LazyModel<Node extends Documented & { readonly span: Location["span"] }> {
  protected readonly node: Node;
  protected readonly file: SchemaFile;
  #docs: readonly string[] | undefined;

  constructor(node: Node, file: SchemaFile) {
    this.node = node;
    this.file = file;
  }

  get docs(): readonly string[] {
    this.#docs ??= docsOf(this.file, this.node);
    return this.#docs;
  }

  get at(): Location {
    return { file: this.file.source, span: this.node.span };
  }
}

class Struct extends LazyModel<StructNode> implements StructModel {
  readonly kind = "struct";
  readonly #scope: Scope;
  #fields: readonly FieldModel[] | undefined;
  #files: readonly FileModel[] | undefined;

  constructor(node: StructNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    this.#scope = scope;
  }

  get name(): string {
    return this.node.name.text;
  }

  get fields(): readonly FieldModel[] {
    this.#fields ??= this.node.fields
      .filter(({ type }) => fileForm(type) === undefined)
      .map((field) => new Field(field, this.file, this.#scope));
    return this.#fields;
  }

  get files(): readonly FileModel[] {
    this.#files ??= fileFieldsOf(this.node).flatMap((field) => fileFieldOf(field, this.file, this.#scope));
    return this.#files;
  }
}

class Field extends LazyModel<FieldNode> implements FieldModel {
  readonly wireName: string | undefined;
  readonly type: FieldModel["type"];
  readonly constraints: FieldModel["constraints"];
  readonly aliases: readonly string[];
  readonly twins: readonly string[];

  constructor(node: FieldNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    const { aliases, twins } = readOtherNames(node.meta);
    this.wireName = wireNameOf(node);
    this.type = resolveType(node.type, scope);
    this.constraints = readConstraints(node.meta, node.type, scope);
    this.aliases = aliases;
    this.twins = twins;
  }

  get name(): string {
    return this.node.name.text;
  }

  get optional(): boolean {
    return this.node.optional;
  }

  get meta(): readonly MetaModel[] {
    return metaOf(this.node.meta);
  }
}

class Enum extends LazyModel<EnumNode> implements EnumModel {
  readonly kind = "enum";
  #values: readonly EnumValueModel[] | undefined;

  get name(): string {
    return this.node.name.text;
  }

  get base(): EnumModel["base"] {
    return this.node.base.text as EnumModel["base"];
  }

  get values(): readonly EnumValueModel[] {
    this.#values ??= this.node.values.map((_, index) => new EnumValue(this.node, index, this.file));
    return this.#values;
  }
}

class EnumValue extends LazyModel<EnumValueNode> implements EnumValueModel {
  readonly value: string;
  readonly wire: string;

  constructor(type: EnumNode, index: number, file: SchemaFile) {
    super(type.values[index] as EnumValueNode, file);
    this.value = enumValueOf(type, index);
    this.wire = enumWireOf(type, index);
  }

  get name(): string {
    return this.node.name.text;
  }
}

class Alias extends LazyModel<AliasNode> implements AliasModel {
  readonly kind = "alias";
  readonly type: AliasModel["type"];
  readonly constraints: AliasModel["constraints"];

  constructor(node: AliasNode, file: SchemaFile, scope: Scope) {
    super(node, file);
    this.type = resolveType(node.type, scope);
    this.constraints = readConstraints(node.meta, node.type, scope);
  }

  get name(): string {
    return this.node.name.text;
  }

  get meta(): readonly MetaModel[] {
    return metaOf(this.node.meta);
  }
}

function metaOf(meta: readonly MetaNode[]): readonly MetaModel[] {
  return meta.map(({ key, value }) => ({ key: key.text, value: value.value }));
}

export class Method extends LazyModel<MethodNode> implements MethodModel {
  readonly annotations: MethodModel["annotations"];
  readonly input: PayloadModel;
  readonly output: PayloadModel;
  readonly files: readonly FileModel[];
  readonly fileOutput: boolean;
  readonly errors: readonly string[] | undefined;

  readonly route: MethodModel["route"];

  constructor(node: MethodNode, file: SchemaFile, scope: Scope, servicePath?: string) {
    super(node, file);
    const { annotations, input, output } = node;
    this.route = isRouted(node)
      ? { verb: node.route.verb.text, path: wirePath(servicePath, node, scope) }
      : undefined;
    this.annotations = annotations.map(({ name, value }) => ({ name: name.text, value: value?.value }));
    this.fileOutput = isFileOutput(output, scope);
    this.input = payloadOf(input, scope);
    this.output = this.fileOutput ? noFields : payloadOf(output, scope);
    this.files = filesOf(input, scope);
    this.errors = listedErrors(node);
  }

  get name(): string {
    return this.node.name.text;
  }

  get streamInput(): boolean {
    return this.node.input.stream;
  }

  get streamOutput(): boolean {
    return this.node.output.stream;
  }

  get proxy(): boolean {
    return this.node.proxy;
  }
}

function payloadOf({ succinct, list }: ArgumentsNode, scope: Scope): PayloadModel {
  if (succinct === undefined) {
    const fields = list.filter(({ type }) => fileForm(type) === undefined);
    return { kind: "arguments", arguments: fields.map((argument) => argumentOf(argument, scope)) };
  }
  const found = scope.typeByFoldedName.get(foldCase(succinct.text));
  return { kind: "struct", name: found?.node.name.text ?? succinct.text };
}

const noFields: PayloadModel = { kind: "arguments", arguments: [] };

/** The files of all arguments, and those of structs among them. */
function filesOf({ succinct, list }: ArgumentsNode, scope: Scope): readonly FileModel[] {
  if (succinct !== undefined)
    return filesOfStruct(scope.typeByFoldedName.get(foldCase(succinct.text)), scope);
  return list.flatMap(({ name, optional, type }): readonly FileModel[] => {
    const form = fileForm(type);
    if (form !== undefined) return [{ name: name.text, optional, isList: form === "list", docs: [] }];
    const declared = type.kind === "named" ? scope.typeByName.get(type.name) : undefined;
    const within = { name: name.text, optional };
    return filesOfStruct(declared, scope).map((file) => ({ ...file, within }));
  });
}

function filesOfStruct(
  declared: Declared<TypeDeclarationNode> | undefined,
  scope: Scope,
): readonly FileModel[] {
  if (declared?.node.kind !== "struct") return [];
  return fileFieldsOf(declared.node).flatMap((field) => fileFieldOf(field, declared.file, scope));
}

/** Returns nothing for a field with `json = -`, which is never sent. */
function fileFieldOf(node: FieldNode, file: SchemaFile, scope: Scope): readonly FileModel[] {
  const name = wireNameOf(node);
  if (name === undefined) return [];
  const { optional, type, meta } = node;
  const { deprecated } = readConstraints(meta, type, scope);
  const isList = fileForm(type) === "list";
  const field = { name, optional, isList, docs: docsOf(file, node) };
  return [deprecated === undefined ? field : { ...field, deprecated }];
}

const noMeta: readonly MetaNode[] = [];

function argumentOf({ name, optional, type }: ArgumentNode, scope: Scope): ArgumentModel {
  return {
    name: name.text,
    optional,
    type: resolveType(type, scope),
    constraints: readConstraints(noMeta, type, scope),
  };
}

/** Resolves a type in a scope. Undeclared names, which the rules report, become `unknown`. */
export function resolveType(type: TypeNode, scope: Scope): ResolvedType {
  switch (type.kind) {
    case "list":
      return { kind: "list", element: resolveType(type.element, scope) };
    case "map": {
      const value = resolveType(type.value, scope);
      const key = resolveKey(type.key, scope);
      return typeof key === "object" ? { kind: "map", key, value } : { kind: "unknown" };
    }
    case "named": {
      if (isCoreType(type.name)) return { kind: "core", name: type.name };
      const found = scope.typeByName.get(type.name)?.node;
      return found === undefined ? { kind: "unknown" } : { kind: found.kind, name: found.name.text };
    }
    case "missing":
      return { kind: "unknown" };
  }
}

/**
 * Resolves a map key: string, an integer, an enum, or an alias of an enum. Looks names up case-insensitively, as the reference
 * tool does. Returns the reason if the type is not a valid key.
 */
export function resolveKey(key: TypeNode, scope: Scope): MapKeyType | "unknown-name" | "not-a-key" {
  if (key.kind !== "named") return "not-a-key";
  const { name } = key;
  if (name === "string" || isIntegerType(name)) return { kind: "core", name };
  if (isCoreType(name) || name === fileType) return "not-a-key";
  const declared = scope.typeByFoldedName.get(foldCase(name));
  if (declared === undefined) return "unknown-name";
  const found = declared.node;
  // An alias keeps its meaning from its own file, even if its target was not imported here.
  return keyDeclaration(found, scopeOf(declared.file, scope) ?? scope)
    ? { kind: found.kind, name: found.name.text }
    : "not-a-key";
}

function keyDeclaration(
  node: TypeDeclarationNode,
  scope: Scope,
): node is Exclude<TypeDeclarationNode, { kind: "struct" }> {
  if (node.kind === "enum") return true;
  // The reference tool does not resolve aliases of an IR file, so none can be a key.
  if (node.kind === "struct" || scope.file.format === "ir") return false;
  return node.type.kind === "named" && scope.typeByName.get(node.type.name)?.node.kind === "enum";
}

/** Returns the scope of a file that this one imports, directly or indirectly. */
function scopeOf(file: SchemaFile, scope: Scope): Scope | undefined {
  const seen = new Set([scope]);
  for (const next of seen) {
    if (next.file === file) return next;
    for (const imported of next.imports) seen.add(imported.scope);
  }
  return undefined;
}
