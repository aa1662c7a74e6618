import type { Contract, ContractMethod, ContractService } from "./contract.ts";

/** Lies in the folder of the handlers, and belongs into version control: without it a renamed method is a new one and an orphan. */
export const recordName = ".ridlkit-handlers.json";

/** What the handlers were last brought in line with. */
export interface HandlerRecord {
  /** The generated folder, from that of the handlers. */
  readonly generated: string;
  readonly contract: Contract;
}

/** One line a method and a type, sorted, so that a change of the schema is a small change of it. */
export function writeRecord({ generated, contract }: HandlerRecord): string {
  const services = sorted(contract.services).map(
    ([name, { handlers, module, methods }]) =>
      `  ${JSON.stringify(name)}: { "handlers": ${JSON.stringify(handlers)}, "module": ${JSON.stringify(module)}, "methods": {${block(methods, "   ")}} }`,
  );
  return [
    "{",
    ` "generated": ${JSON.stringify(generated)},`,
    ` "services": {${lines(services, " ")}},`,
    ` "types": {${block(contract.types, "  ")}}`,
    "}",
    "",
  ].join("\n");
}

function block(entries: Readonly<Record<string, unknown>>, indent: string): string {
  const texts = sorted(entries).map(
    ([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return lines(texts, indent.slice(1));
}

function lines(texts: readonly string[], end: string): string {
  return texts.length === 0 ? "" : `\n${texts.join(",\n")}\n${end}`;
}

function sorted<Value>(entries: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `undefined` for a text that is no record, as after a merge of two branches that went wrong. */
export function readRecord(text: string): HandlerRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value["generated"] !== "string") return undefined;
    const { services, types } = value;
    if (!isObject(services) || !Object.values(services).every(isService)) return undefined;
    if (!isObject(types) || !Object.values(types).every((shape) => typeof shape === "string"))
      return undefined;
    return { generated: value["generated"], contract: { services, types } as unknown as Contract };
  } catch {
    return undefined;
  }
}

function isService(value: unknown): value is ContractService {
  if (!isObject(value) || !isObject(value["methods"])) return false;
  const hasTexts = ["handlers", "module"].every((key) => typeof value[key] === "string");
  return hasTexts && Object.values(value["methods"]).every(isMethod);
}

function isMethod(value: unknown): value is ContractMethod {
  const keys = ["functionName", "request", "response", "shape"];
  return isObject(value) && keys.every((key) => typeof value[key] === "string");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
