import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { maxSourceBytes, type ReadResult, type SourceReader } from "../../../language/source/reader.ts";
import { type Result, usageError } from "../command-error.ts";
import { type ConnectionFailure, connectionFailure } from "../servers/connection-failure.ts";

/** Access to the earlier version of a schema. */
export interface BaseSchema {
  /** Its entry file. */
  readonly path: string;
  readonly reader: SourceReader;
  /** Prefix of displayed paths: `main:`. Empty for local files. */
  readonly label: string;
  /** Fetches the files that `reader` reported missing; returns whether there were any. */
  fetchMissing(): Promise<boolean>;
}

const help = "ridlkit help breaking";

/** Resolves `--against`: a URL, a file, `REF:PATH`, or a Git revision that has the schema at the same path. */
export async function readAgainst(
  against: string,
  schemaPath: string,
  { cwd, reader }: { readonly cwd: string; readonly reader: SourceReader },
): Promise<Result<BaseSchema>> {
  if (/^https?:\/\//i.test(against)) return fromAddress(against);
  const found = statSync(resolve(cwd, against), { throwIfNoEntry: false });
  if (found?.isFile() === true)
    return { value: { path: against, reader, label: "", fetchMissing: nothingToFetch } };
  const base = fromGit(against, schemaPath, cwd);
  // A revision may have the name of a folder.
  if ("error" in base && found?.isDirectory() === true)
    return usageError(`"${against}" is a folder; name a schema in it, or a Git revision.`, help);
  return base;
}

async function nothingToFetch(): Promise<boolean> {
  return false;
}

function fromGit(against: string, schemaPath: string, cwd: string): Result<BaseSchema> {
  const colon = against.indexOf(":");
  const ref = colon === -1 ? against : against.slice(0, colon);
  const path = colon === -1 ? schemaPath : against.slice(colon + 1);
  // A text that Git would read as an option is not a revision.
  const isOption = ref.startsWith("-") || ref === "";
  const commit = isOption ? undefined : git(cwd, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (commit === undefined || commit.status !== 0)
    return usageError(
      `"${against}" is neither a file nor a Git revision. ${gitFailureReason(cwd, commit)}`.trim(),
      help,
    );
  const hash = commit.stdout.toString().trim();
  const read = (file: string): ReadResult => readRevision(cwd, hash, file);
  if (read(path).kind === "unreadable")
    return usageError(
      `${ref} does not contain "${path}". If the file had another path, use: --against ${ref}:PATH`,
      help,
    );
  return { value: { path, reader: { read }, label: `${ref}:`, fetchMissing: nothingToFetch } };
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
