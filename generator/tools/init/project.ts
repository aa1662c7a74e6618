import { suffixOf, withImportExtension } from "../../codegen/emit/imports.ts";
import type { ImportExtension, RuntimeForm } from "../../codegen/options.ts";
import { isJsonObject, type Json, type JsonObject } from "../../codegen/plan/json.ts";
import { importingCopies } from "../../codegen/runtime.ts";
import { recognizeStack, type StackName, stackOf } from "./stacks/index.ts";
import type { Stack } from "./stacks/shared.ts";

/** Returns the text of an existing file; undefined if it does not exist. */
export type ReadExisting = (path: string) => string | undefined;

/** A file to write. `before` is the existing text; absent for a new file. */
export interface InitFile {
  readonly path: string;
  readonly before?: string;
  readonly text: string;
}

export interface InitPlan {
  readonly files: readonly InitFile[];
  /** Notes about files that were not changed, and what to add by hand. */
  readonly hints: readonly string[];
  /** The commands to run next, in the folder of the project. */
  readonly nextCommands: readonly string[];
}

/** Versions of the packages of ridlkit. */
export interface OwnPackages {
  readonly ridlkit: string;
  readonly "ridlkit-runtime": string;
}

export interface InitProject {
  /** Name of the folder, used as the name of a new package. */
  readonly name: string;
  readonly stack: StackName;
  readonly schemaLanguage: SchemaLanguage;
  readonly runtime: RuntimeForm;
  /** Versions for package.json: `^0.1.0`, `file:../ridlkit.tgz`. */
  readonly packages: OwnPackages;
  readonly readExisting: ReadExisting;
  /** Names of existing configuration files. */
  readonly configurations: readonly string[];
}

const attributes = [".ridlkit.manifest merge=union", ".ridlkit-handlers.json merge=union"];

/** Folder of the copied modules of the runtime. */
const copiesFolder = "generated/runtime";

/** Plans the missing files of a project. Keeps existing files; adds keys and lines to them only if nothing can be lost. */
export function planProject(project: InitProject): InitPlan {
  const { readExisting, configurations, schemaLanguage, runtime } = project;
  const stack = stackOf(project.stack);
  const plan: MutablePlan = { files: [], hints: [] };
  const isFresh = readExisting("package.json") === undefined;
  const add = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files))
      if (readExisting(path) === undefined)
        plan.files.push(
          runtime === "copy" && path.endsWith(".ts") ? withCopies({ path, text }, stack) : { path, text },
        );
  };
  const [configuration] = configurations;
  if (configuration === undefined) {
    add({ "ridlkit.config.json": configText(schemaLanguage, runtime, stack) });
    add({ [`schema/hello.${schemaLanguage}`]: schemaTexts[schemaLanguage] });
    if (stack.adapter === undefined) {
      if (isFresh) add(stack.files);
    } else if (readExisting("handlers/handlers.ts") === undefined) {
      add(handlerFiles(stack.importExtension));
      add(stack.routes ?? {});
      if (isFresh) add(stack.files);
    }
  } else
    plan.hints.push(
      `${configuration} already exists, so no schema and no files for ${stack.title} were added.`,
    );
  addPackage(project, stack, plan);
  add({ "tsconfig.json": `${JSON.stringify(stack.compiler, null, 2)}\n` });
  const hasCopies = configuration === undefined && runtime === "copy";
  const hidden = hasCopies ? [`${copiesFolder}/** linguist-generated linguist-vendored`] : [];
  addLines(".gitattributes", [...attributes, ...hidden], readExisting, plan);
  if (isFresh) addLines(".gitignore", stack.ignored, readExisting, plan);
  addKeys(".vscode/settings.json", { "files.readonlyInclude": { "generated/**": true } }, readExisting, plan);
  if (isFresh || readExisting(".github/workflows") !== undefined)
    add({ ".github/workflows/ridlkit.yml": workflowText(stack) });
  else plan.hints.push("Add to CI: npx ridlkit check");
  if (isFresh && configuration === undefined) add({ "AGENTS.md": agentsText(schemaLanguage, stack) });
  return { ...plan, nextCommands: nextSteps(project, stack, plan) };
}

function withCopies(file: InitFile, { importExtension }: Stack): InitFile {
  const { path, text } = importingCopies(file, copiesFolder);
  return { path, text: withImportExtension(text, importExtension) };
}

/** Detects the stack of an existing package by its dependencies. Undefined if there is no package or no known dependency. */
export function stackIn(readExisting: ReadExisting): StackName | undefined {
  const content = parse(readExisting("package.json") ?? "");
  const { dependencies, devDependencies } = { ...content };
  return recognizeStack(new Set([dependencies, devDependencies].filter(isJsonObject).flatMap(Object.keys)));
}

/** Suggests `npm run dev` only if the package has ridlkit's script of that name. */
function nextSteps(project: InitProject, stack: Stack, { files }: MutablePlan): readonly string[] {
  const { readExisting } = project;
  const changed = files.find(({ path }) => path === "package.json");
  const { dependencies, devDependencies } = missingPackages(project);
  const install =
    changed !== undefined
      ? ["npm install"]
      : [
          ...Object.entries(dependencies).map(([name, spec]) => `npm install ${installArgument(name, spec)}`),
          ...Object.entries(devDependencies).map(
            ([name, spec]) => `npm install --save-dev ${installArgument(name, spec)}`,
          ),
        ];
  const scripts = parse(changed?.text ?? readExisting("package.json") ?? "")?.["scripts"];
  const hasDevScript = isJsonObject(scripts) && scripts["dev"] === stack.scripts["dev"];
  const other = stack.adapter === undefined ? "npx ridlkit generate" : "npx ridlkit dev --scaffold";
  return [...install, hasDevScript ? "npm run dev" : other];
}

/** An argument of `npm install`: a version needs the name of the package. */
function installArgument(name: string, spec: string): string {
  return /^[\w^~.-]+$/.test(spec) ? `${name}@${spec}` : spec;
}

/** Scripts that are added to an existing package unless it has scripts of the same name. */
const addedScripts: readonly string[] = ["dev", "generate", "check:generated"];

function addPackage(project: InitProject, stack: Stack, plan: MutablePlan): void {
  const { name, readExisting } = project;
  const { scripts } = stack;
  const missing = missingPackages(project);
  if (readExisting("package.json") === undefined) {
    const fresh = {
      name: packageName(name),
      private: true,
      ...(stack.isModule ? { type: "module" } : {}),
      scripts,
      dependencies: sorted({ ...stack.dependencies, ...missing.dependencies }),
      devDependencies: sorted({ ...stack.devDependencies, ...missing.devDependencies }),
    };
    plan.files.push({ path: "package.json", text: `${JSON.stringify(fresh, null, 2)}\n` });
    return;
  }
  const added = Object.fromEntries(Object.entries(scripts).filter(([key]) => addedScripts.includes(key)));
  const packages = Object.entries(missing).filter(([, wanted]) => Object.keys(wanted).length > 0);
  addKeys("package.json", { scripts: added, ...Object.fromEntries(packages) }, readExisting, plan);
}

type Versions = Readonly<Record<string, string>>;

/** The packages of ridlkit that package.json does not list. An existing configuration may copy the runtime instead. */
function missingPackages({ packages, configurations, runtime: form, readExisting }: InitProject): {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
} {
  const { ridlkit, "ridlkit-runtime": runtime } = packages;
  const { dependencies, devDependencies } = { ...parse(readExisting("package.json") ?? "") };
  const isListed = (name: string): boolean =>
    [dependencies, devDependencies].some((listed) => isJsonObject(listed) && listed[name] !== undefined);
  return {
    dependencies:
      configurations.length > 0 || form === "copy" || isListed("ridlkit-runtime")
        ? {}
        : { "ridlkit-runtime": runtime },
    devDependencies: isListed("ridlkit") ? {} : { ridlkit },
  };
}

/** Sorts packages by name, as npm does. */
function sorted(packages: Versions): Versions {
  return Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface MutablePlan {
  readonly files: InitFile[];
  readonly hints: string[];
}

/** `My App` → `my-app`, a valid npm name. */
function packageName(folder: string): string {
  return (
    folder
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[^a-z0-9]+|-+$/g, "") || "api"
  );
}

function addLines(
  path: string,
  lines: readonly string[],
  readExisting: ReadExisting,
  { files }: MutablePlan,
): void {
  const before = readExisting(path);
  if (before === undefined) {
    files.push({ path, text: lines.map((line) => `${line}\n`).join("") });
    return;
  }
  const newline = before.includes("\r\n") ? "\r\n" : "\n";
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length === 0) return;
  const gap = before === "" || before.endsWith("\n") ? "" : newline;
  files.push({ path, before, text: before + gap + missing.map((line) => line + newline).join("") });
}

/**
 * Adds missing keys to a JSON file, recursively. Does not change a file that would lose its formatting or comments, except for the
 * formatting of package.json, which npm rewrites in the same way.
 */
function addKeys(
  path: string,
  wanted: JsonObject,
  readExisting: ReadExisting,
  { files, hints }: MutablePlan,
): void {
  const before = readExisting(path);
  if (before === undefined) {
    files.push({ path, text: `${JSON.stringify(wanted, null, 2)}\n` });
    return;
  }
  const value = parse(before);
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? "  ";
  const print = (object: JsonObject): string => {
    const text = JSON.stringify(object, null, indent) + (/\r?\n$/.test(before) ? "\n" : "");
    return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
  };
  const missing = value === undefined ? wanted : missingKeys(value, wanted);
  if (Object.keys(missing).length === 0) return;
  if (value === undefined || (path !== "package.json" && print(value) !== before)) {
    const reason =
      value === undefined ? "has comments or is not a valid JSON object" : "would lose its formatting";
    hints.push(`${path} was not changed, because it ${reason}. Add these keys: ${JSON.stringify(missing)}`);
    return;
  }
  files.push({ path, before, text: print(withKeys(value, missing)) });
}

/** The part of `wanted` that can be added without replacing a value. */
function missingKeys(value: JsonObject, wanted: JsonObject): JsonObject {
  const missing = Object.entries(wanted).flatMap(([key, wantedValue]): [string, Json][] => {
    const known = value[key];
    if (known === undefined) return [[key, wantedValue]];
    if (!isJsonObject(known) || !isJsonObject(wantedValue)) return [];
    const inner = missingKeys(known, wantedValue);
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(missing);
}

function withKeys(value: JsonObject, wanted: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...value };
  for (const [key, wantedValue] of Object.entries(wanted)) {
    const known = merged[key];
    merged[key] =
      isJsonObject(known) && isJsonObject(wantedValue) ? withKeys(known, wantedValue) : wantedValue;
  }
  return merged;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export type SchemaLanguage = "ridl" | "yaml";

export const schemaTexts: Readonly<Record<SchemaLanguage, string>> = {
  ridl: `webrpc = v1
name = hello
version = v1
basepath = /rpc

# Greets the caller by name.
service Hello
  - Greet(name: string) => (greeting: string)
`,
  yaml: `webrpc: v1
name: hello
version: v1
basepath: /rpc

services:
  # Greets the caller by name.
  Hello:
    methods:
      Greet:
        input: { name: string }
        output: { greeting: string }
`,
};

/** The text of `ridlkit.config.json`. Omits keys with their default value. */
function configText(
  language: SchemaLanguage,
  runtime: RuntimeForm,
  { adapter, importExtension }: Stack,
): string {
  const schema = {
    name: "hello",
    entry: `schema/hello.${language}`,
    out: "generated",
    ...(adapter === undefined ? { targets: ["client"] } : { handlers: "handlers" }),
    ...(adapter === undefined || adapter === "koa" ? {} : { adapters: [adapter] }),
    ...(importExtension === ".ts" ? {} : { importExtension }),
    ...(runtime === "package" ? {} : { runtime }),
  };
  return `${JSON.stringify({ schemas: [schema] }, null, 2)}\n`;
}

/** The files that `ridlkit scaffold` would write, with an implemented handler. */
function handlerFiles(extension: ImportExtension): Readonly<Record<string, string>> {
  const suffix = suffixOf(extension);
  return {
    "handlers/Hello/Greet.ts": `import type { HelloHandlers } from "../../generated/server${suffix}";

export const greet: HelloHandlers["Greet"] = async (_ctx, req) => {
  return { greeting: \`Hello, \${req.name}!\` };
};
`,
    "handlers/handlers.ts": `import type { Handlers } from "../generated/server${suffix}";
import { greet } from "./Hello/Greet${suffix}";

/** Pass these to \`createServer\`. */
export const handlers: Handlers = {
  Hello: {
    Greet: greet,
  },
};
`,
  };
}

/** What coding agents have to know of the project. */
function agentsText(language: SchemaLanguage, stack: Stack): string {
  const handlers =
    stack.adapter === undefined
      ? ""
      : "- Write handlers in `handlers/`. `npx ridlkit scaffold` adds files for new methods and follows renames.\n";
  return `# For coding agents

- The API is declared in \`schema/hello.${language}\`. Edit it, then run \`npx ridlkit generate\`.
- Never edit \`generated/\`.
${handlers}- \`npx ridlkit lint --format json\` and \`npx tsc --noEmit\` report mistakes. \`npx ridlkit explain RK308\` explains a code.
- \`npx ridlkit breaking --against main\` reports changes that break callers.
- \`npx ridlkit docs handlers\` prints a page of the documentation, \`npx ridlkit docs WORDS\` searches it.
`;
}

/** Compares pull requests with their base branch, unless they add this workflow. */
function workflowText({ setupAction }: Stack): string {
  const setup = setupAction === undefined ? "" : `      - uses: ${setupAction}\n`;
  return `name: ridlkit
on: [push, pull_request]
jobs:
  ridlkit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
${setup}      - run: npm ci
      - run: npx ridlkit lint --format github
      - run: npx ridlkit check
      - run: npx tsc --noEmit
      - run: npm test --if-present
      - if: github.base_ref
        env:
          BASE: origin/\${{ github.base_ref }}
        run: |
          if git cat-file -e "$BASE:.github/workflows/ridlkit.yml"; then
            npx ridlkit breaking --against "$BASE" --format github
          fi
`;
}
