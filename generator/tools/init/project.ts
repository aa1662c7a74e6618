import {
  compilerText,
  configText,
  handlersText,
  handlerText,
  mainText,
  schemaText,
  testText,
  workflowText,
} from "./texts.ts";

/** What is there, by path: undefined where there is nothing. */
export type Present = (path: string) => string | undefined;

/** A file to be written. `before` is what it takes the place of; without it the file is new. */
export interface InitFile {
  readonly path: string;
  readonly before?: string;
  readonly text: string;
}

export interface InitPlan {
  readonly files: readonly InitFile[];
  /** What was left as it was, and what its owner may add. */
  readonly hints: readonly string[];
  /** Commands that start the project, in the folder. */
  readonly next: readonly string[];
}

export interface InitProject {
  /** Of the folder: the name of a new package. */
  readonly name: string;
  /** Where npm gets ridlkit, as package.json says it: `^0.1.0`, `file:../ridlkit.tgz`. */
  readonly ridlkit: string;
  readonly present: Present;
  /** Names of configurations that are there already. */
  readonly configurations: readonly string[];
}

/** The scripts that a package gets where it has none of the name. */
const scripts: Readonly<Record<string, string>> = {
  dev: "ridlkit dev --scaffold",
  generate: "ridlkit generate && ridlkit scaffold",
  "check:generated": "ridlkit check",
};

/** Those of a new package besides: it is hosted by its `main.ts`. `tsc` alone checks types, and writes nothing. */
const freshScripts: Readonly<Record<string, string>> = {
  ...scripts,
  build: "ridlkit generate && tsc --noEmit false --outDir dist --rewriteRelativeImportExtensions",
  start: "node dist/main.js",
  test: "ridlkit generate && tsx --test test/*.test.ts",
};

const attributes = [
  "generated/** linguist-generated=true",
  ".ridlkit.manifest merge=union",
  ".ridlkit-handlers.json merge=union",
];

/** Everything that a project lacks to be worked on; what is there stays, and is added to only where nothing of it can be lost. */
export function planProject(project: InitProject): InitPlan {
  const { present, configurations } = project;
  const plan: MutablePlan = { files: [], hints: [] };
  const isFresh = present("package.json") === undefined;
  const add = (path: string, text: string): void => {
    if (present(path) === undefined) plan.files.push({ path, text });
  };
  const [configuration] = configurations;
  if (configuration === undefined) {
    add("ridlkit.config.json", configText);
    add("schema/hello.ridl", schemaText);
    if (present("handlers/handlers.ts") === undefined) {
      add("handlers/Hello/Greet.ts", handlerText);
      add("handlers/handlers.ts", handlersText);
      if (isFresh) {
        add("main.ts", mainText);
        add("test/Greet.test.ts", testText);
      }
    }
  } else plan.hints.push(`${configuration} stays as it is, with its schemas.`);
  addPackage(project, plan);
  add("tsconfig.json", compilerText);
  addLines(".gitattributes", attributes, present, plan);
  if (isFresh) addLines(".gitignore", ["node_modules/", "dist/"], present, plan);
  addKeys(".vscode/settings.json", { "files.readonlyInclude": { "generated/**": true } }, present, plan);
  if (isFresh || present(".github/workflows") !== undefined)
    add(".github/workflows/ridlkit.yml", workflowText);
  else plan.hints.push("In CI: npx ridlkit check");
  return { ...plan, next: nextSteps(project, plan) };
}

/** A `dev` script of somebody else starts something else. */
function nextSteps({ present }: InitProject, { files }: MutablePlan): readonly string[] {
  const changed = files.find(({ path }) => path === "package.json");
  const dev = parse(changed?.text ?? present("package.json") ?? "")?.["scripts"];
  const isOurs = isObject(dev) && dev["dev"] === scripts["dev"];
  return [
    ...(changed === undefined ? [] : ["npm install"]),
    isOurs ? "npm run dev" : `npx ${scripts["dev"]}`,
  ];
}

function addPackage({ name, ridlkit, present }: InitProject, plan: MutablePlan): void {
  const fresh = {
    name: packageName(name),
    private: true,
    type: "module",
    scripts: freshScripts,
    dependencies: { koa: "^3.0.0" },
    devDependencies: {
      "@types/koa": "^3.0.0",
      "@types/node": "^20.0.0",
      ridlkit,
      tsx: "^4.20.0",
      typescript: "^5.9.0",
    },
  };
  if (present("package.json") === undefined) {
    plan.files.push({ path: "package.json", text: `${JSON.stringify(fresh, null, 2)}\n` });
    return;
  }
  const wanted = isInstalled(present) ? { scripts } : { scripts, devDependencies: { ridlkit } };
  addKeys("package.json", wanted, present, plan);
}

/** As a dependency of any kind, whatever version. */
function isInstalled(present: Present): boolean {
  try {
    const { dependencies, devDependencies } = JSON.parse(present("package.json") ?? "") as {
      readonly [kind in "dependencies" | "devDependencies"]?: Readonly<Record<string, unknown>> | null;
    };
    return (dependencies?.["ridlkit"] ?? devDependencies?.["ridlkit"]) !== undefined;
  } catch {
    return false;
  }
}

interface MutablePlan {
  readonly files: InitFile[];
  readonly hints: string[];
}

/** `My App` → `my-app`: what npm takes for a name. */
function packageName(folder: string): string {
  return (
    folder
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[^a-z0-9]+|-+$/g, "") || "api"
  );
}

function addLines(path: string, lines: readonly string[], present: Present, { files }: MutablePlan): void {
  const before = present(path);
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

type JsonObject = { readonly [key: string]: unknown };

/** Keys of an object in JSON, and of the objects in it, where they are not there. A text that JSON cannot give back stays as it is. */
function addKeys(path: string, wanted: JsonObject, present: Present, { files, hints }: MutablePlan): void {
  const before = present(path);
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
  if (value === undefined || print(value) !== before) {
    hints.push(`${path} stays as it is; add to it: ${JSON.stringify(wanted)}`);
    return;
  }
  const text = print(withKeys(value, wanted));
  if (text !== before) files.push({ path, before, text });
}

function withKeys(value: JsonObject, wanted: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...value };
  for (const [key, want] of Object.entries(wanted)) {
    const known = merged[key];
    if (known === undefined) merged[key] = want;
    else if (isObject(known) && isObject(want)) merged[key] = withKeys(known, want);
  }
  return merged;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
