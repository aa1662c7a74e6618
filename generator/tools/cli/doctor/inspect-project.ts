import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { jsonManifestName } from "../../../codegen/write/manifest.ts";
import type { ProjectSetup, SchemaSetup } from "../../doctor/examine.ts";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import { foldersAbove } from "../files/folders-above.ts";
import { changedFilesOf, jobOf, staleReasonsOf } from "../generate/generation.ts";
import { ProgressLine } from "../output/progress.ts";
import { compileProject } from "./compile-project.ts";

/** Collects the facts about a project that `examine` judges. Writes nothing. */
export function inspectProject({ cwd, schemas, reader, report }: CommandCall): ProjectSetup {
  using progress = new ProgressLine(report);
  const pathsOf = (part: "out" | "handlers"): readonly string[] =>
    schemas.flatMap(({ generation }) => generation?.[part] ?? []).map((path) => slashed(resolve(cwd, path)));
  return {
    ...compileProject(cwd, { generated: pathsOf("out"), handlers: pathsOf("handlers") }, (path) =>
      progress.show(`Type-checking ${path}`),
    ),
    node: process.versions.node,
    version: report.version,
    installed: installedIn(cwd),
    schemas: schemas.map((schema) => inspectSchema(schema, { cwd, reader })),
    packageText: filesAbove(cwd, "package.json")[0],
    attributes: filesAbove(cwd, ".gitattributes").join("\n"),
    isInGit: foldersAbove(cwd).some((folder) => existsSync(join(folder, ".git"))),
  };
}

function inspectSchema(schema: Schema, { cwd, reader }: Pick<CommandCall, "cwd" | "reader">): SchemaSetup {
  const { path: entry, generation } = schema;
  const job = jobOf(schema, { cwd, reader, schemas: [schema], options: {} });
  const { out, handlers } = generation ?? {};
  const exists = reader.read(entry).kind === "bytes";
  const outdated =
    out === undefined || !exists
      ? []
      : [
          ...staleReasonsOf(job, reader).map(({ kind }) => kind),
          ...changedFilesOf(job).map(({ state }) => state),
        ];
  const leftovers = [".ridlkit.lock", jsonManifestName].map((name) => join(job.folder.root, name));
  return {
    entry,
    exists,
    out,
    handlers,
    hasHandlers: handlers !== undefined && existsSync(resolve(cwd, handlers)),
    outdated: [...new Set(outdated)],
    leftovers: leftovers.filter((path) => existsSync(path)).map((path) => relative(cwd, path)),
    isIgnoredByGit: out !== undefined && isIgnored(out, cwd),
    importsEndWithTs: job.importExtension === ".ts",
  };
}

/** Texts of the files with this name in the folder and its parents, nearest first. */
function filesAbove(cwd: string, name: string): readonly string[] {
  return foldersAbove(cwd).flatMap((folder) => {
    const path = join(folder, name);
    return existsSync(path) ? [readFileSync(path, "utf8")] : [];
  });
}

function installedIn(cwd: string): string | undefined {
  const [text] = filesAbove(cwd, "node_modules/ridlkit/package.json");
  if (text === undefined) return undefined;
  try {
    return String((JSON.parse(text) as { readonly version?: unknown }).version);
  } catch {
    return undefined;
  }
}

/** Returns false if Git is not installed. */
function isIgnored(path: string, cwd: string): boolean {
  try {
    execFileSync("git", ["check-ignore", "--quiet", path], { cwd, stdio: "ignore", timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}

/** With slashes, as the compiler writes paths. */
function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
