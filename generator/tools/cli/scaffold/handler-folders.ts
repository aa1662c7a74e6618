import { posix } from "node:path";
import { endingOf } from "../../../codegen/emit/import-extension.ts";
import type { HandlerFolders } from "../../../handlers/folders.ts";
import type { Schema } from "../config/schemas.ts";

/** Where the handlers of a schema lie; undefined if its configuration names no folder for them or for the generated code. */
export function handlerFolders({ generation }: Schema, folder?: string): HandlerFolders | undefined {
  const handlers = folder ?? generation?.handlers;
  if (generation?.out === undefined || handlers === undefined) return undefined;
  const { out, otherOuts, context, importExtension, layout } = generation;
  return {
    root: folderName(handlers),
    generated: folderName(out),
    otherGenerated: otherOuts.map(folderName),
    ...(context === undefined ? {} : { context }),
    layout,
    importEnding: endingOf(importExtension),
  };
}

/** `./handlers/` → `handlers`: a folder has one name, by which it is compared. */
function folderName(path: string): string {
  const name = posix.normalize(path);
  return name.length > 1 && name.endsWith("/") ? name.slice(0, -1) : name;
}
