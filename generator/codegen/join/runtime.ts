import { runtimeTexts } from "ridlkit:runtime";
import { joinedFile, type SourcePart } from "./joined-file.ts";
import { runtimeFolder, runtimePath } from "./runtime-modules.ts";
import { parseSource } from "./statements.ts";

/**
 * Returns the runtime sources that emitted files or `roots` import, directly or not. Each comes after its own imports.
 */
export function runtimeSources(
  files: readonly SourcePart[],
  roots: readonly string[],
): ReadonlyMap<string, SourcePart> {
  const found = new Map<string, SourcePart>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const text = runtimeTexts[name];
    if (text === undefined) throw new Error(`the runtime has no file "${name}"`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const { from } of parseSource(text).statements) if (from.startsWith("./")) visit(from.slice(2));
    found.set(name, { path: `${runtimeFolder}/${name}`, text });
  };
  const needed = files.flatMap(({ text }) => parseSource(text).statements.map(({ from }) => from));
  for (const from of needed) {
    const [, name] = /^(?:\.\.?\/)+runtime\/v1\/(.+)$/.exec(from) ?? [];
    if (name !== undefined) visit(name);
  }
  for (const name of roots) visit(name);
  return found;
}

/** Returns one runtime file, to be written next to the others of a generated folder. */
export function runtimeModule(name: string): string {
  const path = `${runtimeFolder}/${name}.ts`;
  const all = Object.entries(runtimeTexts).map(([file, text]) => ({
    path: `${runtimeFolder}/${file}`,
    text,
  }));
  const own = all.filter((part) => runtimePath(part.path) === path);
  return joinedFile(path, own, (each) => runtimePath(each));
}
