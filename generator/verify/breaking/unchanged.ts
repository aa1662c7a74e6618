import { isUtf8 } from "node:buffer";
import { type Compilation, type CompiledSchema, compile } from "../../language/compile.ts";
import { errorsListedBy } from "../../language/model/annotations.ts";
import { isCoreType } from "../../language/model/core-types.ts";
import { fileForm, isFileOutput, structWithFiles } from "../../language/model/files.ts";
import { structOf } from "../../language/model/meta/read.ts";
import type { Model, TypeModel } from "../../language/model/model.ts";
import { isDerivation, isDerived, type Scope, type TypeDeclarationNode } from "../../language/model/scope.ts";
import { memoize } from "../../language/source/memoize.ts";
import type { ReadResult, SourceReader } from "../../language/source/reader.ts";
import type {
  ArgumentsNode,
  Declaration,
  SchemaFile,
  ServiceNode,
  TypeNode,
} from "../../language/syntax/tree.ts";

/** Names of the types that the requests and responses of a service refer to. */
export interface ReferencedTypes {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/**
 * Declarations with the same text and the same meaning in both versions. They cannot break anything themselves, so only the types
 * that they refer to are compared. This covers most of a large schema. Doubtful declarations are not included.
 */
export interface Unchanged {
  /** By type name: the declared types that the type refers to. */
  readonly types: ReadonlyMap<string, readonly string[]>;
  readonly services: ReadonlyMap<string, ReferencedTypes>;
}

export const nothingUnchanged: Unchanged = { types: new Map(), services: new Map() };

/**
 * Finds the unchanged declarations. `same` contains keys such as `struct Pet`: declarations that have the same text in both versions,
 * and were therefore left out when `other` was parsed.
 */
export function findUnchanged(one: Scope, other: Scope, same: ReadonlySet<string> = new Set()): Unchanged {
  const texts = [textsOf(one), textsOf(other)] as const;
  const pair = { one, other };
  const types = new Map<string, References>();
  for (const [name, { node, file }] of one.typeByName) {
    const counterpart = other.typeByName.get(name);
    if (counterpart === undefined || counterpart.node.kind !== node.kind) continue;
    if (!same.has(`${node.kind} ${name}`) && !isSameText(texts, { node, file }, counterpart)) continue;
    const references = referencesOf(pair, typesIn(node));
    if (references !== undefined) types.set(name, references);
  }
  dropDependents(types);
  const unchanged = new Map([...types].map(([name, { names }]) => [name, names]));
  const services = new Map<string, ReferencedTypes>();
  const named = new Map(one.services.map((service) => [service.node.name.value, service]));
  const others = other.services.map((service) => {
    const name = service.node.name.value;
    return (same.has(`service ${name}`) ? named.get(name) : undefined) ?? service;
  });
  // Every method may return the errors that no method lists. If those differ, or any error was added or removed, no service is unchanged.
  if (errorNames(one, one.services) !== errorNames(other, others)) return { types: unchanged, services };
  const counterparts = new Map(other.services.map((service) => [service.node.name.value, service]));
  for (const service of one.services) {
    const counterpart = counterparts.get(service.node.name.value);
    const name = service.node.name.value;
    if (
      counterpart === undefined ||
      (!same.has(`service ${name}`) && !isSameText(texts, service, counterpart))
    )
      continue;
    const referenced = referencedTypes(pair, service.node, types);
    if (referenced !== undefined) services.set(name, referenced);
  }
  return { types: unchanged, services };
}

/** The names of all errors, with "!" after those that a method lists. */
function errorNames({ errors }: Scope, services: Scope["services"]): string {
  const listed = new Set(services.flatMap(({ node }) => errorsListedBy(node)));
  return errors
    .map(({ node: { name } }) => (listed.has(name.text) ? `${name.text}!` : name.text))
    .sort()
    .join();
}

interface Pair {
  readonly one: Scope;
  readonly other: Scope;
}

interface References {
  readonly names: readonly string[];
  /** Aliases and map keys, which are resolved where they are used, so they must be unchanged too. */
  readonly inner: readonly string[];
}

type Texts = ReadonlyMap<object, string>;

function textsOf(scope: Scope): Texts {
  return new Map(scope.allFiles().flatMap((file) => [...declarationTexts(file)]));
}

interface TextItem {
  readonly node: TypeDeclarationNode | ServiceNode;
  readonly file: SchemaFile;
}

function isSameText([ones, others]: readonly [Texts, Texts], one: TextItem, other: TextItem): boolean {
  const text = ones.get(one.node);
  return text !== undefined && text === others.get(other.node);
}

function typesIn(node: TypeDeclarationNode): readonly TypeNode[] {
  switch (node.kind) {
    case "struct":
      return node.fields.map(({ type }) => type);
    case "alias":
      return [node.type];
    case "enum":
      return [];
  }
}

/** Undefined if a name has another kind in the other version. */
function referencesOf(pair: Pair, types: readonly TypeNode[]): References | undefined {
  const names = new Set<string>();
  const inner = new Set<string>();
  const waiting: { readonly type: TypeNode; readonly isKey: boolean }[] = types.map((type) => ({
    type,
    isKey: false,
  }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { type, isKey } = next;
    if (type.kind === "missing") return undefined;
    if (type.kind === "list") waiting.push({ type: type.element, isKey });
    else if (type.kind === "map")
      waiting.push({ type: type.key, isKey: true }, { type: type.value, isKey: false });
    else if (!isCoreType(type.name)) {
      const kind = pair.one.typeByName.get(type.name)?.node.kind;
      if (kind === undefined || pair.other.typeByName.get(type.name)?.node.kind !== kind) return undefined;
      // Files in a struct are compared when the method is, not when the struct is.
      if ([pair.one, pair.other].some((scope) => structWithFiles(type, scope) !== undefined))
        return undefined;
      names.add(type.name);
      if (isKey || kind === "alias") inner.add(type.name);
    }
  }
  return { names: [...names], inner: [...inner] };
}

/** Removes types that depend, directly or indirectly, on a changed alias or key. */
function dropDependents(types: Map<string, References>): void {
  const dependents = new Map<string, string[]>();
  for (const [name, { inner }] of types) {
    for (const each of inner) {
      const known = dependents.get(each);
      if (known === undefined) dependents.set(each, [name]);
      else known.push(name);
    }
  }
  const changed = [...dependents.keys()].filter((name) => !types.has(name));
  for (let name = changed.pop(); name !== undefined; name = changed.pop()) {
    for (const dependent of dependents.get(name) ?? []) if (types.delete(dependent)) changed.push(dependent);
  }
}

function referencedTypes(
  pair: Pair,
  { methods }: ServiceNode,
  types: ReadonlyMap<string, References>,
): ReferencedTypes | undefined {
  const referenced = { request: new Set<string>(), response: new Set<string>() };
  for (const { input, output } of methods) {
    const sides = { request: payloadTypes(pair, input), response: responseTypes(pair, output) };
    for (const side of ["request", "response"] as const) {
      const payload = sides[side];
      const references = payload === undefined ? undefined : referencesOf(pair, payload);
      if (references === undefined || !references.inner.every((name) => types.has(name))) return undefined;
      for (const name of references.names) referenced[side].add(name);
    }
  }
  return { request: [...referenced.request], response: [...referenced.response] };
}

function payloadTypes({ one }: Pair, { succinct, list }: ArgumentsNode): readonly TypeNode[] | undefined {
  if (succinct === undefined)
    return list.filter(({ type }) => fileForm(type) === undefined).map(({ type }) => type);
  // The succinct form ignores letter case, so only an exact match is certain.
  if (one.typeByName.get(succinct.text)?.node.kind !== "struct") return undefined;
  return [{ kind: "named", name: succinct.text, span: succinct.span }];
}

function responseTypes(pair: Pair, output: ArgumentsNode): readonly TypeNode[] | undefined {
  const areFiles = [pair.one, pair.other].map((scope) => isFileOutput(output, scope));
  if (areFiles[0] !== areFiles[1]) return undefined;
  return areFiles[0] === true ? [] : payloadTypes(pair, output);
}

/** A reader of the earlier version that omits the contents of unchanged declarations. */
export interface ReducedSource {
  readonly reader: SourceReader;
  /** Declarations whose contents were omitted, filled while files are read: `struct Pet`, `service Pets`. */
  readonly omitted: ReadonlySet<string>;
}

/**
 * Empties structs and services whose text is the same in the new version, because parsing them again is most of the work of a
 * comparison. Line numbers stay the same. Declarations in `keptWhole` are not reduced.
 */
function omitUnchanged(
  reader: SourceReader,
  newScopes: readonly Scope[],
  keptWhole: ReadonlySet<string>,
): ReducedSource {
  const known = textsByName(newScopes);
  const omitted = new Set<string>();
  const reduced = (text: string): string => {
    const parts = text.split(declarationStart);
    return parts
      .map((part) => {
        const [, kind, word] = /^(struct|service)[ \t]+(\w+)/.exec(part) ?? [];
        const name = `${kind} ${word}`;
        if (kind === undefined || keptWhole.has(name) || known.get(name) !== part.trimEnd()) return part;
        const rest = kind === "struct" ? withoutFields(part) : withoutMethods(part);
        if (rest !== part) omitted.add(name);
        return rest;
      })
      .join("");
  };
  const read = (path: string): ReadResult => {
    const found = reader.read(path);
    if (found.kind !== "bytes" || !path.endsWith(".ridl") || !isUtf8(found.bytes)) return found;
    return { kind: "bytes", bytes: Buffer.from(reduced(Buffer.from(found.bytes).toString())) };
  };
  return { reader: { ...reader, read }, omitted };
}

/** The start of a line that may begin a header, an import or a declaration. False matches are harmless: their text differs from every declaration. */
const declarationStart = /^(?=[a-z])/m;

/** Keeps `struct Pet` and empties all lines after it. */
function withoutFields(struct: string): string {
  return blankLinesFrom(struct, struct.indexOf("\n"));
}

/**
 * Keeps the first method, because a service needs one, and empties the lines after it. Changes nothing if the method spans several
 * lines.
 */
function withoutMethods(service: string): string {
  const first =
    /^[ \t]*-[ \t]*(?:stream[ \t]+)?\w+\([^()\n]*\)(?:[ \t]*=>[ \t]*(?:stream[ \t]+)?\([^()\n]*\))?[^()\n]*$/m.exec(
      service,
    );
  return first === null ? service : blankLinesFrom(service, first.index + first[0].length);
}

function blankLinesFrom(text: string, start: number): string {
  return start === -1 ? text : text.slice(0, start) + text.slice(start).replace(/[^\n]+/g, "");
}

function textsByName(scopes: readonly Scope[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const duplicates = new Set<string>();
  for (const { file } of scopes) {
    for (const [node, text] of declarationTexts(file)) {
      if (node.kind !== "struct" && node.kind !== "service") continue;
      const name = `${node.kind} ${node.kind === "struct" ? node.name.text : node.name.value}`;
      if (texts.has(name)) duplicates.add(name);
      texts.set(name, text);
    }
  }
  for (const name of duplicates) texts.delete(name);
  return texts;
}

/**
 * The text of each declaration in a RIDL file, up to the next declaration. A comment above the next declaration is included, which can
 * only make more declarations differ. Empty for YAML and IR files, where a declaration may depend on text elsewhere.
 */
const declarationTexts: (file: SchemaFile) => ReadonlyMap<Declaration, string> = memoize((file) => {
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

export interface EarlierVersion {
  readonly diagnostics: Compilation["diagnostics"];
  /** Absent if there is an error. */
  readonly version?: {
    readonly compiled: CompiledSchema;
    readonly model: Model;
    readonly unchanged: Unchanged;
  };
}

interface EarlierOptions {
  readonly hashParity?: boolean;
  /** Fetches the files that the last attempt did not find; `true` if it fetched any. */
  readonly fetchMissing: () => Promise<boolean>;
}

/** After this number of attempts, the earlier version is read completely. */
const maxAttempts = 4;

/** Compiles the earlier version of a schema. Leaves out unchanged declarations if there is a new version to compare with. */
export async function readEarlierVersion(
  path: string,
  reader: SourceReader,
  now: CompiledSchema | undefined,
  options: EarlierOptions,
): Promise<EarlierVersion> {
  const keptWhole = new Set(now?.scopes.flatMap(basesOf));
  let isReduced = now !== undefined;
  for (let attempt = 1; ; attempt++) {
    const mayOmit = isReduced && now !== undefined && attempt <= maxAttempts;
    const reduced = mayOmit
      ? omitUnchanged(reader, now.scopes, keptWhole)
      : { reader, omitted: new Set<string>() };
    const { diagnostics, result } = await compileAll(path, reduced.reader, options);
    if (result === undefined && reduced.omitted.size > 0) {
      // A route may name a field of a struct whose fields were left out.
      isReduced = false;
      continue;
    }
    if (result === undefined) return { diagnostics };
    if (now === undefined)
      return {
        diagnostics,
        version: { compiled: result, model: result.model, unchanged: nothingUnchanged },
      };
    const unchanged = findUnchanged(now.scope, result.scope, reduced.omitted);
    // The text of a declaration may be the same although a type that it depends on changed.
    const isSame = (declaration: string): boolean => {
      const [kind, name = ""] = declaration.split(" ");
      return kind === "struct" ? unchanged.types.has(name) : unchanged.services.has(name);
    };
    const bases = new Set(result.scopes.flatMap(basesOf));
    const changed = [...reduced.omitted].filter((one) => bases.has(one) || !isSame(one));
    if (changed.length === 0) {
      const model = withOmitted(result.model, now.model, reduced.omitted);
      return { diagnostics, version: { compiled: result, model, unchanged } };
    }
    for (const declaration of changed) keptWhole.add(declaration);
  }
}

/** The structs that others are derived from, such as `struct Pet`. Without their fields, nothing can be derived. */
function basesOf(scope: Scope): readonly string[] {
  return scope.file.declarations.filter(isDerivation).flatMap(({ type }) => {
    const base = structOf(type, scope);
    if (base === undefined) return [];
    const { name } = isDerived(base) ? base.source.node : base;
    return [`struct ${name.text}`];
  });
}

async function compileAll(
  path: string,
  reader: SourceReader,
  { hashParity = false, fetchMissing }: EarlierOptions,
): Promise<Compilation> {
  for (;;) {
    const compilation = compile(path, reader, { hashParity });
    if (!(await fetchMissing())) return compilation;
  }
}

/** Fills in the omitted structs and error lists from the new version, where they are the same. */
function withOmitted(model: Model, now: Model, omitted: ReadonlySet<string>): Model {
  const completed = (type: TypeModel): TypeModel =>
    omitted.has(`struct ${type.name}`) ? (now.typeByName.get(type.name) ?? type) : type;
  const types = model.types.map(completed);
  const listed = new Map(now.services.map((service) => [service.name, service]));
  const services = model.services.map((service) => {
    const same = omitted.has(`service ${service.name}`) ? listed.get(service.name) : undefined;
    return same === undefined ? service : { ...service, listedErrors: same.listedErrors };
  });
  return { ...model, types, services, typeByName: new Map(types.map((type) => [type.name, type])) };
}
