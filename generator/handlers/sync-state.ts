import { isJsonObject } from "../codegen/plan/json.ts";
import type { ContractMethod, ContractService, HandlersContract } from "./contract.ts";

/** Stored in the folder of the handlers and meant to be committed. Without it, a rename looks like a removal and an addition. */
export const syncStateFile = ".ridlkit-handlers.json";

/** The contract that the handlers matched after the last run. */
export interface SyncState {
  /** The generated folder, relative to the handlers. */
  readonly generated: string;
  readonly contract: HandlersContract;
}

/**
 * Writes one sorted entry per line. The comma is at the start of a line, so lines do not depend on each other. A change of the schema
 * changes few lines, and `merge=union` in .gitattributes can combine the lines of two branches in any order.
 */
export function writeSyncState({ generated, contract }: SyncState): string {
  const services = sorted(contract.services).flatMap(([service, { methods, ...details }]) => [
    { service, ...details },
    ...sorted(methods).map(([method, shape]) => ({ service, method, ...shape })),
  ]);
  const types = sorted(contract.types).map(([type, shape]) => ({ type, shape }));
  const lines = [...services, ...types].map((entry) => `,${JSON.stringify(entry)}`);
  return `${["[", JSON.stringify({ generated }), ...lines, "]"].join("\n")}\n`;
}

function sorted<Value>(entries: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Parses a sync state; undefined if it is invalid. Git's conflict markers are ignored. */
export function readSyncState(text: string): SyncState | undefined {
  try {
    const value: unknown = JSON.parse(text.replaceAll(conflictMark, ""));
    return Array.isArray(value) ? fromEntries(value) : undefined;
  } catch {
    return undefined;
  }
}

const conflictMark = /^(<{7}|[|]{7}|={7}|>{7})( .*)?\r?\n/gm;

/** If an entry occurs twice, as after a merge, the last one counts. */
function fromEntries([head, ...entries]: readonly unknown[]): SyncState | undefined {
  if (!isJsonObject(head) || typeof head["generated"] !== "string") return undefined;
  const services = new Map<string, object>();
  const methods = new Map<string, Map<string, unknown>>();
  const types = new Map<string, unknown>();
  for (const entry of entries) {
    if (!isJsonObject(entry)) return undefined;
    const { type, service, method, ...details } = entry;
    if (typeof type === "string") types.set(type, details["shape"]);
    else if (typeof service !== "string") return undefined;
    else if (typeof method !== "string") services.set(service, details);
    else methods.set(service, (methods.get(service) ?? new Map()).set(method, details));
  }
  const withMethods = [...services].map(
    ([name, details]) =>
      [name, { ...details, methods: Object.fromEntries(methods.get(name) ?? []) }] as const,
  );
  if (!withMethods.every(([, service]) => isService(service))) return undefined;
  if (![...types.values()].every((shape) => typeof shape === "string")) return undefined;
  const contract = { services: Object.fromEntries(withMethods), types: Object.fromEntries(types) };
  return { generated: head["generated"], contract: contract as unknown as HandlersContract };
}

function isService(value: unknown): value is ContractService {
  if (!isJsonObject(value) || !isJsonObject(value["methods"])) return false;
  return typeof value["handlers"] === "string" && Object.values(value["methods"]).every(isMethod);
}

function isMethod(value: unknown): value is ContractMethod {
  const keys = ["functionName", "request", "response", "shape"];
  return isJsonObject(value) && keys.every((key) => typeof value[key] === "string");
}
