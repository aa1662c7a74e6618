import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { CompilerOptions, SetUp, SetUpSchema } from "../doctor/examine.ts";
import { jsonManifestName } from "../write/manifest.ts";
import { damageIn, jobOf, whyOutdated } from "./generation.ts";
import type { Schema } from "./schemas.ts";
import type { Call } from "./verb.ts";

/** Looks at everything that a set-up consists of, and changes nothing. */
export async function lookAtSetUp({ cwd, schemas, reader, report }: Call): Promise<SetUp> {
  return {
    node: process.versions.node,
    version: report.version,
    installed: installedIn(cwd),
    schemas: schemas.map((schema) => lookAtSchema(schema, { cwd, reader })),
    packageText: textAbove(cwd, "package.json")[0],
    attributes: textAbove(cwd, ".gitattributes").join("\n"),
    isInGit: foldersAbove(cwd).some((folder) => existsSync(join(folder, ".git"))),
    compiler: await compilerOptions(cwd),
  };
}

function lookAtSchema(schema: Schema, { cwd, reader }: Pick<Call, "cwd" | "reader">): SetUpSchema {
  const { path: entry, generation } = schema;
  const job = jobOf(schema, { cwd, reader, schemas: [schema], options: {} });
  const { out, handlers } = generation ?? {};
  const isThere = reader.read(entry).kind === "bytes";
  const outdated =
    out === undefined || !isThere
      ? []
      : [...whyOutdated(job, reader).map(({ kind }) => kind), ...damageIn(job).map(({ state }) => state)];
  const leftovers = [".ridlkit.lock", jsonManifestName].map((name) => join(job.folder.root, name));
  return {
    entry,
    isThere,
    out,
    handlers,
    hasHandlers: handlers !== undefined && existsSync(resolve(cwd, handlers)),
    outdated: [...new Set(outdated)],
    leftovers: leftovers.filter((path) => existsSync(path)).map((path) => relative(cwd, path)),
    isIgnoredByGit: out !== undefined && isIgnored(out, cwd),
  };
}

/** The folder and those above it. */
function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

/** Texts of the files of a name, the nearest first. */
function textAbove(cwd: string, name: string): readonly string[] {
  return foldersAbove(cwd).flatMap((folder) => {
    const path = join(folder, name);
    return existsSync(path) ? [readFileSync(path, "utf8")] : [];
  });
}

function installedIn(cwd: string): string | undefined {
  const [text] = textAbove(cwd, "node_modules/ridlkit/package.json");
  if (text === undefined) return undefined;
  try {
    return String((JSON.parse(text) as { readonly version?: unknown }).version);
  } catch {
    return undefined;
  }
}

/** Without Git nothing is ignored. */
function isIgnored(path: string, cwd: string): boolean {
  try {
    execFileSync("git", ["check-ignore", "--quiet", path], { cwd, stdio: "ignore", timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}

/** As the compiler reads them, which is loaded for it: a tsconfig.json has comments and inherits from others. */
async function compilerOptions(cwd: string): Promise<CompilerOptions | string | undefined> {
  const names = existsSync(cwd) ? readdirSync(cwd) : [];
  if (!names.includes("tsconfig.json")) return undefined;
  const { ts } = await import("ts-morph");
  const read = ts.readConfigFile(join(cwd, "tsconfig.json"), (path) => ts.sys.readFile(path));
  if (read.error !== undefined) return ts.flattenDiagnosticMessageText(read.error.messageText, " ");
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, cwd);
  return {
    allowsTsImports: (options.allowImportingTsExtensions ?? options.rewriteRelativeImportExtensions) === true,
    module: (ts.ModuleKind[options.module ?? ts.ModuleKind.CommonJS] ?? "").toLowerCase(),
    target: (ts.ScriptTarget[options.target ?? targetBy(options.module, ts)] ?? "").toLowerCase(),
  };
}

/** What the compiler takes where nothing is said. */
function targetBy(
  module: import("ts-morph").ts.ModuleKind | undefined,
  ts: typeof import("ts-morph").ts,
): import("ts-morph").ts.ScriptTarget {
  return module !== undefined && module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext
    ? ts.ScriptTarget.ESNext
    : ts.ScriptTarget.ES5;
}
