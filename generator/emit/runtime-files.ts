import { runtimeTexts } from "ridlkit:runtime";
import type { EmittedFile } from "./emitter.ts";

/** Where generated code finds the copy of the runtime. The version in the path is that of the seam between both. */
const runtimeFolder = "runtime/v1";

/**
 * The files of the runtime that emitted files stand on, and those that `roots` name besides, with all that these import. Copied
 * as they are, so that generated code needs no package.
 */
export function runtimeFiles(files: readonly EmittedFile[], roots: readonly string[]): EmittedFile[] {
  const needed = new Set<string>();
  const open = [
    ...roots,
    ...files.flatMap(({ text }) => importsOf(text, /from "\.{1,2}\/runtime\/v1\/([^"]+)"/g)),
  ];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const text = runtimeTexts[name];
    if (text === undefined) throw new Error(`the runtime has no file "${name}"`);
    if (needed.has(name)) continue;
    needed.add(name);
    open.push(...importsOf(text, /from "\.\/([^"]+)"/g));
  }
  return [...needed]
    .sort()
    .map((name) => ({ path: `${runtimeFolder}/${name}`, text: runtimeTexts[name] ?? "" }));
}

function importsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}
