import { isCoreType } from "../../language/model/core-types/index.ts";
import { fileForm, isFileOutput } from "../../language/model/files.ts";
import { errorsListedBy } from "../../language/model/listed-errors.ts";
import type { Scope, TypeDeclarationNode } from "../../language/model/scope.ts";
import type { ArgumentsNode, SchemaFile, ServiceNode, TypeNode } from "../../language/syntax/tree.ts";
import { declarationTexts } from "./declaration-texts.ts";

/** Names of the types that requests and answers of a service lead to. */
export interface ReferencedTypes {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/**
 * What both versions say word for word and mean the same by: nothing in it can break, only what it leads to. Most of a large
 * schema is that, and its models need not be made. Whatever is in doubt is not in here, and is compared.
 */
export interface Unchanged {
  /** The declared types that a type refers to. */
  readonly types: ReadonlyMap<string, readonly string[]>;
  readonly services: ReadonlyMap<string, ReferencedTypes>;
}

export const nothingUnchanged: Unchanged = { types: new Map(), services: new Map() };

/** `same`: what the other version is known to have with the same text, though its tree may lack it: `struct Pet`. */
export function findUnchanged(one: Scope, other: Scope, same: ReadonlySet<string> = new Set()): Unchanged {
  const texts = [textsOf(one), textsOf(other)] as const;
  const pair = { one, other };
  const types = new Map<string, References>();
  for (const [name, { node, file }] of one.typeByName) {
    const twin = other.typeByName.get(name);
    if (twin === undefined || twin.node.kind !== node.kind) continue;
    if (!same.has(`${node.kind} ${name}`) && !isSameText(texts, { node, file }, twin)) continue;
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
  // An error that only one of them has, or that no method of only one of them lists, may be one of any method.
  if (errorNames(one, one.services) !== errorNames(other, others)) return { types: unchanged, services };
  const twins = new Map(other.services.map((service) => [service.node.name.value, service]));
  for (const service of one.services) {
    const twin = twins.get(service.node.name.value);
    const name = service.node.name.value;
    if (twin === undefined || (!same.has(`service ${name}`) && !isSameText(texts, service, twin))) continue;
    const leads = referencedTypes(pair, service.node, types);
    if (leads !== undefined) services.set(name, leads);
  }
  return { types: unchanged, services };
}

/** All errors by name, with a mark on those that methods list. */
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
  /** Those that are seen through where they are named, aliases and enums that are keys: they must be unchanged themselves. */
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

/** `undefined` if a name does not mean the same sort of thing in both versions. */
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
      names.add(type.name);
      if (isKey || kind === "alias") inner.add(type.name);
    }
  }
  return { names: [...names], inner: [...inner] };
}

/** Takes out what is seen through to something that has changed, and what is seen through to that. */
function dropDependents(types: Map<string, References>): void {
  const dependents = new Map<string, string[]>();
  for (const [name, { inner }] of types) {
    for (const each of inner) {
      const known = dependents.get(each);
      if (known === undefined) dependents.set(each, [name]);
      else known.push(name);
    }
  }
  const gone = [...dependents.keys()].filter((name) => !types.has(name));
  for (let name = gone.pop(); name !== undefined; name = gone.pop()) {
    for (const dependent of dependents.get(name) ?? []) if (types.delete(dependent)) gone.push(dependent);
  }
}

function referencedTypes(
  pair: Pair,
  { methods }: ServiceNode,
  types: ReadonlyMap<string, References>,
): ReferencedTypes | undefined {
  const leads = { request: new Set<string>(), response: new Set<string>() };
  for (const { input, output } of methods) {
    const sides = { request: payloadTypes(pair, input), response: answerTypes(pair, output) };
    for (const side of ["request", "response"] as const) {
      const payload = sides[side];
      const references = payload === undefined ? undefined : referencesOf(pair, payload);
      if (references === undefined || !references.inner.every((name) => types.has(name))) return undefined;
      for (const name of references.names) leads[side].add(name);
    }
  }
  return { request: [...leads.request], response: [...leads.response] };
}

function payloadTypes({ one }: Pair, { succinct, list }: ArgumentsNode): readonly TypeNode[] | undefined {
  if (succinct === undefined)
    return list.filter(({ type }) => fileForm(type) === undefined).map(({ type }) => type);
  // The succinct form finds a struct in any case of letters; only its very name is sure here.
  if (one.typeByName.get(succinct.text)?.node.kind !== "struct") return undefined;
  return [{ kind: "named", name: succinct.text, span: succinct.span }];
}

function answerTypes(pair: Pair, output: ArgumentsNode): readonly TypeNode[] | undefined {
  const areFiles = [pair.one, pair.other].map((scope) => isFileOutput(output, scope));
  if (areFiles[0] !== areFiles[1]) return undefined;
  return areFiles[0] === true ? [] : payloadTypes(pair, output);
}
