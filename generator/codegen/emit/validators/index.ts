import { unconstrained } from "../../../language/model/meta/read.ts";
import type { EmittedFile } from "../../options.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import { reachable, sharedNames } from "../../plan/type-graph.ts";
import { versionFolders } from "../../plan/versions/steps.ts";
import { contractCheck, Imports } from "../imports.ts";
import { header, literal, withoutTexts } from "../text.ts";
import { type Dialect, indent, javascript, joinElse } from "./code.ts";
import { FunctionRegistry, type ValidatorDeclaration } from "./function-registry.ts";
import { WriterRegistry } from "./write.ts";

/**
 * Emits `validators.ts`: a function for each request that decodes it in place, one that checks each response, and one
 * that copies its declared fields.
 */
export function emitValidators(plan: Plan): readonly EmittedFile[] {
  const { requests, responses, errorData, requestFunctions, responseFunctions } = validatorsOf(plan);
  const exported = new Set([
    ...namesOf([...requests, ...responses, ...errorData]),
    ...keptValidators(plan).flatMap(({ imported }) => imported.get("") ?? []),
  ]);
  const head = [
    header(plan.schemaFile),
    ...runtimeImport([...requestFunctions, ...responseFunctions]),
    'import type { RequestValidators, ResponseValidators } from "ridlkit-runtime/validation";',
  ];
  const blocks = [
    head,
    [contractCheck],
    ...blocksOf(requestFunctions, exported),
    tableOf("requests", "RequestValidators", requests),
    ...blocksOf(responseFunctions, exported),
    tableOf("responses", "ResponseValidators", responses),
    ...(errorData.length === 0 ? [] : [tableOf("errorData", "ResponseValidators", errorData)]),
  ];
  return [{ path: "validators.ts", text: textOfBlocks(blocks) }];
}

/** The validators of a version. */
interface VersionValidators {
  readonly requests: readonly Entry[];
  readonly responses: readonly Entry[];
  readonly errorData: readonly Entry[];
  readonly requestFunctions: readonly ValidatorDeclaration[];
  readonly responseFunctions: readonly ValidatorDeclaration[];
}

/** `isKept`: responses are not checked, because their conversion is. */
function validatorsOf(plan: Plan, isKept = false): VersionValidators {
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
  const checks = isKept ? [] : bodyFunctions(checkers, [...responses, ...errorData]);
  const responseFunctions = [...checks, ...writers.printAll()];
  return { requests, responses, errorData, requestFunctions, responseFunctions };
}

/* Kept versions: the validators that differ from those of the next version. */

/** What the validators of a kept version export. */
interface KeptValidators {
  readonly text: string;
  /** Names of the tables with entries. */
  readonly tables: readonly string[];
  /** Names of other versions' declarations by folder, which is "" for the current version. */
  readonly imported: ReadonlyMap<string, readonly string[]>;
}

const keptByPlan = new WeakMap<Plan, readonly KeptValidators[]>();

/** Returns the validators of each kept version, the oldest first. */
export function keptValidators(plan: Plan): readonly KeptValidators[] {
  const kept = keptByPlan.get(plan) ?? planKeptValidators(plan);
  keptByPlan.set(plan, kept);
  return kept;
}

function planKeptValidators(plan: Plan): readonly KeptValidators[] {
  if (plan.earlier.length === 0) return [];
  const folders = versionFolders(plan);
  let next = validatorsOf(plan);
  /** The folder of each declaration of the next version. */
  let homes: ReadonlyMap<string, string> = new Map(declarationsIn(next).map(({ name }) => [name, ""]));
  const kept: KeptValidators[] = [];
  for (const [index, earlier] of [...plan.earlier.entries()].reverse()) {
    const own = validatorsOf(earlier, true);
    const folder = folders[index] ?? "";
    const declared = new Map(declarationsIn(own).map((one) => [one.name, namesIn(one)]));
    const shared = sharedNames(declarationsIn(own), declarationsIn(next), namesIn);
    const changes = (entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] =>
      entries.filter(
        ({ key, names, text }) =>
          !names.every((name) => !declared.has(name) || shared.has(name)) ||
          !others.some((other) => other.key === key && other.text === text),
      );
    const tables = {
      requests: changes(own.requests, next.requests),
      responses: changes(own.responses, next.responses),
      errorData: changes(own.errorData, next.errorData),
    };
    const wanted = namesOf(Object.values(tables).flat());
    const used = reachable(wanted, new Map([...declared].filter(([name]) => !shared.has(name))));
    const isPrinted = ({ name }: ValidatorDeclaration): boolean => used.has(name) && !shared.has(name);
    const imported = new Map<string, string[]>();
    for (const name of used)
      if (shared.has(name)) {
        const home = homes.get(name) ?? "";
        imported.set(home, [...(imported.get(home) ?? []), name]);
      }
    homes = new Map(
      [...declared.keys()].map((name) => [name, shared.has(name) ? (homes.get(name) ?? "") : folder]),
    );
    kept.unshift({
      text: keptText(earlier, tables, declarationsIn(own).filter(isPrinted), imported),
      tables: Object.entries(tables).flatMap(([name, entries]) => (entries.length === 0 ? [] : [name])),
      imported,
    });
    next = own;
  }
  return kept;
}

function keptText(
  { schemaFile }: Plan,
  tables: Readonly<Record<"requests" | "responses" | "errorData", readonly Entry[]>>,
  printed: readonly ValidatorDeclaration[],
  imported: KeptValidators["imported"],
): string {
  const imports = new Imports([]);
  for (const [folder, names] of imported)
    for (const name of names)
      imports.value(folder === "" ? "../../validators.ts" : `../${folder}/validators.ts`, name);
  const types: string[] = [];
  const entriesOf = (name: keyof typeof tables, type: string): readonly (readonly string[])[] => {
    const entries = tables[name].map(({ key, writes, text }) => ({ key, text: writes ?? text }));
    if (entries.length === 0) return [];
    types.push(type);
    return [tableOf(name, type, entries)];
  };
  const printedTables = [
    ...entriesOf("requests", "RequestValidators"),
    ...entriesOf("responses", "ResponseWriters"),
    ...entriesOf("errorData", "ResponseWriters"),
  ];
  for (const type of types) imports.type("ridlkit-runtime/validation", type);
  const head = [header(schemaFile), ...runtimeImport(printed), ...imports.lines()];
  // Kept versions that are older import the functions.
  const exported = new Set(printed.map(({ name }) => name));
  return textOfBlocks([head, ...blocksOf(printed, exported), ...printedTables]);
}

function declarationsIn(validators: VersionValidators): readonly ValidatorDeclaration[] {
  return [...validators.requestFunctions, ...validators.responseFunctions];
}

/** The names that a declaration may refer to, without those in texts and the keys of objects. */
function namesIn({ lines }: ValidatorDeclaration): readonly string[] {
  return [...withoutTexts(lines.join("\n")).matchAll(/[A-Za-z_$][\w$]*(?![\w$]*:)/g)].map(([name]) => name);
}

/** The validators of one method, or of the data of an error. */
interface Entry {
  /** The path of the method, or the name of the error. */
  readonly key: string;
  readonly typeName: string;
  readonly names: readonly string[];
  readonly text: string;
  /** Of a response: the function that copies it. */
  readonly writes?: string;
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
  return {
    key,
    typeName,
    names: [check, write],
    text: `{ check: ${check}, write: ${write} }`,
    writes: write,
  };
}

/** Prints a function for each body, and everything that it uses. */
function bodyFunctions(
  registry: FunctionRegistry,
  entries: readonly Pick<Entry, "typeName">[],
): readonly ValidatorDeclaration[] {
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

function tableOf(
  name: string,
  type: string,
  entries: readonly Pick<Entry, "key" | "text">[],
): readonly string[] {
  return [
    `export const ${name}: ${type} = {`,
    ...indent(entries.map(({ key, text }) => `${literal(key)}: ${text},`)),
    "};",
  ];
}

/** Returns the constants as one block, followed by the functions. */
function blocksOf(
  declared: readonly ValidatorDeclaration[],
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
function runtimeImport(declared: readonly ValidatorDeclaration[]): readonly string[] {
  const functions = declared.filter(({ lines }) => !isConstant(lines));
  return functions.some(usesRuntime) ? ['import * as v from "ridlkit-runtime/validation";'] : [];
}

function usesRuntime({ lines }: ValidatorDeclaration): boolean {
  return lines.some((line) => /\bv\./.test(withoutTexts(line)));
}

function isConstant([first = ""]: readonly string[]): boolean {
  return first.startsWith("const ");
}
