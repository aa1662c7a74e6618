import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { createPlan } from "../../../codegen/generate.ts";
import { planSteps } from "../../../codegen/plan/versions/steps.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { contractText, currentContract, type KeptVersion } from "../../../language/history.ts";
import { historyFiles } from "../../../language/history-files.ts";
import { maxSourceBytes, type ReadResult, type SourceReader } from "../../../language/source/reader.ts";
import { type Result, usageError } from "../command-error.ts";
import { type Schema, wireSettings } from "../config/schemas.ts";
import { keptVersions } from "../history/open.ts";
import { type ConnectionFailure, connectionFailure } from "../servers/failures.ts";

/** Access to the earlier version of a schema. */
export interface BaseSchema {
  /** Its entry file. */
  readonly path: string;
  readonly reader: SourceReader;
  /** Prefix of displayed paths: `main:`. Empty for local files. */
  readonly label: string;
  /** Fetches the files that `reader` reported missing; returns whether there were any. */
  fetchMissing(): Promise<boolean>;
  /** A message if the text after `--against` has several meanings. */
  readonly ambiguity?: string;
}

const help = "ridlkit help breaking";

/**
 * Resolves `--against`: a URL, a file, a version that the history of the schema keeps, `REF:PATH`, or a Git revision that has the schema at the
 * same path, or had it before it was moved. The first of them counts. Undefined if the schema is not in the revision: it is new.
 */
export async function readAgainst(
  against: string,
  { path: schemaPath, generation }: Schema,
  { cwd, reader }: { readonly cwd: string; readonly reader: SourceReader },
): Promise<Result<BaseSchema | undefined>> {
  if (/^https?:\/\//i.test(against)) return fromAddress(against);
  const found = statSync(resolve(cwd, against), { throwIfNoEntry: false });
  const kept = keptVersion(against, generation?.history, reader);
  if (found?.isFile() === true || kept !== undefined) {
    const path = found?.isFile() === true ? against : (kept ?? against);
    const isRevision = path === kept && commitOf(against, cwd)?.status === 0;
    const other = isRevision
      ? `--against ${against}:${schemaPath}`
      : path === against && kept !== undefined
        ? `--against ${kept}`
        : undefined;
    const ambiguity =
      other && `"${against}" is read as the file "${path}". For the other meaning, use: ${other}`;
    return {
      value: {
        path,
        reader,
        label: "",
        fetchMissing: nothingToFetch,
        ...(ambiguity === undefined ? {} : { ambiguity }),
      },
    };
  }
  const base = fromGit(against, schemaPath, cwd);
  // A revision may have the name of a folder.
  if ("error" in base && found?.isDirectory() === true)
    return usageError(`"${against}" is a folder; name a schema in it, or a Git revision.`, help);
  return base;
}

/** Returns the file of a kept version, with or without the letter: `v1.1.0`. */
function keptVersion(version: string, history: string | undefined, reader: SourceReader): string | undefined {
  if (history === undefined || !/^v?[0-9]/.test(version)) return undefined;
  const number = (text: string): string => text.replace(/^v/, "");
  return historyFiles(history, reader)
    .map((name) => posix.join(history, name))
    .find((path) => {
      const { result } = compile(path, reader);
      return result !== undefined && number(result.ir.version) === number(version);
    });
}

async function nothingToFetch(): Promise<boolean> {
  return false;
}

function fromGit(against: string, schemaPath: string, cwd: string): Result<BaseSchema | undefined> {
  const colon = against.indexOf(":");
  const ref = colon === -1 ? against : against.slice(0, colon);
  const commit = commitOf(ref, cwd);
  if (commit === undefined || commit.status !== 0)
    return usageError(
      `"${against}" is neither a file, nor a kept version, nor a Git revision. ${gitFailureReason(cwd, commit)}`.trim(),
      help,
    );
  const hash = commit.stdout.toString().trim();
  const read = (file: string): ReadResult => readRevision(cwd, hash, file);
  const isIn = (file: string): boolean => read(file).kind !== "unreadable";
  const path =
    colon !== -1
      ? against.slice(colon + 1)
      : isIn(schemaPath)
        ? schemaPath
        : pathBeforeMove(cwd, hash, schemaPath);
  if (path === undefined) return { value: undefined };
  if (!isIn(path)) return usageError(`${ref} does not contain "${path}".`, help);
  return { value: { path, reader: { read }, label: `${ref}:`, fetchMissing: nothingToFetch } };
}

/** Returns the path that a file had in a commit, if Git finds that it was moved since. */
function pathBeforeMove(cwd: string, commit: string, path: string): string | undefined {
  const { status, stdout } = git(cwd, [
    ...["diff", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--relative", commit],
  ]);
  const [, ...names] = status === 0 ? stdout.toString().split(/(?:^|\0)R[0-9]+\0/) : [];
  const found = names.map((pair) => pair.split("\0")).find(([, now]) => now === posix.normalize(path));
  return found?.[0];
}

function commitOf(ref: string, cwd: string) {
  // A text that Git would read as an option is not a revision.
  const isOption = ref.startsWith("-") || ref === "";
  return isOption ? undefined : git(cwd, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
}

function git(cwd: string, args: readonly string[]) {
  return spawnSync("git", args, { cwd, maxBuffer: maxSourceBytes + 1024, stdio: ["ignore", "pipe", "pipe"] });
}

function gitFailureReason(cwd: string, result: ReturnType<typeof git> | undefined): string {
  if (result === undefined) return "";
  if (result.error !== undefined) return "Git is not installed or not in PATH.";
  const inside = git(cwd, ["rev-parse", "--is-inside-work-tree"]);
  return inside.status === 0
    ? "A shallow clone may lack the revision: run git fetch first."
    : "The working directory is not in a Git repository.";
}

function readRevision(cwd: string, commit: string, path: string): ReadResult {
  const inFolder = path.startsWith("/") ? posix.relative(cwd, path) : path;
  const { status, stdout } = git(cwd, ["show", `${commit}:./${inFolder}`]);
  if (status !== 0) return { kind: "unreadable", reason: "it is not in this revision" };
  return stdout.length > maxSourceBytes
    ? { kind: "too-large", bytes: stdout.length }
    : { kind: "bytes", bytes: stdout };
}

/** Time limit for fetching a file, in milliseconds. */
const fetchTimeoutMs = 15_000;
/** Maximum number of fetched files. Schemas import dozens. */
const maxFetched = 200;

/** Fetches the entry file. Imported files are fetched by `fetchMissing` after the compiler has asked for them. */
async function fromAddress(address: string): Promise<Result<BaseSchema>> {
  const url = new URL(address);
  const first = await fetchFile(url);
  if ("reason" in first) {
    const advice = first.advice === undefined ? "" : ` ${first.advice}.`;
    return usageError(`"${address}" cannot be read: ${first.reason}.${advice}`, help);
  }
  const path = nameOf(url, first.bytes);
  const known = new Map<string, ReadResult>([[path, { kind: "bytes", bytes: first.bytes }]]);
  const missing = new Set<string>();
  const read = (wanted: string): ReadResult => {
    const found = known.get(wanted);
    if (found !== undefined) return found;
    missing.add(wanted);
    return { kind: "unreadable", reason: "it does not exist" };
  };
  const fetchMissing = async (): Promise<boolean> => {
    const wanted = [...missing].slice(0, maxFetched - known.size);
    missing.clear();
    for (const file of wanted) {
      const found = await fetchFile(new URL(file, url));
      const result: ReadResult =
        "reason" in found
          ? { kind: "unreadable", reason: found.reason }
          : { kind: "bytes", bytes: found.bytes };
      known.set(file, result);
    }
    return wanted.length > 0;
  };
  return { value: { path, reader: { read }, label: `${new URL(".", url).href}`, fetchMissing } };
}

/** Adds an extension to the file name if the URL has none, according to the content. */
function nameOf(url: URL, bytes: Uint8Array): string {
  const name = posix.basename(url.pathname) || "schema";
  if (/[.](ridl|json|ya?ml)$/.test(name)) return name;
  return Buffer.from(bytes.subarray(0, 64)).toString().trimStart().startsWith("{")
    ? `${name}.json`
    : `${name}.ridl`;
}

async function fetchFile(url: URL): Promise<{ readonly bytes: Uint8Array } | ConnectionFailure> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (!response.ok) return { reason: `the server responded with status ${response.status}` };
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxSourceBytes) return { reason: "it is too large" };
    }
    return { bytes: Buffer.concat(chunks) };
  } catch (err) {
    return connectionFailure(err, url);
  }
}

/** The kept versions of a schema, oldest first. */
export interface SpokenVersions {
  readonly history: readonly KeptVersion[];
  /** The one that the schema is compared with. */
  readonly version: string;
  /** Whether the compiler requires functions that convert calls of this version. */
  readonly byHand: boolean;
}

/** Returns undefined if the version that the schema is compared with is not kept, or the history has errors. */
export function findSpokenVersions(
  schema: Schema,
  now: CompiledSchema,
  before: CompiledSchema,
  reader: SourceReader,
): SpokenVersions | undefined {
  const history = keptVersions(schema, now, reader).versions;
  const { schemaVersion: _, ...ownVersion } = schema.filter;
  const { ir } = currentContract(schema.path, before, ownVersion);
  const kept = history.find(({ version }) => version === ir.version);
  if (kept === undefined || contractText(kept.compiled.ir) !== contractText(ir)) return undefined;
  const steps = history.slice(history.indexOf(kept));
  return { history, version: kept.version, byHand: needsCustomConversions(steps, now, schema) };
}

/** Whether a server needs custom conversions. */
export function needsCustomConversions(
  history: readonly KeptVersion[],
  now: CompiledSchema,
  schema: Schema,
): boolean {
  const plan = createPlan(now.model, now.ir, {
    ...wireSettings(schema),
    history: history.map(({ compiled }) => compiled),
  });
  return planSteps(plan).some(({ isCustom }) => isCustom);
}
