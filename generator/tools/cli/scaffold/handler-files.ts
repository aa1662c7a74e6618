import { readdirSync, readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import type { HandlerFolders } from "../../../handlers/folders.ts";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";

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
