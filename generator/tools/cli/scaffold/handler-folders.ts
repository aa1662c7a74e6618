import { posix } from "node:path";
import { suffixOf } from "../../../codegen/emit/import-extension.ts";
import type { HandlerFolders } from "../../../handlers/folders.ts";
import type { Schema } from "../config/schemas.ts";

/** The folders of a schema's handlers and generated code. Undefined if the configuration names only one of them or none. */
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
    importSuffix: suffixOf(importExtension),
  };
}

/** `./handlers/` → `handlers`, so that folders can be compared by name. */
function folderName(path: string): string {
  const name = posix.normalize(path);
  return name.length > 1 && name.endsWith("/") ? name.slice(0, -1) : name;
}
