import type { EmittedFile } from "../../options.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import { reachable, sharedNames } from "../../plan/type-graph.ts";
import { versionFolders } from "../../plan/versions/steps.ts";
import { distinctCode, isConstant, withNames } from "../equal-code.ts";
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
  const declared = [...requestFunctions, ...responseFunctions];
  // Kept versions import what they share with this one.
  const exported =
    plan.earlier.length > 0
      ? new Set(declared.map(({ name }) => name))
      : namesOf([...requests, ...responses, ...errorData]);
  const head = [
    header(plan.schemaFile),
    ...runtimeImport(declared),
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

/** `isKept`: as a kept version prints them. Responses are not checked, because their conversion is. */
function validatorsOf(plan: Plan, isKept = false): VersionValidators {
  const methods = plan.services.flatMap((service) => service.methods);
  const readers = new FunctionRegistry(plan, "request");
  const requests = isKept ? requestFaultsOf(methods, readers) : requestsOf(methods);
  const writers = new WriterRegistry(plan, { isShort: isKept });
  const responses = responsesOf(methods, writers);
  const errorData = plan.errors.flatMap(({ name, data }) =>
    data === undefined ? [] : [responseOf(name, data.typeName, writers)],
  );
  const checkers = new FunctionRegistry(plan, "response", { shared: readers });
  const requestFunctions = isKept ? readers.printAll() : bodyFunctions(readers, requests);
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
}

/** Where a declaration is printed: the folder of the version, which is "" for the current one, and its name there. */
interface Home {
  readonly folder: string;
  readonly name: string;
}

type Tables = Readonly<Record<"requests" | "responses" | "errorData", readonly Entry[]>>;

/** Returns the validators of each kept version, the oldest first. */
export function keptValidators(plan: Plan): readonly KeptValidators[] {
  if (plan.earlier.length === 0) return [];
  const folders = versionFolders(plan);
  let next = validatorsOf(plan, true);
  let homes = new Map(declarationsIn(next).map(({ name }): [string, Home] => [name, { folder: "", name }]));
  const kept: KeptValidators[] = [];
  for (const [index, earlier] of [...plan.earlier.entries()].reverse()) {
    const validators = validatorsOf(earlier, true);
    const folder = folders[index] ?? "";
    const declared = declarationsIn(validators);
    const shared = sharedNames(declared, declarationsIn(next), namesIn);
    const changed = declared.filter(({ name }) => !shared.has(name));
    // What the next version has comes first, because it needs no code.
    const distinct = distinctCode([...declared.filter(({ name }) => shared.has(name)), ...changed]);
    const later = homes;
    homes = new Map(
      declared.map(({ name }) => {
        const first = shared.has(name) ? name : distinct.nameOf(name);
        return [name, (shared.has(first) ? later.get(first) : undefined) ?? { folder, name: first }];
      }),
    );
    const changes = (entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] =>
      entries.filter(
        ({ key, names, text }) =>
          !names.every((name) => !homes.has(name) || shared.has(name)) ||
          !others.some((other) => other.key === key && other.text === text),
      );
    const tables = {
      requests: changes(validators.requests, next.requests),
      responses: changes(validators.responses, next.responses),
      errorData: changes(validators.errorData, next.errorData),
    };
    const own = distinct.declarations.filter(({ name }) => !shared.has(name));
    const wanted = [...namesOf(Object.values(tables).flat())].map(distinct.nameOf);
    const printed = usedOf(own, wanted);
    kept.unshift({
      text: keptText(earlier, tables, printed, { folder, homes }),
      tables: Object.entries(tables).flatMap(([name, entries]) => (entries.length === 0 ? [] : [name])),
    });
    next = validators;
  }
  return kept;
}

function keptText(
  { schemaFile }: Plan,
  tables: Tables,
  printed: readonly ValidatorDeclaration[],
  { folder, homes }: { readonly folder: string; readonly homes: ReadonlyMap<string, Home> },
): string {
  const imports = new Imports(printed.flatMap(namesIn));
  const nameOf = (name: string): string | undefined => {
    const home = homes.get(name);
    if (home === undefined || home.folder === folder) return home?.name;
    const [path, local] = home.folder === "" ? ["..", "current"] : [home.folder, "newer"];
    return imports.valueMember(`../${path}/validators.ts`, local, home.name);
  };
  const declared = printed.map(({ name, lines }) => ({ name, lines: withNames(lines, nameOf) }));
  const types: string[] = [];
  const entriesOf = (name: keyof Tables, type: string): readonly (readonly string[])[] => {
    const entries = tables[name].map(({ key, writes, text }) => ({
      key,
      text: nameOf(writes ?? text) ?? "",
    }));
    if (entries.length === 0) return [];
    types.push(type);
    return [tableOf(name, type, entries)];
  };
  const printedTables = [
    ...entriesOf("requests", "RequestFaults"),
    ...entriesOf("responses", "ResponseWriters"),
    ...entriesOf("errorData", "ResponseWriters"),
  ];
  for (const type of types) imports.type("ridlkit-runtime/validation", type);
  const head = [header(schemaFile), ...runtimeImport(declared), ...imports.lines()];
  // Kept versions that are older import the functions.
  const exported = new Set(printed.map(({ name }) => name));
  return textOfBlocks([head, ...blocksOf(declared, exported), ...printedTables]);
}

function declarationsIn(validators: VersionValidators): readonly ValidatorDeclaration[] {
  return [...validators.requestFunctions, ...validators.responseFunctions];
}

/** Returns the declarations that `wanted` leads to. */
function usedOf(
  declared: readonly ValidatorDeclaration[],
  wanted: readonly string[],
): readonly ValidatorDeclaration[] {
  const used = reachable(wanted, new Map(declared.map((one) => [one.name, namesIn(one)])));
  return declared.filter(({ name }) => used.has(name));
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

/** Like `requestsOf`, but with the functions that find faults. */
function requestFaultsOf(methods: readonly PlannedMethod[], registry: FunctionRegistry): readonly Entry[] {
  return methods.map(({ path, request: { typeName } }) => {
    const name = registry.body(typeName).functionName;
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
      return [
        registry.dialect.function(name, { value: "unknown" }, "v.Issues | undefined"),
        `  return v.issuesOf(${registry.body(typeName).call("value", "1")});`,
        "}",
      ];
    });
  }
  return registry.printAll();
}

/** Functions that check values as handlers see them. */
export interface EmittedChecks {
  /** Empty without types. */
  readonly files: readonly EmittedFile[];
  /** Returns the name of the function for a type. Functions with the same code are printed once. */
  nameOf(typeName: string): string;
}

export function emitChecks(plan: Plan, path: string, typeNames: readonly string[]): EmittedChecks {
  const entries = typeNames.map((typeName) => ({ typeName }));
  const distinct = distinctCode(bodyFunctions(new FunctionRegistry(plan, "response"), entries));
  const nameOf = (typeName: string): string => distinct.nameOf(`check${typeName}`);
  if (typeNames.length === 0) return { files: [], nameOf };
  const names = typeNames.map(nameOf);
  const printed = usedOf(distinct.declarations, names);
  const head = [header(plan.schemaFile), ...runtimeImport(printed)];
  const text = textOfBlocks([head, ...blocksOf(printed, new Set(names))]);
  return { files: [{ path, text }], nameOf };
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
