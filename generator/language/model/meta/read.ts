import type { AliasNode, MetaNode, StructNode, TypeNode } from "../../syntax/tree.ts";
import { coreTypes, isCoreType } from "../core-types.ts";
import type { Scope } from "../scope.ts";
import { type AcceptedForm, findMetaKey, isMetaKeyName, metaKeys, type Shape } from "./keys.ts";

/** The meta values that apply to a field or an alias, including those of its alias types. */
export interface Constraints {
  readonly pattern?: string;
  /** `bigint` if a number would lose digits. */
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  /** As written; `""` for `default.empty`. */
  readonly default?: string;
  readonly examples: readonly string[];
  /** The reason, if given. */
  readonly deprecated?: string | true;
  /** JSON forms accepted in addition to the type's own. */
  readonly accepts: readonly AcceptedForm[];
  readonly normalize?: "lowercase";
  /** `read`: null means absent. `always`: written as null, never omitted. */
  readonly nullable?: "read" | "always";
  readonly secret: boolean;
  readonly pii: boolean;
  readonly renamedFrom?: string;
  /** The message of issues. */
  readonly message?: string;
}

/** Used where no meta lines apply. */
export const unconstrained: Constraints = { examples: [], accepts: [], secret: false, pii: false };

/** Additional wire names of a field. */
export interface OtherNames {
  /** Accepted in requests as names of this field. */
  readonly aliases: readonly string[];
  /** Written in responses as copies of this field. */
  readonly twins: readonly string[];
}

/**
 * Returns the valid meta lines that apply to a type: its own lines, then those of its aliases from the outside in. Lines on a list
 * apply to the list; those of an alias of its items apply to the items.
 */
export function linesFor(
  own: readonly MetaNode[],
  type: TypeNode,
  scope: Scope,
): readonly (readonly MetaNode[])[] {
  return [own, ...aliasesOf(type, scope).map(({ meta }) => meta)].map((lines) => lines.filter(isValid));
}

function isConstraint({ key }: MetaNode): boolean {
  if (!isMetaKeyName(key.text)) return false;
  const { fieldOnly, aliasOnly } = metaKeys[key.text];
  return fieldOnly !== true && aliasOnly !== true;
}

/** Reads the lines of a type. For each key, the outermost line counts. */
export function constraintsOf(layers: readonly (readonly MetaNode[])[]): Constraints {
  if (!layers.some((lines) => lines.some(isConstraint))) return unconstrained;
  const last = (key: string): string | undefined => {
    for (const lines of layers) {
      const line = lines.findLast((meta) => meta.key.text === key);
      if (line !== undefined) return line.value.value;
    }
    return undefined;
  };
  const examples = layers.map((lines) => valuesOf(lines, "example")).find(({ length }) => length > 0) ?? [];
  return {
    ...ifDefined("pattern", last("pattern")),
    ...ifDefined("minimum", limitOf(last("minimum"))),
    ...ifDefined("maximum", limitOf(last("maximum"))),
    ...ifDefined("minLength", countOf(last("minLength"))),
    ...ifDefined("maxLength", countOf(last("maxLength"))),
    ...ifDefined("minItems", countOf(last("minItems"))),
    ...ifDefined("maxItems", countOf(last("maxItems"))),
    ...ifDefined("format", last("format")),
    ...ifDefined("default", last("default") ?? (last("default.empty") === "true" ? "" : undefined)),
    ...ifDefined("deprecated", deprecationOf(last("deprecated"))),
    ...ifDefined("normalize", last("normalize") as "lowercase" | undefined),
    ...ifDefined("nullable", last("nullable") as "read" | "always" | undefined),
    ...ifDefined("renamedFrom", last("renamedFrom")),
    ...ifDefined("message", last("message")),
    examples,
    accepts: (last("accepts")?.split(",") ?? []) as AcceptedForm[],
    secret: last("secret") === "true",
    pii: last("pii") === "true",
  };
}

function deprecationOf(text: string | undefined): string | true | undefined {
  if (text === undefined || /^false$/i.test(text)) return undefined;
  return text === "true" ? true : text;
}

/** Whether values of an alias differ from other values in TypeScript. An alias of a branded alias needs a line of its own. */
export function isBranded({
  meta,
}: {
  readonly meta: readonly { readonly key: string; readonly value: string }[];
}): boolean {
  return meta.some(({ key, value }) => key === "brand" && value === "true");
}

/** Returns the value of one key; the type's own lines win over those of its aliases. */
export function metaNumber(
  own: readonly MetaNode[],
  type: TypeNode,
  scope: Scope,
  key: string,
): number | bigint | undefined {
  for (const lines of [own, ...aliasesOf(type, scope).map(({ meta }) => meta)]) {
    const line = lines.findLast((meta) => meta.key.text === key);
    if (line !== undefined) return isValid(line) ? numberOf(line.value.value) : undefined;
  }
  return undefined;
}

export function readOtherNames(own: readonly MetaNode[]): OtherNames {
  if (!own.some(isOtherName)) return noOtherNames;
  const valid = own.filter(isValid);
  return { aliases: valuesOf(valid, "alias"), twins: valuesOf(valid, "twin") };
}

/** The line that names the error whose data has the type of this alias. */
export function errorDataOf({ meta }: AliasNode): MetaNode | undefined {
  return meta.findLast(({ key }) => key.text === "errorData");
}

function isOtherName({ key }: MetaNode): boolean {
  return key.text === "alias" || key.text === "twin";
}

const noOtherNames: OtherNames = { aliases: [], twins: [] };

const noAliases: readonly AliasNode[] = [];

/** Maximum length of a chain of aliases. Without a limit, thousands of chained aliases would take quadratic time. */
const maxAliasChain = 100;

/** Returns the aliases behind a type, outermost first, each once, since an alias may refer to itself. */
export function aliasesOf(type: TypeNode, scope: Scope): readonly AliasNode[] {
  const first = aliasOf(type, scope);
  if (first === undefined) return noAliases;
  const chain = new Set<AliasNode>();
  for (let at: AliasNode | undefined = first; at !== undefined; at = aliasOf(at.type, scope)) {
    if (chain.has(at) || chain.size === maxAliasChain) break;
    chain.add(at);
  }
  return [...chain];
}

function aliasOf(type: TypeNode, scope: Scope): AliasNode | undefined {
  if (type.kind !== "named" || isCoreType(type.name)) return undefined;
  const found = scope.typeByName.get(type.name)?.node;
  return found?.kind === "alias" ? found : undefined;
}

/** Whether a line has a known key and a valid value. A rule reports the others, and they have no effect. */
export function isValid(meta: MetaNode): boolean {
  return isMetaKeyName(meta.key.text) && findMetaKey(meta)?.expected(meta.value.value) === undefined;
}

function valuesOf(lines: readonly MetaNode[], key: string): string[] {
  return lines.filter((meta) => meta.key.text === key).map(({ value }) => value.value);
}

function ifDefined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}

function countOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function limitOf(text: string | undefined): number | bigint | undefined {
  return text === undefined ? undefined : numberOf(text);
}

/** `bigint` if a number would lose digits. */
export function numberOf(text: string): number | bigint {
  const value = Number(text);
  return /^-?[0-9]+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** Returns the struct behind all aliases. */
export function structOf(type: TypeNode, scope: Scope): StructNode | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  const found = end.kind === "named" ? scope.typeByName.get(end.name)?.node : undefined;
  return found?.kind === "struct" ? found : undefined;
}

/** Returns the shape behind all aliases; undefined if any value is allowed or the type is unknown. */
export function shapeOf(type: TypeNode, scope: Scope): Shape | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  if (end.kind === "missing") return undefined;
  if (end.kind !== "named") return end.kind;
  if (isCoreType(end.name)) return coreTypes[end.name].shape;
  const found = scope.typeByName.get(end.name)?.node.kind;
  if (found === "struct") return "struct";
  return found === "enum" ? "other" : undefined;
}
