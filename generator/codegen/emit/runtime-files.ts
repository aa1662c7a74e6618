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
  const open = [...roots, ...files.flatMap(({ text }) => importedBy(text))];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const text = runtimeTexts[name];
    if (text === undefined) throw new Error(`the runtime has no file "${name}"`);
    if (needed.has(name)) continue;
    needed.add(name);
    open.push(...[...text.matchAll(/from "\.\/([^"]+)"/g)].map((match) => match[1] ?? ""));
  }
  return [...needed]
    .sort()
    .map((name) => ({ path: `${runtimeFolder}/${name}`, text: runtimeTexts[name] ?? "" }));
}

/** A file of megabytes has few of them: looking for the path first takes a tenth of a pattern over all of it. */
function importedBy(text: string): string[] {
  const names: string[] = [];
  const path = `/${runtimeFolder}/`;
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text.slice(text.lastIndexOf("\n", at) + 1, at);
    const [name] = /^[^"\n]+(?=")/.exec(text.slice(at + path.length, at + path.length + 100)) ?? [];
    if (name !== undefined && /from "[./]*$/.test(before)) names.push(name);
  }
  return names;
}
