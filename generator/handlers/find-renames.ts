import type { ContractMethod, ContractService, HandlersContract } from "./contract.ts";

/** Maps old names to new names. Omits items that kept their names or were removed. */
export interface Renames {
  readonly services: ReadonlyMap<string, string>;
  /** By old service and old method: `Shop.FindOrders` → `GetOrders`. */
  readonly methods: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
}

/** `Shop`, `GetOrders` → `Shop.GetOrders`. */
export function methodKey(service: string, method: string): string {
  return `${service}.${method}`;
}

/**
 * Compares the contract of the last run with the current one. `@renamedFrom:FindOrders` has priority. Otherwise, a removed name and a new
 * name belong together if they have the same shape and no other removed or new item has that shape.
 */
export function findRenames(before: HandlersContract, now: HandlersContract): Renames {
  const services = renamedServices(before, now);
  const methods = new Map<string, string>();
  const types = new Map<string, string>();
  for (const [oldName, old] of Object.entries(before.services)) {
    const service = now.services[services.get(oldName) ?? oldName];
    if (service === undefined) continue;
    for (const [from, to] of renamedMethods(old, service)) {
      methods.set(methodKey(oldName, from), to);
      addBodies(types, old.methods[from], service.methods[to], now);
    }
  }
  for (const [from, to] of pairsByShape(before.types, now.types)) if (!types.has(from)) types.set(from, to);
  return { services, methods, types };
}

/** Pairs names that exist in only one of the contracts and have the same unique shape. */
function pairsByShape(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): [string, string][] {
  const removed = groupByShape(Object.entries(before).filter(([name]) => !(name in now)));
  const added = groupByShape(Object.entries(now).filter(([name]) => !(name in before)));
  return [...removed].flatMap(([shape, [from, ...others]]): [string, string][] => {
    const [to, ...rivals] = added.get(shape) ?? [];
    if (from === undefined || to === undefined || others.length + rivals.length > 0) return [];
    return [[from, to]];
  });
}

function groupByShape(entries: readonly (readonly [string, string])[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, shape] of entries) {
    if (shape === "") continue;
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [name]);
    else group.push(name);
  }
  return groups;
}

/** A renamed service is recognized by the names of its methods. */
function renamedServices(before: HandlersContract, now: HandlersContract): Map<string, string> {
  const shapes = ({ services }: HandlersContract): Record<string, string> =>
    Object.fromEntries(
      Object.entries(services).map(([name, { methods }]) => [name, Object.keys(methods).sort().join(" ")]),
    );
  return new Map(pairsByShape(shapes(before), shapes(now)));
}

function renamedMethods(before: ContractService, now: ContractService): Map<string, string> {
  const declared = new Map<string, string>();
  for (const [name, { renamedFrom }] of Object.entries(now.methods))
    if (renamedFrom !== undefined && !(renamedFrom in now.methods)) declared.set(renamedFrom, name);
  const taken = new Set(declared.values());
  const shapes = ({ methods }: ContractService, skips: (name: string) => boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(methods).map(([name, { shape }]) => [name, skips(name) ? "" : shape]));
  const guessed = pairsByShape(
    shapes(before, (name) => declared.has(name)),
    shapes(now, (name) => taken.has(name)),
  );
  return new Map([...guessed, ...declared]);
}

/** The request and response types of a renamed method are often renamed with it. */
function addBodies(
  types: Map<string, string>,
  before: ContractMethod | undefined,
  now: ContractMethod | undefined,
  contract: HandlersContract,
): void {
  if (before === undefined || now === undefined) return;
  for (const side of ["request", "response"] as const)
    if (before[side] !== now[side] && !(before[side] in contract.types)) types.set(before[side], now[side]);
}
