import { joinedFile, type Part } from "./joined-file.ts";
import { runtimePath, runtimeSources } from "./runtime.ts";

/** What emitters printed, with the runtime that it stands on, as the files that are written. */
export function join(emitted: readonly Part[], runtimeRoots: readonly string[]): readonly Part[] {
  const code = emitted.filter(({ path }) => path.endsWith(".ts"));
  const sources = runtimeSources(code, runtimeRoots);
  const names = new Set(sources.keys());
  const pathOf = (path: string): string => runtimePath(path, names);
  const groups = new Map<string, Part[]>();
  for (const part of [...code, ...sources.values()]) {
    const path = pathOf(part.path);
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [part]);
    else group.push(part);
  }
  const joined = [...groups].map(([path, parts]) => ({ path, text: joinedFile(path, parts, pathOf) }));
  return [...emitted.filter(({ path }) => !path.endsWith(".ts")), ...joined];
}
