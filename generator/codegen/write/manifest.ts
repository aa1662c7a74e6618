import { crc32 } from "node:zlib";

/** Name of the manifest in an output folder. */
export const manifestName = ".ridlkit.manifest";

/** Its name up to 0.1, when it was one JSON document. It is read where there is no other, and goes with the next run that writes. */
export const jsonManifestName = ".ridlkit.json";

/** What files are made of beside the schema. */
export interface GeneratorFingerprint {
  /** Version of ridlkit, and the hash of all in it that decides about what is printed. */
  readonly tool: string;
  /** Hash of the options that the files depend on. */
  readonly options: string;
  /** Hash of the user's templates; empty without any. */
  readonly templates: string;
}

/**
 * What we wrote into an output folder, and what it was made of: hashes in hex by path. It tells our files from foreign ones, ours
 * as we left them from ours that somebody edited, and whether there is anything to do at all.
 */
export interface Manifest extends GeneratorFingerprint {
  /** The schema files, by their path from the output folder. */
  readonly inputs: Hashes;
  /** The files written, by their path in the output folder. */
  readonly files: Hashes;
  /** While a run writes, and after one that was killed: the files as they would have been. After a merge of branches: the other's. */
  readonly next?: Hashes;
  /** After a merge: files that both branches wrote, each in its way. Git has put both texts together as it could. */
  readonly merged?: ReadonlySet<string>;
}

export type Hashes = Readonly<Record<string, string>>;

/** Of a folder that we never wrote into: nothing in it is ours, so nothing will be overwritten or deleted. */
const noManifest: Manifest = { tool: "", options: "", templates: "", inputs: {}, files: {} };

/**
 * Of a text with the line ends of Unix: Git may check it out with those of Windows, which is no change. It is CRC-32 and the length in
 * bytes, all in hex: we only tell what changed, and keep nobody out by it; each change of up to 32 bits in a row is seen for sure,
 * any other but for one in four thousand million, and it takes a fifth of SHA-1.
 */
export function hashOf(content: string | Uint8Array): string {
  const text = withoutCarriageReturns(content);
  return checksumText(crc32(text), Buffer.byteLength(text));
}

/** `checksumText(0x3b4c26d, 12)` is `03b4c26dc`: eight digits of the one, and the other. */
export function checksumText(crc: number, length: number): string {
  return crc.toString(16).padStart(8, "0") + length.toString(16);
}

/** Whether a hash is of a content. */
export function isHashOf(content: string | Uint8Array, hash: string | undefined): boolean {
  if (hash === undefined) return false;
  const algorithm = legacyAlgorithmOf(hash);
  if (algorithm === undefined) return hashOf(content) === hash;
  // Loaded for old manifests alone, since it takes a sixth of what an empty process takes.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash(algorithm).update(withoutCarriageReturns(content)).digest("hex") === hash;
}

/** What the hashes of older manifests were made with, told by their length. */
export function legacyAlgorithmOf(hash: string): "sha1" | "sha256" | undefined {
  return hash.length === 64 ? "sha256" : hash.length === 40 ? "sha1" : undefined;
}

function withoutCarriageReturns(content: string | Uint8Array): string | Uint8Array {
  if (typeof content === "string")
    return content.includes("\r\n") ? content.replaceAll("\r\n", "\n") : content;
  if (!content.includes(13)) return content;
  return content.filter((byte, index) => byte !== 13 || content[index + 1] !== 10);
}

/**
 * A line a fact, in a fixed order: `file 9f86… client/index.ts`. So two branches change the same line only where they change the same
 * file, and with `merge=union` in .gitattributes, which keeps the lines of both, none of it is ever in conflict.
 */
export function writeManifest({ tool, options, templates, inputs, files, next = {} }: Manifest): string {
  const lines = (word: string, hashes: Hashes): string[] =>
    Object.entries(hashes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, hash]) => `${word} ${hash} ${path}`);
  return [
    ...header,
    `tool ${tool}`,
    `options ${options}`,
    ...(templates === "" ? [] : [`templates ${templates}`]),
    ...lines("input", inputs),
    ...lines("file", files),
    ...lines("next", next),
    "",
  ].join("\n");
}

const header = [
  "# What this folder was generated from, and its files as they were written; for ridlkit check. DO NOT EDIT.",
  "# It belongs into version control; after a merge ridlkit generate brings it in line.",
];

/** What cannot be read as one is no manifest; lines that lead out of the folder are none of ours. */
export function readManifest(text: string | undefined): Manifest {
  if (text === undefined) return noManifest;
  return text.startsWith("{") ? readJson(text) : readLines(text);
}

/** A fact that stands twice is from two branches: then `next` is there, so that a run does not take the folder for finished. */
function readLines(text: string): Manifest {
  const single: Record<string, string> = {};
  const hashes = {
    input: new Map<string, string>(),
    file: new Map<string, string>(),
    next: new Map<string, string>(),
  };
  const merged = new Set<string>();
  let isWhole = !text.includes("\nnext ");
  for (const line of text.split(/\r?\n/)) {
    const [, word = "", value = ""] = /^(tool|options|templates) (.+)$/.exec(line) ?? [];
    if (word !== "") {
      if (single[word] !== undefined && single[word] !== value) isWhole = false;
      single[word] ??= value;
      continue;
    }
    const [, kind, hash = "", path = ""] = /^(input|file|next) ([0-9a-f]+) (.+)$/.exec(line) ?? [];
    if (kind !== "input" && kind !== "file" && kind !== "next") continue;
    if (kind !== "input" && !isInside(path)) continue;
    const known = hashes[kind].get(path);
    if (known === undefined) hashes[kind].set(path, hash);
    else if (known !== hash) {
      isWhole = false;
      if (kind !== "input") hashes.next.set(path, hash);
      if (kind === "file") merged.add(path);
    }
  }
  const { tool = "", options = "", templates = "" } = single;
  const { input, file, next } = hashes;
  const basis = {
    tool,
    options,
    templates,
    inputs: Object.fromEntries(input),
    files: Object.fromEntries(file),
  };
  return isWhole ? basis : { ...basis, next: Object.fromEntries(next), merged };
}

/** As it was up to 0.1. The tool that wrote it is another one, so the files are made anew, and known as ours. */
function readJson(text: string): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (isManifest(value)) return { ...value, templates: "" };
  } catch {
    // Falls through: not JSON.
  }
  return noManifest;
}

function isManifest(value: unknown): value is Omit<Manifest, "templates"> {
  if (typeof value !== "object" || value === null) return false;
  const { tool, options, inputs, files, next = {} } = value as Readonly<Record<string, unknown>>;
  if (typeof tool !== "string" || typeof options !== "string" || !isHashes(inputs)) return false;
  return [files, next].every((hashes) => isHashes(hashes) && Object.keys(hashes).every(isInside));
}

function isInside(path: string): boolean {
  return path.split("/").every((step) => !/^(|[.]|[.][.])$|[\\:]/.test(step));
}

function isHashes(value: unknown): value is Hashes {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((hash) => typeof hash === "string")
  );
}
