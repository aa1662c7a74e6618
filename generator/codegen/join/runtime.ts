import { runtimeTexts } from "ridlkit:runtime";
import { joinedFile } from "./joined-file.ts";
import { featureSources, routedSources, runtimeFolder, runtimePath } from "./runtime-modules.ts";
import { type RuntimeFeature, runtimeText } from "./runtime-text.ts";
import { type ParsedPart, parsePart } from "./statements.ts";

const allFeatures = Object.keys(featureSources) as readonly RuntimeFeature[];

/**
 * Returns the runtime sources that emitted files or `roots` import, directly or not. Each comes after its own imports.
 * Of a source that only exports others, such as `validation.ts`, only those are returned whose names the files use.
 */
export function runtimeSources(
  files: readonly ParsedPart[],
  roots: readonly string[],
  needed: readonly RuntimeFeature[],
): ReadonlyMap<string, ParsedPart> {
  const found = new Map<string, ParsedPart>();
  const seen = new Set<string>();
  const used = usedNames(files);
  const hasRoutes = used.has("routed-method.ts") || used.has("read-method.ts");
  const features = new Set([
    ...needed,
    ...allFeatures.filter((feature) => featureSources[feature].some((name) => used.has(name))),
  ]);
  const visit = (wanted: string): void => {
    const name = (hasRoutes ? routedSources[wanted] : undefined) ?? wanted;
    const text = runtimeTexts[name];
    if (text === undefined) throw new Error(`the runtime has no file "${name}"`);
    if (seen.has(name)) return;
    seen.add(name);
    const part = parsePart({ path: `${runtimeFolder}/${name}`, text: runtimeText(text, features) });
    for (const { keyword, namespace, names, from } of part.statements) {
      if (!from.startsWith("./")) continue;
      const source = from.slice(2);
      const exported = namespace === undefined ? names.map(({ local }) => local) : exportedNames(source);
      const isNeeded = keyword === "import" || exported.some((each) => used.get(name)?.has(each));
      if (isNeeded) visit(source);
    }
    found.set(name, part);
  };
  for (const name of [...used.keys(), ...roots]) visit(name);
  return found;
}

/** Returns the names that files use, by the runtime source that they import them from. */
function usedNames(files: readonly ParsedPart[]): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>();
  for (const { text, statements } of files)
    for (const { namespace, names, from } of statements) {
      const [, source] = /^(?:\.\.?\/)+runtime\/v1\/(.+)$/.exec(from) ?? [];
      if (source === undefined) continue;
      const all = used.get(source) ?? new Set();
      used.set(source, all);
      for (const { name } of names) all.add(name);
      if (namespace !== undefined) for (const name of membersOf(namespace, text)) all.add(name);
    }
  return used;
}

/** Returns the names that a file reads from a namespace import: `isText` of `v.isText(value)` for `* as v`. */
function membersOf(namespace: string, text: string): readonly string[] {
  const members = new RegExp(`\\b${namespace.replace("* as ", "")}\\.(\\w+)`, "g");
  return Array.from(text.matchAll(members), ([, name = ""]) => name);
}

function exportedNames(source: string): readonly string[] {
  const declarations = (runtimeTexts[source] ?? "").matchAll(
    /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm,
  );
  return Array.from(declarations, ([, name = ""]) => name);
}

/** Returns one runtime file, to be written next to the others of a generated folder. */
export function runtimeModule(name: string): string {
  const path = `${runtimeFolder}/${name}.ts`;
  const all = Object.entries(runtimeTexts).map(([file, text]) => ({
    path: `${runtimeFolder}/${file}`,
    text: runtimeText(text, new Set(allFeatures)),
  }));
  const own = all.filter((part) => runtimePath(part.path) === path).map(parsePart);
  return joinedFile(path, own, (each) => runtimePath(each));
}
