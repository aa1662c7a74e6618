import { unconstrained } from "../../../language/model/meta/read.ts";
import type { EmittedFile } from "../../options.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import { contractCheck } from "../imports.ts";
import { header, literal } from "../text.ts";
import { type Dialect, indent, javascript, joinElse } from "./code.ts";
import { type Declaration, FunctionRegistry } from "./function-registry.ts";
import { WriterRegistry } from "./write.ts";

/**
 * Emits `validators.ts`: a function for each request that decodes it in place, one that checks each response, and one
 * that copies its declared fields.
 */
export function emitValidators(plan: Plan): readonly EmittedFile[] {
  const methods = plan.services.flatMap((service) => service.methods);
  const requests = requestsOf(methods);
  const writers = new WriterRegistry(plan);
  const responses = responsesOf(methods, writers);
  const errorData = plan.errors.flatMap(({ name, data }) =>
    data === undefined ? [] : [responseOf(name, data.typeName, writers)],
  );
  const readers = new FunctionRegistry(plan, "request");
  const checkers = new FunctionRegistry(plan, "response", { shared: readers });
  const requestFunctions = bodyFunctions(readers, requests);
  const responseFunctions = [...bodyFunctions(checkers, [...responses, ...errorData]), ...writers.printAll()];
  const head = [
    header(plan.schemaFile),
    ...runtimeImport([...requestFunctions, ...responseFunctions]),
    'import type { RequestValidators, ResponseValidators } from "ridlkit-runtime/validation";',
  ];
  const blocks = [
    head,
    [contractCheck],
    ...blocksOf(requestFunctions, namesOf(requests)),
    tableOf("requests", "RequestValidators", requests),
    ...blocksOf(responseFunctions, namesOf([...responses, ...errorData])),
    tableOf("responses", "ResponseValidators", responses),
    ...(errorData.length === 0 ? [] : [tableOf("errorData", "ResponseValidators", errorData)]),
  ];
  return [{ path: "validators.ts", text: textOfBlocks(blocks) }];
}

/** The validators of one method, or of the data of an error. */
interface Entry {
  /** The path of the method, or the name of the error. */
  readonly key: string;
  readonly typeName: string;
  readonly names: readonly string[];
  readonly text: string;
}

function requestsOf(methods: readonly PlannedMethod[]): readonly Entry[] {
  return methods.map(({ path, request: { typeName } }) => {
    const name = `read${typeName}`;
    return { key: path, typeName, names: [name], text: name };
  });
}

function responsesOf(methods: readonly PlannedMethod[], writers: WriterRegistry): readonly Entry[] {
  return methods.flatMap(({ path, response: { typeName }, fileOutput }) => {
    return fileOutput ? [] : [responseOf(path, typeName, writers)];
  });
}

function responseOf(key: string, typeName: string, writers: WriterRegistry): Entry {
  const check = `check${typeName}`;
  const write = writers.body(typeName);
  return { key, typeName, names: [check, write], text: `{ check: ${check}, write: ${write} }` };
}

/** Prints a function for each body, and everything that it uses. */
function bodyFunctions(
  registry: FunctionRegistry,
  entries: readonly Pick<Entry, "typeName">[],
): readonly Declaration[] {
  const prefix = registry.side === "request" ? "read" : "check";
  for (const typeName of new Set(entries.map((entry) => entry.typeName))) {
    const name = `${prefix}${typeName}`;
    registry.root(name, () => {
      const check = registry.check({ type: { kind: "struct", name: typeName }, constraints: unconstrained });
      const call = check.kind === "faults" ? check.call("value", "1") : "undefined";
      return [
        registry.dialect.function(name, { value: "unknown" }, "v.Issues | undefined"),
        `  return v.issuesOf(${call});`,
        "}",
      ];
    });
  }
  return registry.printAll();
}

/** Emits functions that check values as handlers see them. Returns nothing without types. */
export function emitChecks(plan: Plan, path: string, typeNames: readonly string[]): readonly EmittedFile[] {
  if (typeNames.length === 0) return [];
  const names = typeNames.map((typeName) => `check${typeName}`);
  const entries = typeNames.map((typeName) => ({ typeName }));
  const declared = bodyFunctions(new FunctionRegistry(plan, "response"), entries);
  const head = [header(plan.schemaFile), ...runtimeImport(declared)];
  return [{ path, text: textOfBlocks([head, ...blocksOf(declared, new Set(names))]) }];
}

/**
 * Returns the check of a method's requests as the body of a JavaScript function with the parameter `v`, the runtime's
 * `validation.ts`. The function returns the check.
 */
export function requestCheckCode(plan: Plan, method: PlannedMethod, dialect: Dialect = javascript): string {
  const entries = requestsOf([method]);
  const declared = bodyFunctions(new FunctionRegistry(plan, "request", { dialect }), entries);
  return [...declared.map(({ lines }) => textOf(lines)), `return ${entries[0]?.text};`].join("\n");
}

function textOf(lines: readonly string[]): string {
  return joinElse(lines).join("\n");
}

function textOfBlocks(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map(textOf).join("\n\n")}\n`;
}

function namesOf(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ names }) => names));
}

function tableOf(name: string, type: string, entries: readonly Entry[]): readonly string[] {
  return [
    `export const ${name}: ${type} = {`,
    ...indent(entries.map(({ key, text }) => `${literal(key)}: ${text},`)),
    "};",
  ];
}

/** Returns the constants as one block, followed by the functions. */
function blocksOf(
  declared: readonly Declaration[],
  exported: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const constants: string[] = [];
  const functions: (readonly string[])[] = [];
  for (const { name, lines } of declared) {
    const [first = "", ...rest] = lines;
    const own = exported.has(name) ? [`export ${first}`, ...rest] : lines;
    if (isConstant(lines)) constants.push(...own);
    else functions.push(own);
  }
  return constants.length === 0 ? functions : [constants, ...functions];
}

/** Imports the runtime if a function uses it. Constants never do. */
function runtimeImport(declared: readonly Declaration[]): readonly string[] {
  const functions = declared.filter(({ lines }) => !isConstant(lines));
  return functions.some(usesRuntime) ? ['import * as v from "ridlkit-runtime/validation";'] : [];
}

function usesRuntime({ lines }: Declaration): boolean {
  return lines.some((line) => /\bv\./.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')));
}

function isConstant([first = ""]: readonly string[]): boolean {
  return first.startsWith("const ");
}
