import { unconstrained } from "../../model/meta/read.ts";
import type { Side } from "../../plan/constraints.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { header, literal } from "../text.ts";
import { FunctionBook } from "./book.ts";
import { indent, joinElse } from "./code.ts";
import { WriterBook } from "./write.ts";

/**
 * `validators/requests.ts`: a function a request that decodes it in place. `validators/responses.ts`: one that checks an answer,
 * and where it needs one, one that writes it. `validators/index.ts`: all of them by the path of their method.
 */
export function emitValidators(plan: Plan): readonly EmittedFile[] {
  const methods = plan.services.flatMap((service) => service.methods);
  const writers = new WriterBook(plan);
  const requests = unique(methods.map(({ request }) => request.typeName));
  const responses = unique(
    methods.flatMap(({ response, fileOutput }) => (fileOutput ? [] : response.typeName)),
  );
  const entries = methods.map((method) => entryLine(method, writers.body(method.response.typeName)));
  const used = unique(responses.flatMap((typeName) => writers.body(typeName) ?? []));
  return [
    file("requests", plan, bodyFunctions(plan, "request", requests)),
    file("responses", plan, [...bodyFunctions(plan, "response", responses), ...writers.printAll()]),
    indexFile(plan, { requests, responses, writers: used, entries }),
  ];
}

/** The constants, then a function for each body, then the functions that these need. */
function bodyFunctions(plan: Plan, side: Side, bodies: readonly string[]): readonly (readonly string[])[] {
  const book = new FunctionBook(plan, side);
  const verb = side === "request" ? "read" : "check";
  const roots = bodies.map((typeName) => {
    const struct = { type: { kind: "struct", name: typeName }, constraints: unconstrained } as const;
    const check = book.check(struct);
    const call = check.kind === "faults" ? check.call("value", "1") : "undefined";
    return [
      `export function ${verb}${typeName}(value: unknown): readonly Issue[] | undefined {`,
      `  return v.issuesOf(${call});`,
      "}",
    ];
  });
  const functions = book.printAll();
  return [...(book.constants.length === 0 ? [] : [book.constants]), ...roots, ...functions];
}

function file(name: string, plan: Plan, blocks: readonly (readonly string[])[]): EmittedFile {
  const imports = [
    ...(blocks.length === 0 ? [] : ['import type { Issue } from "../runtime/v1/issue.ts";']),
    ...(blocks.length === 0 ? ["export {};"] : ['import * as v from "../runtime/v1/validation.ts";']),
  ];
  const parts = [[header(plan.schemaFile), ...imports], ...blocks];
  return {
    path: `validators/${name}.ts`,
    text: `${parts.map((lines) => joinElse(lines).join("\n")).join("\n\n")}\n`,
  };
}

interface Index {
  readonly requests: readonly string[];
  readonly responses: readonly string[];
  readonly writers: readonly string[];
  readonly entries: readonly string[];
}

function indexFile({ schemaFile }: Plan, { requests, responses, writers, entries }: Index): EmittedFile {
  const reads = requests.map((name) => `read${name}`);
  const checks = [...responses.map((name) => `check${name}`), ...writers];
  const lines = [
    header(schemaFile),
    'import type { Validators } from "../runtime/v1/method-validators.ts";',
    ...importLines(reads, "./requests.ts"),
    ...importLines(checks, "./responses.ts"),
    "",
    "export const validators: Validators = {",
    ...indent(entries),
    "};",
  ];
  return { path: "validators/index.ts", text: `${lines.join("\n")}\n` };
}

function importLines(names: readonly string[], from: string): string[] {
  if (names.length === 0) return [];
  return ["import {", ...names.toSorted(byCodeUnit).map((name) => `  ${name},`), `} from "${from}";`];
}

function entryLine(
  { path, request, response, fileOutput }: PlannedMethod,
  writer: string | undefined,
): string {
  const members = [
    `readRequest: read${request.typeName}`,
    ...(fileOutput ? [] : [`checkResponse: check${response.typeName}`]),
    ...(writer === undefined ? [] : [`writeResponse: ${writer}`]),
  ];
  return `${literal(path)}: { ${members.join(", ")} },`;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
