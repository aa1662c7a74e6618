import { isBytes, type MapKeyType, type ResolvedType } from "../../../language/model/types.ts";
import { constraintKey } from "../../plan/constraints.ts";
import { isMarkedField } from "../../plan/marked-fields.ts";
import { withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedAlias, PlannedEnumValue, PlannedField, PlannedType } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import { limitsClause } from "./limits-clause.ts";
import { docsText, type ServiceMethod } from "./methods.ts";
import type { Data } from "./print.ts";

/** Returns the types that methods use, as `McpType` of the runtime, by name and in the order of the schema. */
export function usedTypes(
  plan: Plan,
  methods: readonly ServiceMethod[],
): readonly (readonly [name: string, data: Data])[] {
  const finder = new TypeFinder(plan);
  const byName = new Map(plan.types.map((type) => [type.name, type]));
  const used = new Set<string>();
  const visit = (name: string): void => {
    const type = byName.get(name);
    if (type === undefined || used.has(name)) return;
    used.add(name);
    if (type.kind === "alias") for (const one of namesIn(type.type)) visit(one);
    if (type.kind === "struct")
      for (const field of type.fields) for (const one of namesIn(field.type)) visit(one);
  };
  for (const { method } of methods)
    for (const { typeName } of [method.request, method.response]) visit(typeName);
  return plan.types
    .filter(({ name }) => used.has(name))
    .map((type) => [withoutEscape(type.name), typeData(type, finder)]);
}

function namesIn(type: ResolvedType | MapKeyType): readonly string[] {
  switch (type.kind) {
    case "list":
      return namesIn(type.element);
    case "map":
      return [...namesIn(type.key), ...namesIn(type.value)];
    case "struct":
    case "enum":
    case "alias":
      return [type.name];
    default:
      return [];
  }
}

function typeData(type: PlannedType, finder: TypeFinder): Data {
  const docs = docsText(type.docs);
  switch (type.kind) {
    case "struct":
      return { kind: "struct", docs, fields: type.fields.map((field) => fieldData(field, finder)) };
    case "enum":
      return { kind: "enum", docs, values: type.values.map(valueData) };
    case "alias":
      return { kind: "alias", docs, type: nameOf(type.type), limits: aliasLimits(type, finder) };
  }
}

function valueData({ wire, docs }: PlannedEnumValue): Data {
  const text = docsText(docs);
  return text === undefined ? [wire] : [wire, text];
}

function aliasLimits({ constraints, type }: PlannedAlias, finder: TypeFinder): string | undefined {
  return limitsClause(constraints, finder.unaliased(type));
}

function fieldData(field: PlannedField, finder: TypeFinder): Data {
  const { wireName, type, docs, optional, nullable, constraints, aliases, twins, deprecated } = field;
  const isSecret = isMarkedField(field, finder, ({ secret }) => secret);
  // Limits of an alias are shown with the alias.
  const own =
    type.kind === "alias" && constraintKey(finder.alias(type.name).constraints) === constraintKey(constraints)
      ? undefined
      : limitsClause(constraints, finder.unaliased(type));
  const notes = [own, isSecret ? undefined : valuesText(field)].filter((note) => note !== undefined);
  return {
    name: wireName,
    type: nameOf(type),
    docs: docsText(docs),
    limits: notes.length === 0 ? undefined : notes.join(", "),
    isOptional: optional || nullable || field.default !== undefined || undefined,
    isSecret: isSecret || undefined,
    deprecated,
    aliases: aliases.length === 0 ? undefined : aliases,
    twins: twins.length === 0 ? undefined : twins,
  };
}

/** Describes the default of a field, and an example. */
function valuesText({ default: value, constraints: { examples } }: PlannedField): string | undefined {
  const notes = [
    ...(value === undefined ? [] : [`default ${typeof value === "bigint" ? value : JSON.stringify(value)}`]),
    ...examples.slice(0, 1).map((example) => `for example ${example}`),
  ];
  return notes.length === 0 ? undefined : notes.join(", ");
}

/** Prints a type as RIDL does, with `bytes` for `[]byte`. */
function nameOf(type: ResolvedType | MapKeyType): string {
  switch (type.kind) {
    case "list":
      return isBytes(type) ? "bytes" : `[]${nameOf(type.element)}`;
    case "map":
      return `map<${nameOf(type.key)},${nameOf(type.value)}>`;
    case "unknown":
      return "any";
    case "core":
      return type.name;
    default:
      return withoutEscape(type.name);
  }
}
