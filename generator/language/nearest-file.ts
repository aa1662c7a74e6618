import { posix } from "node:path";
import type { DiagnosticExtras } from "./diagnostics/diagnostic.ts";
import { nearest } from "./diagnostics/suggest.ts";
import type { SourceReader } from "./source/reader.ts";
import type { Import, SchemaFile } from "./syntax/tree.ts";

/** Returns the schema file in the same folder whose name is most similar to a path that does not exist. */
export function nearestFile(
  path: string,
  reader: SourceReader,
): { readonly name: string; readonly isSure: boolean } | undefined {
  const names = (reader.list?.(posix.dirname(path)) ?? []).filter((name) =>
    /\.(ridl|ya?ml|json)$/.test(name),
  );
  const base = posix.basename(path);
  // The file exists, so its name is not the problem.
  if (names.includes(base)) return undefined;
  const withExtension = names.filter((name) => name.replace(/\.\w+$/, "") === base);
  if (withExtension[0] !== undefined) return { name: withExtension[0], isSure: withExtension.length === 1 };
  const near = nearest(base, names);
  return near && { name: near.word, isSure: near.isConfident };
}

/** Suggests a path for an import whose file cannot be read, and the edit that writes it. */
export function importHint(
  { path: node }: Import,
  path: string,
  importer: SchemaFile,
  reader: SourceReader,
): DiagnosticExtras {
  const near = nearestFile(path, reader);
  if (near === undefined) return {};
  const suggestion = posix
    .join(posix.dirname(node.value), near.name)
    .replace(/^(?=[^.])/, /^\.\//.test(node.value) ? "./" : "");
  const advice = `Did you mean "${suggestion}"?`;
  if (!near.isSure) return { advice };
  const quote = /^["']/.exec(importer.source.text.slice(node.span.start))?.[0] ?? "";
  const edits = [{ span: node.span, text: `${quote}${suggestion}${quote}` }];
  return { advice, fix: { title: `Write "${suggestion}"`, file: importer.source, edits } };
}
