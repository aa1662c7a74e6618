import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { jsonManifestName } from "../../../codegen/write/manifest.ts";
import type { SetUp, SetUpSchema } from "../../doctor/examine.ts";
import type { Schema } from "../config/schemas.ts";
import { damageIn, jobOf, whyOutdated } from "../generate/generation.ts";
import type { Call } from "../verb.ts";
import { compileSetUp } from "./set-up-compiler.ts";
import { foldersAbove } from "./set-up-packages.ts";

/** Looks at everything that a set-up consists of, and changes nothing. */
export async function lookAtSetUp({ cwd, schemas, reader, report }: Call): Promise<SetUp> {
  const pathsOf = (part: "out" | "handlers"): readonly string[] =>
    schemas.flatMap(({ generation }) => generation?.[part] ?? []).map((path) => slashed(resolve(cwd, path)));
  return {
    ...(await compileSetUp(cwd, pathsOf("out"), pathsOf("handlers"))),
    node: process.versions.node,
    version: report.version,
    installed: installedIn(cwd),
    schemas: schemas.map((schema) => lookAtSchema(schema, { cwd, reader })),
    packageText: textAbove(cwd, "package.json")[0],
    attributes: textAbove(cwd, ".gitattributes").join("\n"),
    isInGit: foldersAbove(cwd).some((folder) => existsSync(join(folder, ".git"))),
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
    importsByTs: job.importExtension === ".ts",
  };
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

/** As the compiler writes paths. */
function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
