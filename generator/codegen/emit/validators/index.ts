import { memoize } from "../../../language/source/memoize.ts";
import type { EmittedFile } from "../../options.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import { reachable, sharedNames } from "../../plan/type-graph.ts";
import { versionFolders } from "../../plan/versions/steps.ts";
import {
  distinctCode,
  isConstant,
  parametersIn,
  referencesIn,
  typeOf,
  withNames,
  withParameters,
} from "../equal-code.ts";
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
  const { current } = versionsOf(plan);
  const printed = (functions: readonly ValidatorDeclaration[]): readonly ValidatorDeclaration[] =>
    functions.map((one) => ({ name: one.name, lines: parameterized(one, current) }));
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
    ...blocksOf(printed(requestFunctions), exported),
    tableOf("requests", "RequestValidators", requests),
    ...blocksOf(printed(responseFunctions), exported),
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

/** A declaration where it is printed. Versions with the same code share it. */
interface Printed extends ValidatorDeclaration {
  /** Of its version; "" for the current one. */
  readonly folder: string;
  /** What the names in its code stand for. */
  readonly scope: Scope;
  /** The names that older versions give another meaning. */
  readonly parameters: string[];
  /** Replaces the code of a function if a newer version has the same, with other meanings of some names. */
  call?: Call | undefined;
}

type Scope = ReadonlyMap<string, Printed>;

interface Call {
  readonly target: Printed;
  readonly parameters: readonly string[];
}

interface KeptVersion {
  readonly plan: Plan;
  readonly folder: string;
  readonly scope: Scope;
  /** The declarations that the next version lacks. */
  readonly own: readonly Printed[];
  readonly tables: Readonly<Record<"requests" | "responses" | "errorData", readonly Entry[]>>;
}

/** Returns the validators of each kept version, the oldest first. */
export function keptValidators(plan: Plan): readonly KeptValidators[] {
  const { kept } = versionsOf(plan);
  const referenced = new Set(kept.flatMap(referencesOf));
  return kept.map((version) => ({
    text: keptText(version, referenced),
    tables: Object.entries(version.tables).flatMap(([name, entries]) => (entries.length === 0 ? [] : [name])),
  }));
}

/** What all versions declare, and which versions share it. */
const versionsOf = memoize((plan: Plan) => {
  const current = new Map<string, Printed>();
  if (plan.earlier.length === 0) return { current, kept: [] };
  const folders = versionFolders(plan);
  let next = validatorsOf(plan, true);
  for (const one of declarationsIn(next))
    current.set(one.name, { ...one, folder: "", scope: current, parameters: [] });
  let later: Scope = current;
  const kept: KeptVersion[] = [];
  for (const [index, earlier] of [...plan.earlier.entries()].reverse()) {
    const validators = validatorsOf(earlier, true);
    const folder = folders[index] ?? "";
    const declared = declarationsIn(validators);
    const shared = sharedNames(declared, declarationsIn(next), namesIn);
    // What the next version has comes first, because it needs no code.
    const ordered = [true, false].flatMap((isShared) =>
      declared.filter(({ name }) => shared.has(name) === isShared),
    );
    const { nameOf } = distinctCode(ordered);
    const scope = new Map<string, Printed>();
    for (const one of ordered) {
      const known = shared.has(one.name) ? later.get(one.name) : scope.get(nameOf(one.name));
      scope.set(one.name, known ?? { ...one, folder, scope, parameters: [] });
    }
    const own = [...new Set(scope.values())].filter((one) => one.folder === folder);
    for (const one of own) one.call = callFor(one, later.get(one.name));
    const changes = (entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] =>
      entries.filter(
        ({ key, names, text }) =>
          !names.every((name) => !scope.has(name) || shared.has(name)) ||
          !others.some((other) => other.key === key && other.text === text),
      );
    const tables = {
      requests: changes(validators.requests, next.requests),
      responses: changes(validators.responses, next.responses),
      errorData: changes(validators.errorData, next.errorData),
    };
    kept.unshift({ plan: earlier, folder, scope, own, tables });
    next = validators;
    later = scope;
  }
  return { current, kept };
});

/** Returns the call of a newer function with the same code, unless the call is as long as the code. */
function callFor(own: Printed, newer: Printed | undefined): Call | undefined {
  const target = newer?.call?.target ?? newer;
  if (target === undefined || own.lines.length <= 3 || textOf(own.lines) !== textOf(target.lines))
    return undefined;
  const names = referencesIn(own.lines.slice(1)).filter(
    (name) => own.scope.get(name) !== target.scope.get(name),
  );
  const typeIn = ({ scope }: Printed, name: string): string | undefined => typeOf(scope.get(name)?.lines);
  if (!names.every((name) => typeIn(own, name) === typeIn(target, name))) return undefined;
  const { parameters } = target;
  parameters.push(...names.filter((name) => !parameters.includes(name)));
  return { target, parameters: [...parameters] };
}

/** The declarations that a version refers to, except those that only its own tables name. */
function referencesOf({ folder, scope, own, tables }: KeptVersion): readonly (Printed | undefined)[] {
  const names = own.flatMap(({ call, lines }) => call?.parameters ?? referencesIn(lines.slice(1)));
  const listed = Object.values(tables).flatMap((entries) => entries.map(functionOf));
  return [
    ...names.map((name) => scope.get(name)),
    ...listed.map((name) => scope.get(name)).filter((one) => one?.folder !== folder),
  ];
}

/** Adds what older versions replace as parameters. */
function parameterized({ lines, name }: ValidatorDeclaration, scope: Scope): readonly string[] {
  const parameters = scope.get(name)?.parameters ?? [];
  return withParameters(
    lines,
    new Map(parameters.map((one) => [one, typeOf(scope.get(one)?.lines) ?? "unknown"])),
  );
}

function keptText(
  { plan: { schemaFile }, folder, scope, own, tables }: KeptVersion,
  referenced: ReadonlySet<Printed | undefined>,
): string {
  const imports = new Imports(own.flatMap(namesIn));
  const refer = (printed: Printed): string => {
    if (printed.folder === folder) return printed.name;
    const [path, local] = printed.folder === "" ? ["..", "current"] : [printed.folder, "newer"];
    return imports.valueMember(`../${path}/validators.ts`, local, printed.name);
  };
  const nameOf = (name: string): string | undefined => {
    const printed = scope.get(name);
    return printed && refer(printed);
  };
  const callText = ({ lines }: Printed, { target, parameters }: Call): string => {
    const given = [...parametersIn(lines), ...parameters.map((name) => nameOf(name) ?? name)];
    return `${refer(target)}(${given.join(", ")})`;
  };
  const isPrinted = (one: Printed): boolean =>
    one.call === undefined || one.folder !== folder || referenced.has(one);
  const declared = own.filter(isPrinted).map((one) => {
    const { name, lines, call } = one;
    if (call === undefined) return { name, lines: withNames(parameterized(one, scope), nameOf) };
    return { name, lines: [lines[0] ?? "", `  return ${callText(one, call)};`, "}"] };
  });
  const entryText = (name: string): string => {
    const printed = scope.get(name);
    if (printed === undefined) return "";
    const { call, lines, parameters } = printed;
    const given = parametersIn(lines).join(", ");
    if (call !== undefined && !isPrinted(printed)) return `(${given}) => ${callText(printed, call)}`;
    // The server passes a depth to all functions.
    return parameters.length === 0 ? refer(printed) : `(${given}) => ${refer(printed)}(${given})`;
  };
  const types: string[] = [];
  const entriesOf = (name: keyof KeptVersion["tables"], type: string): readonly (readonly string[])[] => {
    const entries = tables[name].map((entry) => ({ key: entry.key, text: entryText(functionOf(entry)) }));
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
  const exported = new Set(declared.map(({ name }) => name));
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

/** The function that a kept version lists. */
function functionOf({ writes, text }: Entry): string {
  return writes ?? text;
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
