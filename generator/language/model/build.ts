import type { Location } from "../diagnostics/diagnostic.ts";
import type { Span } from "../source/span.ts";
import { docsOf } from "../syntax/docs.ts";
import type {
  ArgumentNode,
  ArgumentsNode,
  EnumNode,
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
import { conditionsOf } from "./conditions.ts";
import { isCoreType, isIntegerType } from "./core-types.ts";
import { enumValueOf, enumWireOf } from "./enum-values.ts";
import { fileFieldsOf, fileForm, isFileOutput } from "./files.ts";
import { groupsOf } from "./groups.ts";
import { readOtherNames } from "./meta/read.ts";
import type {
  ArgumentModel,
  EnumModel,
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
import { isRouted, namesInRoutes, wirePath } from "./routes.ts";
import { dataAliases, errorCode, errorName, errorStatus } from "./rules/errors.ts";
import { headerOf, normalizeBasepath } from "./rules/files.ts";
import { formNameOf, wireNameOf } from "./rules/names.ts";
import {
  type Declared,
  type DerivedStruct,
  isDerived,
  type Scope,
  type TypeDeclarationNode,
} from "./scope.ts";
import { fileType, type MapKeyType, type ResolvedType } from "./types.ts";
import { readConstraints } from "./values.ts";

/** Builds the model of a valid file and everything that it imports. */
export function buildModel(scope: Scope): Model {
  const header = (key: "name" | "version" | "basepath"): string | undefined =>
    headerOf(scope, key)?.value.value;
  const inRoutes = namesInRoutes(scope);
  const types = scope.types.map((type) => buildType(type, scope, inRoutes));
  const services = new Set(scope.services);
  const data = dataAliases(scope);
  return {
    name: header("name") ?? "",
    version: header("version") ?? "",
    basepath: normalizeBasepath(header("basepath"), services.size > 0),
    types,
    typeByName: new Map(types.map((type) => [type.name, type])),
    errors: scope.errors.map(({ node, file }) =>
      buildError(node, file, data.get(errorName(node))?.node.name.text),
    ),
    services: [...services].map(({ node, file }) => buildService(node, file, scope)),
  };
}

function buildService(node: ServiceNode, file: SchemaFile, scope: Scope): ServiceModel {
  return {
    name: node.name.value,
    listedErrors: errorsListedBy(node),
    methods: node.methods.map((method) => buildMethod(method, file, scope, node.path?.value)),
    docs: docsOf(file, node),
    at: locationOf(file, node),
  };
}

function buildError(node: ErrorNode, file: SchemaFile, data: string | undefined): ErrorModel {
  return {
    name: errorName(node),
    code: errorCode(node),
    message: node.message.value,
    httpStatus: errorStatus(node),
    data,
    docs: docsOf(file, node),
    at: locationOf(file, node),
  };
}

export function buildType(
  { node, file }: Declared<TypeDeclarationNode>,
  scope: Scope,
  inRoutes: NamesInRoutes = noNames,
): TypeModel {
  switch (node.kind) {
    case "struct":
      return buildStruct(node, file, scope, inRoutes);
    case "enum":
      return buildEnum(node, file);
    case "alias": {
      const struct = scope.derived.get(node);
      if (struct !== undefined) return buildStruct(struct, file, scope);
      return {
        kind: "alias",
        name: node.name.text,
        type: resolveType(node.type, scope),
        constraints: readConstraints(node.meta, node.type, scope),
        meta: metaOf(node),
        docs: docsOf(file, node),
        at: locationOf(file, node),
      };
    }
  }
}

function buildStruct(
  node: StructNode | DerivedStruct,
  file: SchemaFile,
  scope: Scope,
  inRoutes: NamesInRoutes = noNames,
): StructModel {
  const derived = isDerived(node) ? node : undefined;
  const { file: fieldFile } = derived?.source ?? { file };
  const groups = groupsOf(node, scope);
  const conditions = conditionsOf(node, scope);
  const fields = node.fields
    .filter(({ type }) => fileForm(type) === undefined)
    .map((field) =>
      buildField(field, fieldFile, scope, {
        group: groups.get(field),
        when: conditions.get(field),
        nameInRoutes: inRoutes.get(field),
      }),
    );
  return {
    kind: "struct",
    name: node.name.text,
    fields: derived?.isPartial === true ? fields.map(optionalField) : fields,
    ...(derived && { derivedFrom: derived.source.node.name.text }),
    files: fileFieldsOf(node).flatMap((field) => fileFieldOf(field, fieldFile, scope)),
    docs: docsOf(file, derived?.alias ?? node),
    at: locationOf(file, node),
  };
}

/** In a partial struct, an absent field means no change, so no default replaces it. */
function optionalField({
  constraints: { default: _, ...constraints },
  meta,
  ...field
}: FieldModel): FieldModel {
  const kept = meta.filter(({ key }) => key !== "default" && key !== "default.empty");
  return { ...field, optional: true, constraints, meta: kept };
}

/** See `namesInRoutes`. */
type NamesInRoutes = ReadonlyMap<FieldNode, string>;

const noNames: NamesInRoutes = new Map();

function buildField(
  node: FieldNode,
  file: SchemaFile,
  scope: Scope,
  {
    group,
    when,
    nameInRoutes,
  }: Pick<FieldModel, "group" | "when"> & { readonly nameInRoutes: string | undefined },
): FieldModel {
  const { aliases, twins } = readOtherNames(node.meta);
  const wireName = wireNameOf(node) ?? nameInRoutes;
  const queryName = formNameOf(node);
  return {
    name: node.name.text,
    wireName,
    ...(queryName !== undefined && queryName !== wireName && { queryName }),
    optional: node.optional,
    type: resolveType(node.type, scope),
    constraints: readConstraints(node.meta, node.type, scope),
    meta: metaOf(node),
    aliases,
    twins,
    group,
    when,
    docs: docsOf(file, node),
    at: locationOf(file, node),
  };
}

function buildEnum(node: EnumNode, file: SchemaFile): EnumModel {
  return {
    kind: "enum",
    name: node.name.text,
    base: node.base.text as EnumModel["base"],
    values: node.values.map((value, index) => ({
      name: value.name.text,
      value: enumValueOf(node, index),
      wire: enumWireOf(node, index),
      docs: docsOf(file, value),
      at: locationOf(file, value),
    })),
    docs: docsOf(file, node),
    at: locationOf(file, node),
  };
}

export function buildMethod(
  node: MethodNode,
  file: SchemaFile,
  scope: Scope,
  servicePath?: string,
): MethodModel {
  const { name, proxy, annotations, input, output } = node;
  const fileOutput = isFileOutput(output, scope);
  return {
    name: name.text,
    annotations: annotations.map((one) => ({ name: one.name.text, value: one.value?.value })),
    route: isRouted(node)
      ? { verb: node.route.verb.text, path: wirePath(servicePath, node, scope) }
      : undefined,
    proxy,
    streamInput: input.stream,
    streamOutput: output.stream,
    input: payloadOf(input, scope),
    output: fileOutput ? noFields : payloadOf(output, scope),
    files: filesOf(input, scope),
    fileOutput,
    errors: listedErrors(node),
    docs: docsOf(file, node),
    at: locationOf(file, node),
  };
}

function metaOf({ meta }: Pick<FieldNode, "meta">): readonly MetaModel[] {
  return meta.map(({ key, value }) => ({ key: key.text, value: value.value }));
}

function locationOf({ source }: SchemaFile, { span }: { readonly span: Span }): Location {
  return { file: source, span };
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
  const name = formNameOf(node);
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
  if (node.kind === "struct") return false;
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
