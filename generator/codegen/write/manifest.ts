import { crc32 } from "node:zlib";

/** Name of the manifest in an output folder. */
export const manifestName = ".ridlkit.manifest";

/** What generated files depend on, in addition to the schema. */
export interface GeneratorFingerprint {
  /** Version of ridlkit, and a hash of its code and templates. */
  readonly tool: string;
  /** Hash of the options that affect the files. */
  readonly options: string;
  /** Hash of custom templates. Empty if there are none. */
  readonly templates: string;
}

/**
 * What was written to an output folder, and from which inputs: hex hashes by path. It distinguishes generated from
 * foreign files and edited from unedited ones, and shows whether there is anything to do.
 */
export interface Manifest extends GeneratorFingerprint {
  /** The schema files. Paths are relative to the output folder. */
  readonly inputs: Hashes;
  /** The generated files. Paths are relative to the output folder. */
  readonly files: Hashes;
  /** The files of a run that is in progress or was killed. After a merge, the files of the other branch. */
  readonly next?: Hashes;
  /** After a merge: files that both branches generated differently, so that Git merged their text. */
  readonly merged?: ReadonlySet<string>;
}

export type Hashes = Readonly<Record<string, string>>;

/** The manifest of a folder without one. No file counts as generated, so nothing is overwritten or deleted. */
const noManifest: Manifest = { tool: "", options: "", templates: "", inputs: {}, files: {} };

/**
 * Hashes text with Unix line ends, because Git may check it out with Windows line ends. The hash is CRC-32 and the length
 * in bytes, in hex. It detects changes, but does not protect against attackers. It finds every change within 32
 * consecutive bits, and misses any other with a probability of one in four billion. It takes a fifth of the time of
 * SHA-1.
 */
export function hashOf(content: string | Uint8Array): string {
  const text = withoutCarriageReturns(content);
  return checksumText(crc32(text), Buffer.byteLength(text));
}

/** `checksumText(0x3b4c26d, 12)` is `03b4c26dc`: eight hex digits of the checksum, then the length. */
export function checksumText(crc: number, length: number): string {
  return crc.toString(16).padStart(8, "0") + length.toString(16);
}

export function isHashOf(content: string | Uint8Array, hash: string | undefined): boolean {
  return hash !== undefined && hashOf(content) === hash;
}

function withoutCarriageReturns(content: string | Uint8Array): string | Uint8Array {
  if (typeof content === "string")
    return content.includes("\r\n") ? content.replaceAll("\r\n", "\n") : content;
  if (!content.includes(13)) return content;
  return content.filter((byte, index) => byte !== 13 || content[index + 1] !== 10);
}

/**
 * Writes one fact per line, in a fixed order: `file 9f86… client/index.ts`. Two branches change the same line only if
 * they change the same file. With `merge=union` in .gitattributes, which keeps the lines of both, the manifest never
 * causes a merge conflict.
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
  "# The inputs of this generated folder and the hashes of its files, for ridlkit check. DO NOT EDIT.",
  "# Commit this file. After a merge, run ridlkit generate to update it.",
];

/**
 * Reads a manifest. Ignores invalid lines, and lines with paths outside of the folder. Duplicate facts come from two merged branches. `next`
 * is then set, so that the folder counts as unfinished.
 */
export function readManifest(text: string | undefined): Manifest {
  if (text === undefined) return noManifest;
  const single: Record<string, string> = {};
  const hashes = {
    input: new Map<string, string>(),
    file: new Map<string, string>(),
    next: new Map<string, string>(),
  };
  const merged = new Set<string>();
  let isComplete = !text.includes("\nnext ");
  for (const line of text.split(/\r?\n/)) {
    const [, word = "", value = ""] = /^(tool|options|templates) (.+)$/.exec(line) ?? [];
    if (word !== "") {
      if (single[word] !== undefined && single[word] !== value) isComplete = false;
      single[word] ??= value;
      continue;
    }
    const [, kind, hash = "", path = ""] = /^(input|file|next) ([0-9a-f]+) (.+)$/.exec(line) ?? [];
    if (kind !== "input" && kind !== "file" && kind !== "next") continue;
    if (kind !== "input" && !isInside(path)) continue;
    const known = hashes[kind].get(path);
    if (known === undefined) hashes[kind].set(path, hash);
    else if (known !== hash) {
      isComplete = false;
      if (kind !== "input") hashes.next.set(path, hash);
      if (kind === "file") merged.add(path);
    }
  }
  const { tool = "", options = "", templates = "" } = single;
  const { input, file, next } = hashes;
  const manifest = {
    tool,
    options,
    templates,
    inputs: Object.fromEntries(input),
    files: Object.fromEntries(file),
  };
  return isComplete ? manifest : { ...manifest, next: Object.fromEntries(next), merged };
}

function isInside(path: string): boolean {
  return path.split("/").every((segment) => !/^(|[.]|[.][.])$|[\\:]/.test(segment));
}
