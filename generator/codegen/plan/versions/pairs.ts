/** Pairs the methods and fields of two versions of a schema. */
import { isOmitted, type Plan, type PlannedField, type PlannedMethod } from "../plan.ts";

export interface MethodPair {
  readonly before: PlannedMethod;
  readonly after: PlannedMethod;
}

/**
 * Pairs methods by name, or by `@renamedFrom:Old` or `@renamedFrom:Service.Old`. Methods whose calls have another form in the
 * new version are not paired, for example if the response became a stream.
 */
export function pairMethods(before: Plan, after: Plan): readonly MethodPair[] {
  const old = methodsByName(before);
  const renames = new Map<string, PlannedMethod>();
  const now = methodsByName(after);
  for (const [name, method] of now) {
    const from = method.annotations.get("renamedFrom");
    if (from === undefined || old.has(name)) continue;
    const service = name.slice(0, name.lastIndexOf("."));
    renames.set(from.includes(".") ? from : `${service}.${from}`, method);
  }
  return [...old].flatMap(([name, method]) => {
    const other = renames.get(name) ?? now.get(name);
    return other !== undefined && isCallableAs(method, other) ? [{ before: method, after: other }] : [];
  });
}

function methodsByName({ services }: Plan): ReadonlyMap<string, PlannedMethod> {
  const named = services.flatMap(({ name, methods }) =>
    methods.map((method) => [`${name}.${method.name}`, method] as const),
  );
  return new Map(named);
}

function isCallableAs(before: PlannedMethod, after: PlannedMethod): boolean {
  return (
    !isOmitted(before) &&
    !isOmitted(after) &&
    before.streamOutput === after.streamOutput &&
    before.fileOutput === after.fileOutput
  );
}

/**
 * Returns the old name of each new field that existed before. Pairs fields by `renamedFrom`, by name, or because one
 * version accepts or writes the name of the other as `alias` or `twin`.
 */
export function pairFields(
  before: readonly PlannedField[],
  after: readonly PlannedField[],
): ReadonlyMap<string, string> {
  const old = new Map(before.map((field) => [field.wireName, field]));
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (field: PlannedField, name: string | undefined): void => {
    if (name === undefined || pairs.has(field.wireName) || taken.has(name) || !old.has(name)) return;
    pairs.set(field.wireName, name);
    taken.add(name);
  };
  for (const field of after) if (!old.has(field.wireName)) pair(field, field.constraints.renamedFrom);
  for (const field of after) pair(field, field.wireName);
  for (const field of after)
    for (const name of [...field.aliases, ...field.twins, ...namesOfOld(before, field)]) pair(field, name);
  return pairs;
}

function namesOfOld(before: readonly PlannedField[], { wireName }: PlannedField): readonly string[] {
  const others = before.filter(
    ({ aliases, twins }) => aliases.includes(wireName) || twins.includes(wireName),
  );
  return others.map((field) => field.wireName);
}
