import type {
  AliasNode,
  Declaration,
  EnumNode,
  ErrorNode,
  Import,
  SchemaFile,
  ServiceNode,
  StructNode,
} from "../syntax/tree.ts";
import { foldCase } from "./names.ts";

export type TypeDeclarationNode = EnumNode | StructNode | AliasNode;

/** One file and its resolved imports. */
export interface LoadedFile {
  readonly file: SchemaFile;
  /** Imports that could be read, in order of appearance. */
  readonly imports: readonly { readonly node: Import; readonly target: LoadedFile }[];
}

export interface Declared<Node> {
  readonly node: Node;
  readonly file: SchemaFile;
}

/** A struct with fields of another one, in place of the alias that is written in the schema. */
export interface DerivedStruct extends StructNode {
  readonly alias: AliasNode;
  /** The struct that declares the fields. */
  readonly source: Declared<StructNode>;
  /** All fields are optional and have no defaults. */
  readonly isPartial: boolean;
}

export type DerivedStructs = ReadonlyMap<AliasNode, DerivedStruct>;

export function isDerived(node: TypeDeclarationNode): node is DerivedStruct {
  return "alias" in node;
}

/**
 * Everything that one file can refer to: imported declarations, in order of import, then its own aliases, enums and structs, each
 * in order of appearance. This is the order of the reference tool's IR.
 */
export interface Scope {
  readonly file: SchemaFile;
  readonly types: readonly Declared<TypeDeclarationNode>[];
  readonly errors: readonly Declared<ErrorNode>[];
  readonly services: readonly Declared<ServiceNode>[];
  /** First declaration by exact name, for type references. Derived structs replace their aliases. */
  readonly typeByName: ReadonlyMap<string, Declared<TypeDeclarationNode>>;
  /** First declaration by case-folded name, for map keys and the succinct form. */
  readonly typeByFoldedName: ReadonlyMap<string, Declared<TypeDeclarationNode>>;
  readonly derived: DerivedStructs;
  readonly errorByName: ReadonlyMap<string, Declared<ErrorNode>>;
  readonly imports: readonly ScopedImport[];
  /** Returns all files of the schema, whether or not they are visible from this file. */
  readonly allFiles: () => readonly SchemaFile[];
  /** Whether `from` imports `to`, directly or indirectly, or is the same file. */
  readonly importsFile: (from: SchemaFile, to: SchemaFile) => boolean;
  /** Whether an import failed to load, here or in an imported file. Missing names may be declared there. */
  readonly hasUnreadImports: boolean;
  /** Whether a declaration that failed to parse, here or in an imported file, may have this name. */
  readonly mayBeUnparsed: (name: string) => boolean;
  readonly unparsedWords: readonly ReadonlySet<string>[];
}

export interface ScopedImport {
  readonly node: Import;
  readonly scope: Scope;
}

/** Builds the scopes of all files in the given order, which puts imported files first. */
export function buildScopes(files: readonly LoadedFile[]): Scope[] {
  const scopes = new Map<LoadedFile, Scope>();
  const context: SchemaContext = {
    allFiles: () => files.map(({ file }) => file),
    importsFile: (from, to) => reachable(files, from).has(to),
  };
  for (const loaded of files) {
    const imports = loaded.imports.map(({ node, target }) => ({ node, scope: scopes.get(target) as Scope }));
    scopes.set(loaded, buildScope(loaded.file, imports, context));
  }
  return [...scopes.values()];
}

type SchemaContext = Pick<Scope, "allFiles" | "importsFile">;

/** Returns a file and everything that it imports, directly or indirectly. */
function reachable(files: readonly LoadedFile[], from: SchemaFile): ReadonlySet<SchemaFile> {
  const seen = new Set(files.filter(({ file }) => file === from));
  for (const { imports } of seen) for (const { target } of imports) seen.add(target);
  return new Set([...seen].map(({ file }) => file));
}

/**
 * Maximum number of services in one scope. A service that is imported twice counts twice: twenty files, each importing the
 * previous file twice, would contain a million.
 */
export const maxServices = 10_000;

export function buildScope(
  file: SchemaFile,
  imports: readonly ScopedImport[] = [],
  context: SchemaContext = { allFiles: () => [file], importsFile: (from, to) => from === to },
): Scope {
  const types = new Set<Declared<TypeDeclarationNode>>();
  const errors = new Set<Declared<ErrorNode>>();
  // Not a set: a service that is imported twice appears twice in the reference tool's IR.
  const services: Declared<ServiceNode>[] = [];
  for (const { node, scope } of imports) {
    const members = new Set(node.members.map(({ value }) => value));
    const isWanted = (name: string): boolean => members.size === 0 || members.has(name);
    for (const type of scope.types) if (isWanted(type.node.name.text)) types.add(type);
    for (const error of scope.errors) if (isWanted(error.node.name.text)) errors.add(error);
    for (const service of scope.services) {
      if (services.length < maxServices && isWanted(service.node.name.value)) services.push(service);
    }
  }
  for (const node of ownTypes(file)) types.add({ node, file });
  for (const node of file.declarations) {
    if (node.kind === "error") errors.add({ node, file });
    else if (node.kind === "service") services.push({ node, file });
  }
  const unparsedWords = unparsedWordsOf(file, imports);
  const allTypes = [...types];
  const declared = firstBy(allTypes, ({ node }) => node.name.text);
  const derived = deriveStructs(file, declared, imports);
  return {
    file,
    types: allTypes,
    errors: [...errors],
    services,
    typeByName: withDerived(declared, derived),
    typeByFoldedName: firstBy(allTypes, ({ node }) => foldCase(node.name.text)),
    derived,
    errorByName: firstBy([...errors], ({ node }) => node.name.text),
    imports,
    ...context,
    hasUnreadImports:
      imports.length < file.imports.length ||
      file.unparsed?.imports === true ||
      imports.some(({ scope }) => scope.hasUnreadImports),
    mayBeUnparsed: (name) => unparsedWords.some((words) => words.has(name)),
    unparsedWords,
  };
}

const noneDerived: DerivedStructs = new Map();

/** Returns the derived structs of a file and its imports. */
function deriveStructs(
  file: SchemaFile,
  typeByName: Scope["typeByName"],
  imports: readonly ScopedImport[],
): DerivedStructs {
  const own = file.declarations.filter(isDerivation);
  const imported = imports.filter(({ scope }) => scope.derived.size > 0);
  if (own.length === 0 && imported.length === 0) return noneDerived;
  const derived = new Map(imported.flatMap(({ scope }) => [...scope.derived]));
  for (const node of own) {
    const path = new Set<AliasNode>();
    let end: Declared<TypeDeclarationNode> | undefined = { node, file };
    while (end?.node.kind === "alias" && !derived.has(end.node) && !path.has(end.node)) {
      const { type }: AliasNode = end.node;
      path.add(end.node);
      end = type.kind === "named" ? typeByName.get(type.name) : undefined;
    }
    let base = end?.node.kind === "alias" ? derived.get(end.node) : end?.node;
    if (end === undefined || base?.kind !== "struct") continue;
    for (const alias of [...path].reverse().filter(isDerivation)) {
      const source: DerivedStruct["source"] = isDerived(base) ? base.source : { node: base, file: end.file };
      const struct = derive(alias, base, source);
      if (struct === undefined) continue;
      derived.set(alias, struct);
      base = struct;
    }
  }
  return derived;
}

function withDerived(declared: Scope["typeByName"], derived: DerivedStructs): Scope["typeByName"] {
  if (derived.size === 0) return declared;
  const inScope = [...declared].map(([name, { node, file }]) => {
    const struct = node.kind === "alias" ? derived.get(node) : undefined;
    return [name, { node: struct ?? node, file }] as const;
  });
  return new Map(inScope);
}

/** Whether an alias has `omit`, `pick` or `partial`, which derive a struct from another. */
export function isDerivation(node: Declaration): node is AliasNode {
  if (node.kind !== "alias") return false;
  return isPartial(node) || node.meta.some(({ key: { text } }) => text === "omit" || text === "pick");
}

function isPartial({ meta }: AliasNode): boolean {
  return meta.some(({ key, value }) => key.text === "partial" && value.value === "true");
}

/** Returns undefined if no field is left. */
function derive(
  alias: AliasNode,
  base: StructNode | DerivedStruct,
  source: Declared<StructNode>,
): DerivedStruct | undefined {
  const named = (wanted: string): ReadonlySet<string> =>
    new Set(alias.meta.flatMap(({ key, value }) => (key.text === wanted ? [value.value] : [])));
  const picked = named("pick");
  const omitted = named("omit");
  const fields = base.fields.filter(
    ({ name: { text } }) => (picked.size === 0 || picked.has(text)) && !omitted.has(text),
  );
  if (fields.length === 0) return undefined;
  const { name, span } = alias;
  const partial = isPartial(alias) || (isDerived(base) && base.isPartial);
  return { kind: "struct", name, span, fields, alias, source, isPartial: partial };
}

/** The words of unparsed declarations in a file and its imports. Most schemas have none. */
function unparsedWordsOf(
  { unparsed }: SchemaFile,
  imports: readonly ScopedImport[],
): readonly ReadonlySet<string>[] {
  const own = unparsed === undefined || unparsed.words.size === 0 ? [] : [unparsed.words];
  return [...new Set([...imports.flatMap(({ scope }) => scope.unparsedWords), ...own])];
}

/** RIDL: aliases, then enums, then structs. Other formats keep their order. */
function ownTypes({ declarations, format }: SchemaFile): TypeDeclarationNode[] {
  const types = declarations.filter(isType);
  if (format !== "ridl") return types;
  return (["alias", "enum", "struct"] as const).flatMap((kind) => types.filter((type) => type.kind === kind));
}

function isType(node: Declaration): node is TypeDeclarationNode {
  return node.kind !== "error" && node.kind !== "service";
}

function firstBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item> {
  const first = new Map<string, Item>();
  for (const item of items) {
    const name = nameOf(item);
    if (!first.has(name)) first.set(name, item);
  }
  return first;
}
