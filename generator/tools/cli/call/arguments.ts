import { accessSync, constants, openAsBlob, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { mayBeAbsent, type PlannedFile } from "../../../codegen/plan/plan.ts";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { decode } from "../../../language/source/decode.ts";
import type { ReadResult, SourceReader } from "../../../language/source/reader.ts";
import { readStandardInput } from "../files/reader.ts";

/** A request whose files are opened. */
export interface RequestWithFiles {
  readonly request: object;
  /** Paths of the files, in the order of the form. */
  readonly paths: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Opens the files of a request: the value of a field with the type `file` is `"@PATH"`, and of a list of files `["@PATH"]`.
 * Text in other fields is never a path. Returns messages for files that are missing or unreadable.
 */
export async function openFiles(
  request: object,
  files: readonly PlannedFile[],
  cwd: string,
): Promise<RequestWithFiles | readonly string[]> {
  const faults: string[] = [];
  const paths: string[] = [];
  let result = request as Fields;
  for (const file of files) {
    const { name, isList, within } = file;
    const holder = within === undefined ? result : result[within.name];
    if (!isFields(holder)) continue;
    const pointer = within === undefined ? `/${name}` : `/${within.name}/${name}`;
    const given = Object.hasOwn(holder, name) ? (holder[name] ?? undefined) : undefined;
    if (given === undefined) {
      if (!mayBeAbsent(file)) faults.push(`${pointer}: expected "@PATH" of a file, found nothing`);
      continue;
    }
    const opened: File[] = [];
    for (const value of isList && Array.isArray(given) ? given : [given]) {
      const path = pathOf(value);
      const found = path === undefined ? 'expected "@PATH" of a file' : await openFile(path, cwd);
      if (typeof found === "string") faults.push(`${pointer}: ${found}`);
      else {
        opened.push(found);
        paths.push(path ?? "");
      }
    }
    const changed = { ...holder, [name]: isList ? opened : opened[0] };
    result = within === undefined ? changed : { ...result, [within.name]: changed };
  }
  return faults.length > 0 ? faults : { request: result, paths };
}

function pathOf(value: unknown): string | undefined {
  return typeof value === "string" && /^@./s.test(value) ? value.slice(1) : undefined;
}

async function openFile(path: string, cwd: string): Promise<File | string> {
  const absolute = resolve(cwd, path);
  try {
    // `openAsBlob` has one error for everything, and accepts folders.
    if (!statSync(absolute).isFile()) return `"${path}" cannot be read: it is not a regular file`;
    accessSync(absolute, constants.R_OK);
    const type = mediaTypes[extname(path).toLowerCase()] ?? "application/octet-stream";
    return new File([await openAsBlob(absolute)], basename(path), { type });
  } catch (err) {
    return `"${path}" cannot be read: ${systemReason(err)}`;
  }
}

/** Media types of common files. A server that needs another one cannot be called with the file. */
const mediaTypes: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xml": "application/xml",
  ".zip": "application/zip",
};

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The text of a request, or the reason why it cannot be read. */
export type ArgumentText = { readonly text: string } | { readonly reason: string };

/** Reads the argument JSON: itself, `@FILE`, or `-` for standard input. Without it, the request is empty. */
export async function readArgument(
  argument: string | undefined,
  reader: SourceReader,
): Promise<ArgumentText> {
  if (argument === undefined) return { text: "{}" };
  if (argument === "-") return textOf("Standard input", await readStandardInput());
  if (argument.startsWith("@")) return textOf(`"${argument.slice(1)}"`, reader.read(argument.slice(1)));
  return { text: argument };
}

function textOf(name: string, read: ReadResult): ArgumentText {
  switch (read.kind) {
    case "bytes":
      return { text: decode(read.bytes).text.replace(/^\uFEFF/, "") };
    case "unreadable":
      return { reason: `${name} cannot be read: ${read.reason}.` };
    case "too-large":
      return { reason: `${name} is too large for a request.` };
  }
}
