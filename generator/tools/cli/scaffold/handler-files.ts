import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { suffixOf } from "../../../codegen/emit/imports.ts";
import { resolveOptions } from "../../../codegen/options.ts";
import type { HandlerFolders, PackageExport } from "../../../handlers/folders.ts";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import type { Schema } from "../config/schemas.ts";
import { foldersAbove } from "../files/folders.ts";

export interface HandlerFiles {
  /** Texts by path from the working directory. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that could not be read, with the reason. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Folders without hand-written code. */
const skipped: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "coverage"]);

/**
 * Reads the hand-written TypeScript files that may contain or import handlers: all files in the folder of the handlers, and other files
 * below the working directory that mention handlers, the server or that folder.
 */
export function readHandlerFiles(cwd: string, folders: HandlerFolders): HandlerFiles {
  const files = new Map<string, string>();
  const unreadable = new Map<string, string>();
  const isOfInterest = handlerTextTest(folders);
  const generated = new Set([folders.generated, ...(folders.otherGenerated ?? [])]);
  const add = (path: string, isOurs: boolean): void => {
    try {
      const text = readFileSync(resolve(cwd, path), "utf8");
      if (isOurs || isOfInterest(text)) files.set(path, text);
    } catch (err) {
      unreadable.set(path, systemReason(err));
    }
  };
  const walk = (folder: string, isOurs: boolean): void => {
    for (const entry of entriesOf(resolve(cwd, folder))) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && !generated.has(path)) walk(path, isOurs || path === folders.root);
      } else if (entry.isFile() && isHandWritten(entry.name)) add(path, isOurs);
    }
  };
  walk(".", folders.root === ".");
  if (folders.root.startsWith("..") || posix.isAbsolute(folders.root)) walk(folders.root, true);
  return { files, unreadable };
}

function entriesOf(folder: string): import("node:fs").Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isHandWritten(name: string): boolean {
  return /[.]([cm]?ts|tsx)$/.test(name) && !/[.]d[.][cm]?ts$/.test(name);
}

function handlerTextTest({ root, generated }: HandlerFolders): (text: string) => boolean {
  const folders = [root, generated].map((path) => `${posix.basename(path)}/`);
  return (text) =>
    /Handlers\b|create(Partial)?Server\b/.test(text) || folders.some((folder) => text.includes(folder));
}

/** The folders of a schema's handlers and generated code. Undefined if the configuration names only one of them or none. */
export function handlerFolders(
  { generation }: Schema,
  cwd: string,
  folder?: string,
): HandlerFolders | undefined {
  const handlers = folder ?? generation?.handlers;
  if (generation?.out === undefined || handlers === undefined) return undefined;
  const { out, otherOuts, context, importExtension } = generation;
  return {
    cwd,
    root: folderName(handlers),
    generated: folderName(out),
    packageExports: packageExports(cwd, handlers, out),
    otherGenerated: otherOuts.map(folderName),
    ...(context === undefined ? {} : { context }),
    importSuffix: suffixOf(resolveOptions({ importExtension }).importExtension),
  };
}

/** The exports of the package of the generated code, if the handlers belong to another package that depends on it. */
function packageExports(cwd: string, handlers: string, out: string): readonly PackageExport[] {
  const [own, other] = [packageAbove(resolve(cwd, handlers)), packageAbove(resolve(cwd, out))];
  if (own === undefined || other === undefined || own.folder === other.folder) return [];
  const { name, exports } = other.manifest;
  if (
    typeof name !== "string" ||
    !packageLists.some((list) => Object.hasOwn(Object(own.manifest[list]), name))
  )
    return [];
  const folder = posix.relative(cwd, other.folder);
  return Object.entries(Object(exports)).flatMap(([key, target]) =>
    targetsOf(target).map((path) => ({ specifier: posix.join(name, key), path: posix.join(folder, path) })),
  );
}

const packageLists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** The TypeScript files of an entry of `exports`, which may have conditions. */
function targetsOf(target: unknown): readonly string[] {
  if (typeof target === "string") return /(?<![.]d)[.]ts$/.test(target) ? [target] : [];
  return typeof target === "object" && target !== null ? Object.values(target).flatMap(targetsOf) : [];
}

/** The nearest package.json of a folder. */
function packageAbove(start: string) {
  const folder = foldersAbove(start).find((one) => existsSync(join(one, "package.json")));
  if (folder === undefined) return undefined;
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as unknown;
    return { folder, manifest: Object(manifest) as Readonly<Record<string, unknown>> };
  } catch {
    return undefined;
  }
}

/** `./handlers/` → `handlers`, so that folders can be compared by name. */
function folderName(path: string): string {
  const name = posix.normalize(path);
  return name.length > 1 && name.endsWith("/") ? name.slice(0, -1) : name;
}
