import { diffArrays } from "diff";
import * as morph from "ts-morph";
import ts from "typescript";
import { generate } from "../../../generator/codegen/generate.ts";
import { contractOfModel } from "../../../generator/handlers/contract.ts";
import { readSyncState } from "../../../generator/handlers/sync-state.ts";
import { type HandlersUpdate, updateHandlers } from "../../../generator/handlers/update-handlers.ts";
import { compile } from "../../../generator/language/compile.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import type { Random } from "../../support/random.ts";
import { randomHandlers } from "./handlers.ts";
import { editSchema, printSchema, randomSchema, type Schema } from "./schema.ts";

type Files = ReadonlyMap<string, string>;

/** Edits a random schema with random handlers once. Returns a description of the problem, or undefined. */
export function checkScaffold(random: Random): { readonly kind: string; readonly complaint?: string } {
  const schema = randomSchema(random);
  const handlers = randomHandlers(random, schema);
  const generated = generatedFor(schema, "before");
  const named = nameRequests(handlers, generated);
  const first = run(named, schema, undefined);
  if (first.merge.stubs.length + first.merge.moved.size + first.merge.findings.length > 0)
    return { kind: "at rest", complaint: told("the first run found something to do", first.merge, named) };
  const atRest = typeFaults(new Map([...first.files, ...generated]));
  if (atRest.length > 0) return { kind: "at rest", complaint: atRest.join("\n") };

  const { kind, schema: edited } = editSchema(random, schema);
  const second = run(first.files, edited, first.record);
  const after = generatedFor(edited, "after");
  const names = { before: ownedNames(schema, generated), after: ownedNames(edited, after) };
  const lost = lostTokens(first.files, second.files, second.merge, names);
  if (lost !== undefined) return { kind, complaint: told(lost, second.merge, second.files) };
  const faults = typeFaults(new Map([...second.files, ...after]));
  const orphans = second.merge.findings.filter(({ name }) => name.startsWith("orphan"));
  if (faults.length > 0 && orphans.length === 0)
    return { kind, complaint: told(faults.join("\n"), second.merge, second.files) };
  const third = run(second.files, edited, second.record);
  if (
    third.merge.changed.size + third.merge.added.size + third.merge.moved.size > 0 ||
    third.record !== second.record
  )
    return { kind, complaint: told("the second run was not idle", third.merge, second.files) };
  return { kind };
}

interface Run {
  readonly merge: HandlersUpdate;
  readonly files: Files;
  readonly record: string;
}

function run(files: Files, schema: Schema, record: string | undefined): Run {
  const { model } = compiled(schema, "merge");
  const contract = contractOfModel(model);
  const merge = updateHandlers(
    {
      cwd: "/project",
      root: "handlers",
      generated: "generated",
      files,
      contract,
      lastSync: record === undefined ? undefined : readSyncState(record),
      isChosen: () => true,
    },
    morph,
  );
  const after = new Map<string, string>();
  for (const [path, text] of files) after.set(merge.moved.get(path) ?? path, merge.changed.get(path) ?? text);
  for (const [path, text] of merge.added) {
    if (after.has(path)) throw new Error(`${path} would be written over`);
    after.set(path, text);
  }
  return { merge, files: after, record: merge.syncState ?? "" };
}

function compiled(schema: Schema, comment: string): NonNullable<ReturnType<typeof compile>["result"]> {
  const { result, diagnostics } = compile(
    "api.ridl",
    memoryReader({ "api.ridl": printSchema(schema, comment) }),
  );
  if (result === undefined) throw new Error(`the case is no schema: ${diagnostics[0]?.message}`);
  return result;
}

function generatedFor(schema: Schema, comment: string): Files {
  const { model, ir } = compiled(schema, comment);
  const files = generate(model, ir, {
    schemaFile: "api.ridl",
    targets: ["types", "errors", "server"],
    runtime: "copy",
  });
  return new Map([...files].map(([path, text]) => [`generated/${path}`, text]));
}

/** The name of a request type depends on the rest of the schema; `types.ts` has the actual one. */
function nameRequests(handlers: Files, generated: Files): Files {
  const types = generated.get("generated/types.ts") ?? "";
  const has = (name: string): boolean => types.includes(`interface ${name} `);
  return new Map(
    [...handlers].map(([path, text]) => [
      path,
      text.replace(/(\w+)Request0(\w+)/g, (_all, method: string, service: string) =>
        has(`${method}Request`) ? `${method}Request` : `${service}${method}Request`,
      ),
    ]),
  );
}

/** Words and symbols of the author that disappeared. Only names from the schema may be replaced. */
function lostTokens(
  before: Files,
  after: Files,
  { moved }: HandlersUpdate,
  names: { readonly before: ReadonlyMap<string, number>; readonly after: ReadonlyMap<string, number> },
): string | undefined {
  const isGone = (name: string): boolean => (names.after.get(name) ?? 0) < (names.before.get(name) ?? 0);
  for (const [path, text] of before) {
    const changed = after.get(moved.get(path) ?? path);
    if (changed === undefined) return `${path} is gone`;
    for (const { removed, value } of diffArrays(tokensOf(text), tokensOf(changed))) {
      const lost = removed ? value.find((token) => !isGone(token)) : undefined;
      if (lost !== undefined) return `${path} has lost ${JSON.stringify(value.join(""))}`;
    }
  }
  return undefined;
}

/** Each word, each symbol and each run of blanks of a text. */
function tokensOf(text: string): string[] {
  return text.split(/([A-Za-z0-9_]+|\s+)/).flatMap((part) => (/^\w+$|^\s+$/.test(part) ? [part] : [...part]));
}

/**
 * How often the schema and its generated code contain a name: two services may each have a method of one name, and a request's type
 * changes its name as soon as another name becomes free.
 */
function ownedNames({ services }: Schema, generated: Files): ReadonlyMap<string, number> {
  const types = generated.get("generated/types.ts") ?? "";
  const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  for (const { name, methods } of services)
    names.push(name, name.toLowerCase(), `${name}Handlers`, ...methods.map((method) => method.name));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function told(what: string, merge: HandlersUpdate, files: Files): string {
  const findings = merge.findings.map(({ path, message }) => `${path}: ${message}`);
  const texts = [...files].map(([path, text]) => `--- ${path}\n${text}`);
  return [what, ...findings, `stubs: ${merge.stubs.join(" ")}`, ...texts].join("\n");
}

/** Lib files and the runtime are the same in every case, so they are parsed once. */
const parsed = new Map<string, ts.SourceFile>();

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ["lib.es2023.d.ts"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedParameters: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
};

function typeFaults(files: Files): string[] {
  const texts = new Map([...files].map(([path, text]) => [`/case/${path}`, text]));
  texts.set("/case/package.json", '{ "type": "module" }');
  const real = ts.createCompilerHost(compilerOptions);
  const host: ts.CompilerHost = {
    ...real,
    fileExists: (path) => texts.has(path) || (!path.startsWith("/case/") && real.fileExists(path)),
    readFile: (path) => texts.get(path) ?? real.readFile(path),
    directoryExists: (path) => [...texts.keys()].some((each) => each.startsWith(`${path}/`)),
    getCurrentDirectory: () => "/case",
    getSourceFile: (path, version) => {
      const text = texts.get(path) ?? real.readFile(path);
      if (text === undefined) return undefined;
      const isShared = !texts.has(path) || path.includes("/runtime/");
      const key = `${path}\0${text.length}`;
      const found = isShared ? parsed.get(key) : undefined;
      if (found !== undefined) return found;
      const source = ts.createSourceFile(path, text, version);
      if (isShared) parsed.set(key, source);
      return source;
    },
  };
  const roots = [...files.keys()]
    .filter((path) => path.startsWith("handlers/"))
    .map((path) => `/case/${path}`);
  const program = ts.createProgram(roots, compilerOptions, host);
  return roots.flatMap((root) => {
    const source = program.getSourceFile(root);
    return program.getSemanticDiagnostics(source).map(({ messageText, file, start = 0 }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      return `${root}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
}
