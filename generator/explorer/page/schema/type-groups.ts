/** Groups the types of a contract by the services whose methods use them. */
import type { Ir, IrMethod, IrType } from "./ir.ts";

export interface TypeGroup {
  readonly title: string;
  readonly types: readonly IrType[];
}

/** Each type once: with its service, with those that several services use, or with those that none uses. */
export function groupTypes(ir: Ir): readonly TypeGroup[] {
  const uses = ir.services.map(({ name, methods }) => ({ name, types: typesOf(ir, methods) }));
  const usersOf = ({ name }: IrType): number => uses.filter(({ types }) => types.has(name)).length;
  const groups: readonly TypeGroup[] = [
    ...uses.map(({ name, types }) => ({
      title: name,
      types: ir.types.filter((type) => types.has(type.name) && usersOf(type) === 1),
    })),
    { title: "Several services", types: ir.types.filter((type) => usersOf(type) > 1) },
    { title: "No service", types: ir.types.filter((type) => usersOf(type) === 0) },
  ];
  return groups.filter(({ types }) => types.length > 0);
}

/** Names of all types that requests and responses contain, at any depth. */
function typesOf(ir: Ir, methods: readonly IrMethod[]): ReadonlySet<string> {
  const all = new Map(ir.types.map((type) => [type.name, type]));
  const found = new Set<string>();
  const waiting = methods.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map(({ type }) => type));
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    // The base type of an enum, and names such as `map` and `string`, are no types of the contract.
    for (const name of text.match(/[\w.]+/g) ?? []) {
      const type = all.get(name);
      if (type === undefined || found.has(name)) continue;
      found.add(name);
      waiting.push(type.type ?? "", ...(type.fields ?? []).map((field) => field.type ?? ""));
    }
  }
  return found;
}
