import { unconstrained } from "../../../language/model/meta/read.ts";
import { claimName } from "../../plan/names.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { header, literal, literalKey } from "../text.ts";
import { indent, joinElse } from "./code.ts";
import { type Dialect, javascript } from "./dialect.ts";
import { type Declaration, type DeclarationFile, splitIntoFiles } from "./file-split.ts";
import { FunctionRegistry } from "./function-registry.ts";
import { WriterRegistry } from "./write.ts";

/**
 * Emits the validators. `validators/requests/<service>.ts` has a function for each request that decodes it in place.
 * `validators/responses/<service>.ts` has one that checks each response and, if needed, one that converts it. What
 * several services use is in `shared.ts` next to them. `validators/index.ts` loads the files of a service on its first
 * call, because most hosts serve only part of a large schema.
 */
export function emitValidators(plan: Plan): readonly EmittedFile[] {
  const requests = plan.services.map(({ methods }) => requestsOf(methods));
  const writers = new WriterRegistry(plan);
  const responses = plan.services.map(({ methods }) => responsesOf(methods, writers));
  const taken = plan.layout === "single" ? new Set<string>() : undefined;
  const readers = bodyFunctions(new FunctionRegistry(plan, "request", taken), requests);
  const checkers = [
    ...bodyFunctions(new FunctionRegistry(plan, "response", taken), responses),
    ...writers.printAll(),
  ];
  if (plan.layout === "single")
    return [
      singleFileSide(plan, "requests", readers, requests.flat()),
      singleFileSide(plan, "responses", checkers, responses.flat()),
      singleFileIndex(plan, responses),
    ];
  return [
    ...sideFiles(plan, "requests", readers, requests),
    ...sideFiles(plan, "responses", checkers, responses),
    indexFile(plan, responses),
  ];
}

/** The validators of one method. */
interface Entry {
  readonly path: string;
  readonly typeName: string;
  readonly names: readonly string[];
  readonly text: string;
}

function requestsOf(methods: readonly PlannedMethod[]): readonly Entry[] {
  return methods.map(({ path, request: { typeName } }) => {
    const name = `read${typeName}`;
    return { path, typeName, names: [name], text: name };
  });
}

function responsesOf(methods: readonly PlannedMethod[], writers: WriterRegistry): readonly Entry[] {
  return methods.flatMap(({ path, response: { typeName }, fileOutput }) => {
    if (fileOutput) return [];
    const check = `check${typeName}`;
    const write = writers.body(typeName);
    if (write === undefined) return [{ path, typeName, names: [check], text: `{ check: ${check} }` }];
    return [{ path, typeName, names: [check, write], text: `{ check: ${check}, write: ${write} }` }];
  });
}

/** Prints a function for each body, and everything that it uses. */
function bodyFunctions(
  registry: FunctionRegistry,
  entries: readonly (readonly Entry[])[],
): readonly Declaration[] {
  const prefix = registry.side === "request" ? "read" : "check";
  for (const typeName of new Set(entries.flat().map((entry) => entry.typeName))) {
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
  const entries = typeNames.map((typeName) => ({ path: "", typeName, names: [], text: "" }));
  const declared = bodyFunctions(new FunctionRegistry(plan, "response"), [entries]);
  const file = { declared, exported: new Set(names), imported: [] };
  const blocks = [[header(plan.schemaFile), ...importLines(file)], ...blocksOf(file)];
  return [{ path, text: `${blocks.map(textOf).join("\n\n")}\n` }];
}

/**
 * Returns the check of a method's requests as the body of a JavaScript function with the parameter `v`, the runtime's
 * `validation.ts`. The function returns the check.
 */
export function requestCheckCode(plan: Plan, method: PlannedMethod, dialect: Dialect = javascript): string {
  const entries = requestsOf([method]);
  const declared = bodyFunctions(new FunctionRegistry(plan, "request", undefined, dialect), [entries]);
  return [...declared.map(({ lines }) => textOf(lines)), `return ${entries[0]?.text};`].join("\n");
}

function textOf(lines: readonly string[]): string {
  return joinElse(lines).join("\n");
}

/** Name of the file that several services use, without `.ts`. */
function sharedFile({ services }: Plan): string {
  return claimName("shared", new Set(services.map(({ fileName }) => fileName)));
}

export type SideName = "requests" | "responses";

const entryTypes: Readonly<Record<SideName, string>> = {
  requests: "RequestValidators",
  responses: "ResponseValidators",
};

/** Emits the files of the services, and the file that they share. A service may be called Shared. */
function sideFiles(
  plan: Plan,
  side: SideName,
  declared: readonly Declaration[],
  entries: readonly (readonly Entry[])[],
): readonly EmittedFile[] {
  const { own, shared } = splitIntoFiles(
    declared,
    entries.map((ofService) => new Set(ofService.flatMap(({ names }) => names))),
  );
  const sharedName = sharedFile(plan);
  const services = plan.services.map(({ fileName }, index) =>
    serviceFile(plan, { side, fileName, sharedName }, own[index] as DeclarationFile, entries[index] ?? []),
  );
  if (shared === undefined) return services;
  const blocks = blocksOf(shared);
  return [
    ...services,
    fileOf(`${side}/${sharedName}`, [[header(plan.schemaFile), ...importLines(shared)], ...blocks]),
  ];
}

interface SideFile {
  readonly side: SideName;
  readonly fileName: string;
  readonly sharedName: string;
}

function serviceFile(
  { schemaFile }: Plan,
  { side, fileName, sharedName }: SideFile,
  file: DeclarationFile,
  entries: readonly Entry[],
): EmittedFile {
  const type = entryTypes[side];
  const head = [
    header(schemaFile),
    ...importLines(file),
    `import type { ${type} } from "../../runtime/v1/validators.ts";`,
    ...namesFrom(file.imported, `./${sharedName}.ts`),
  ];
  const table = [
    `export const ${side}: ${type} = {`,
    ...indent(entries.map(({ path, text }) => `${literal(path)}: ${text},`)),
    "};",
  ];
  return fileOf(`${side}/${fileName}`, [head, ...blocksOf(file), table]);
}

/** Emits requests or responses of all services. Both are later joined with the index to `validators.ts`. */
function singleFileSide(
  plan: Plan,
  side: SideName,
  declared: readonly Declaration[],
  entries: readonly Entry[],
): EmittedFile {
  const { own } = splitIntoFiles(declared, [new Set(entries.flatMap(({ names }) => names))]);
  return serviceFile(plan, { side, fileName: "all", sharedName: "" }, own[0] as DeclarationFile, entries);
}

function singleFileIndex(
  { schemaFile, services }: Plan,
  responses: readonly (readonly Entry[])[],
): EmittedFile {
  const text = `${header(schemaFile)}
import type { Validators } from "../runtime/v1/validators.ts";
import { requests } from "./requests/all.ts";
import { responses } from "./responses/all.ts";

export const validators: Validators = {
${services
  .map(({ name }, index) => {
    const writing = isWriting(responses[index] ?? []) ? ", isWriting: true" : "";
    return `  ${literalKey(name)}: { requests: async () => ({ requests }), responses: async () => ({ responses })${writing} },\n`;
  })
  .join("")}};
`;
  return { path: "validators/index.ts", text };
}

function fileOf(name: string, blocks: readonly (readonly string[])[]): EmittedFile {
  return {
    path: `validators/${name}.ts`,
    text: `${blocks.map(textOf).join("\n\n")}\n`,
  };
}

/** Returns the constants as one block, followed by the functions. */
function blocksOf({ declared, exported }: DeclarationFile): readonly (readonly string[])[] {
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

/** Imports the runtime if the file uses it. Constants never do. */
function importLines({ declared }: DeclarationFile): readonly string[] {
  const functions = declared.filter(({ lines }) => !isConstant(lines));
  return functions.some(usesRuntime) ? ['import * as v from "../../runtime/v1/validation.ts";'] : [];
}

function usesRuntime({ lines }: Declaration): boolean {
  return lines.some((line) => /\bv\./.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')));
}

function isConstant([first = ""]: readonly string[]): boolean {
  return first.startsWith("const ");
}

function namesFrom(names: readonly string[], from: string): string[] {
  if (names.length === 0) return [];
  return ["import {", ...names.map((name) => `  ${name},`), `} from "${from}";`];
}

function indexFile({ schemaFile, services }: Plan, responses: readonly (readonly Entry[])[]): EmittedFile {
  const lines = [
    header(schemaFile),
    'import type { Validators } from "../runtime/v1/validators.ts";',
    "",
    "export const validators: Validators = {",
    ...indent(services.flatMap((service, index) => loaderLines(service, responses[index] ?? []))),
    "};",
  ];
  return { path: "validators/index.ts", text: `${lines.join("\n")}\n` };
}

/** Whether responses must be converted before JSON.stringify, so that their file is always loaded. */
function isWriting(responses: readonly Entry[]): boolean {
  return responses.some(({ names }) => names.length > 1);
}

function loaderLines({ name, fileName }: PlannedService, responses: readonly Entry[]): readonly string[] {
  return [
    `${literalKey(name)}: {`,
    `  requests: () => import(${literal(`./requests/${fileName}.ts`)}),`,
    `  responses: () => import(${literal(`./responses/${fileName}.ts`)}),`,
    ...(isWriting(responses) ? ["  isWriting: true,"] : []),
    "},",
  ];
}
