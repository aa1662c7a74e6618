import { posix } from "node:path";
import type { DiagnosticExtras } from "./diagnostics/diagnostic.ts";
import { nearest } from "./diagnostics/suggest.ts";
import type { SourceReader } from "./source/reader.ts";
import type { Import, SchemaFile } from "./syntax/tree.ts";

const extension: RegExp = /\.(ridl|ya?ml|json)$/;

/**
 * Returns the schema file in the same folder whose name is most similar to a path that does not exist. Extensions are not compared,
 * because they make any two names similar.
 */
export function nearestFile(
  path: string,
  reader: SourceReader,
  excluded: readonly string[] = [],
): { readonly name: string; readonly isSure: boolean } | undefined {
  const folder = posix.dirname(path);
  const names = (reader.list?.(folder) ?? []).filter((name) => extension.test(name));
  const base = posix.basename(path);
  // The file exists, so its name is not the problem.
  if (names.includes(base)) return undefined;
  const candidates = names.filter((name) => !excluded.includes(posix.join(folder, name)));
  const stem = (name: string): string => name.replace(extension, "");
  const [first, ...others] = candidates.filter((name) => stem(name) === stem(base));
  if (first !== undefined) return { name: first, isSure: others.length === 0 };
  const near = nearest(stem(base), candidates.map(stem));
  const name = candidates.find((each) => stem(each) === near?.word);
  return name === undefined ? undefined : { name, isSure: near?.isConfident === true };
}

/**
 * Suggests a path for an import whose file cannot be read, and the edit that writes it. `open` are the files whose imports are being
 * read: importing one of them would be a cycle.
 */
export function importHint(
  { path: node }: Import,
  path: string,
  importer: SchemaFile,
  reader: SourceReader,
  open: readonly string[],
): DiagnosticExtras {
  const near = nearestFile(path, reader, open);
  if (near === undefined) return {};
  const suggestion = posix
    .join(posix.dirname(node.value), near.name)
    .replace(/^(?=[^.])/, /^\.\//.test(node.value) ? "./" : "");
  const advice = `Did you mean "${suggestion}"?`;
  if (!near.isSure) return { advice };
  const quote = /^["']/.exec(importer.source.text.slice(node.span.start))?.[0] ?? "";
  const edits = [{ span: node.span, text: `${quote}${suggestion}${quote}` }];
  return { advice, suggestion: { title: `Write "${suggestion}"`, file: importer.source, edits } };
}
