import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { readSource } from "../../../language/load.ts";
import { format } from "../../../language/ridl/format.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { replaceFile } from "../files/replace-file.ts";

/** The result of formatting a file. */
export interface FormatResult {
  readonly path: string;
  /** `unformatted`: formatting would change the file, but nothing was written. `invalid`: the file cannot be formatted. */
  readonly state: "same" | "changed" | "unformatted" | "invalid";
  /** Why the file cannot be formatted. */
  readonly diagnostics: readonly Diagnostic[];
  /** The original and the formatted text; absent for `invalid`. */
  readonly before?: string;
  readonly after?: string;
}

interface Files {
  readonly reader: SourceReader;
  /** Absolute. */
  readonly cwd: string;
}

/** Formats a file, and writes it if `isWritten` and the text changes. */
export function formatFile(path: string, { reader, cwd }: Files, isWritten: boolean): FormatResult {
  if (!existsSync(resolve(cwd, path))) return rejectedFile(path, "unreadable-file", "it does not exist");
  if (!path.endsWith(".ridl")) return rejected(path, diagnose("format-extension", { path }, { path }));
  const result = formatSource(path, reader);
  if (result.state !== "unformatted" || !isWritten) return result;
  const reason = replaceFile(resolve(cwd, path), result.after ?? "");
  return reason === undefined ? { ...result, state: "changed" } : rejectedFile(path, "cannot-write", reason);
}

/** The result for a file or folder that cannot be read or written. */
export function rejectedFile(
  path: string,
  name: "unreadable-file" | "cannot-write",
  reason: string,
): FormatResult {
  return rejected(path, diagnose(name, { path, reason }, { path }));
}

/** Rejects text that is not UTF-8, because writing it would lose bytes. Ignores warnings, which `lint` reports. */
export function formatSource(path: string, reader: SourceReader): FormatResult {
  const source = readSource(path, reader, { path });
  if ("code" in source) return rejected(path, source);
  if (source.looksBinary) return rejected(path, diagnose("binary-file", { path }, { path }));
  const { text: before } = source.file;
  const { text: after, diagnostics } = format(source.file);
  if (after === undefined)
    return rejected(path, ...diagnostics.filter(({ severity }) => severity === "error"));
  return { path, state: after === before ? "same" : "unformatted", diagnostics: [], before, after };
}

function rejected(path: string, ...diagnostics: readonly Diagnostic[]): FormatResult {
  return { path, state: "invalid", diagnostics };
}
