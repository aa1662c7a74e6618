import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { maxSourceBytes, type ReadResult, type SourceReader } from "../../../language/source/reader.ts";

/** Reads files by their path from `cwd`, which is absolute. Never blocks on a pipe and never reads more than `maxSourceBytes` + 1 bytes. */
export function fileReader(cwd: string): SourceReader {
  return {
    read: (path) => tryRead(() => readFile(resolve(cwd, path))),
    list: (folder) => listNames(resolve(cwd, folder)),
    isInside: (path, folder) => isInside(resolve(cwd, path), resolve(cwd, folder)),
  };
}

/** A path outside the folder is never looked up, so that the result does not reveal whether it exists. */
function isInside(path: string, folder: string): boolean {
  if (!isBelow(path, folder)) return false;
  try {
    return isBelow(realpathSync(path), realpathSync(folder));
  } catch {
    // Reading the file reports why it cannot be found.
    return true;
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Maximum number of names in a listing. Folders of schemas contain dozens of files. */
const maxNames = 2_000;

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, maxNames);
  } catch {
    return [];
  }
}

/** Reads standard input, up to `maxSourceBytes`. */
export async function readStandardInput(): Promise<ReadResult> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    length += (chunk as Uint8Array).length;
    if (length > maxSourceBytes) return { kind: "too-large", bytes: length };
  }
  return { kind: "bytes", bytes: Buffer.concat(chunks) };
}

/** Converts errors of the file system to a reason. Rethrows other errors, which are bugs. */
function tryRead(read: () => ReadResult): ReadResult {
  try {
    return read();
  } catch (err) {
    return { kind: "unreadable", reason: systemReason(err) };
  }
}

function readFile(path: string): ReadResult {
  // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has neither the flag nor the wait.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return readDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function readDescriptor(descriptor: number): ReadResult {
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) return { kind: "unreadable", reason: "it is a directory" };
  if (!stats.isFile()) return { kind: "unreadable", reason: "it is not a regular file" };
  if (stats.size > maxSourceBytes) return { kind: "too-large", bytes: stats.size };
  const bytes = readBytes(descriptor, stats.size + 1);
  return bytes.length > maxSourceBytes
    ? { kind: "too-large", bytes: bytes.length }
    : { kind: "bytes", bytes };
}

/** Reads up to `maxSourceBytes` + 1 bytes. `expected` is one byte more than the size, to notice a file that has grown. */
function readBytes(descriptor: number, expected: number): Uint8Array {
  let buffer = Buffer.allocUnsafe(expected);
  let length = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += count;
    if (count === 0 || length > maxSourceBytes) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(length * 2, maxSourceBytes + 1));
  }
}
