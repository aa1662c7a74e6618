import { type Layout, writtenPath } from "../plan/layout.ts";
import { joinedFile } from "./joined-file.ts";
import { runtimeSources } from "./runtime.ts";
import { runtimePath } from "./runtime-modules.ts";
import type { RuntimeFeature } from "./runtime-text.ts";
import { type ParsedPart, parsePart, type SourcePart } from "./statements.ts";

/**
 * Combines emitted files and the runtime sources that they need into the files that are written. `features`: parts of the
 * runtime that are needed whatever the files import.
 */
export function join(
  emitted: readonly SourcePart[],
  runtimeRoots: readonly string[],
  layout: Layout,
  features: readonly RuntimeFeature[] = [],
): readonly SourcePart[] {
  const code = emitted.filter(({ path }) => path.endsWith(".ts")).map(parsePart);
  const sources = runtimeSources(code, runtimeRoots, features);
  const isKoaAlone = sources.has("koa.ts") && !sources.has("node-http.ts");
  const pathOf = (path: string): string => runtimePath(writtenPath(path, layout), isKoaAlone);
  const groups = new Map<string, ParsedPart[]>();
  for (const part of [...code, ...sources.values()]) {
    const path = pathOf(part.path);
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [part]);
    else group.push(part);
  }
  const joined = [...groups].map(([path, parts]) => ({ path, text: joinedFile(path, parts, pathOf) }));
  return [...emitted.filter(({ path }) => !path.endsWith(".ts")), ...joined];
}
