import type { PlannedType } from "./plan.ts";

/** Returns the names of all enums, and of the aliases of an enum. */
export function enumNames(types: readonly PlannedType[]): ReadonlySet<string> {
  const found = new Set<string>();
  const aliases = new Map<string, string[]>();
  for (const type of types) {
    if (type.kind === "enum") found.add(type.name);
    if (type.kind !== "alias" || (type.type.kind !== "enum" && type.type.kind !== "alias")) continue;
    const { name } = type.type;
    aliases.set(name, [...(aliases.get(name) ?? []), type.name]);
  }
  // Iterating a Set includes elements added during the loop.
  for (const name of found) for (const alias of aliases.get(name) ?? []) found.add(alias);
  return found;
}
