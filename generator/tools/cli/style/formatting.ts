import { resolve } from "node:path";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { readSource } from "../../../language/load.ts";
import { format } from "../../../language/ridl/format.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { replaceFile } from "../files/replace-file.ts";

/** What became of one file. */
export interface FormatResult {
  readonly path: string;
  /** `unformatted`: it would change, and was not to be written. */
  readonly state: "same" | "changed" | "unformatted" | "refused";
  /** Why it was refused. */
  readonly diagnostics: readonly Diagnostic[];
  /** Its text and the canonical one; absent if it was refused. */
  readonly before?: string;
  readonly after?: string;
}

interface Files {
  readonly reader: SourceReader;
  /** Absolute. */
  readonly cwd: string;
}

/** Formats one file, and writes it if that is wanted and changes it. */
export function formatFile(path: string, { reader, cwd }: Files, isWritten: boolean): FormatResult {
  if (!path.endsWith(".ridl")) return rejected(path, diagnose("format-extension", { path }, { path }));
  const result = formatSource(path, reader);
  if (result.state !== "unformatted" || !isWritten) return result;
  const reason = replaceFile(resolve(cwd, path), result.after ?? "");
  return reason === undefined ? { ...result, state: "changed" } : rejectedFile(path, "cannot-write", reason);
}

/** A file, or a folder that was to be looked through, that the system keeps from us. */
export function rejectedFile(
  path: string,
  name: "unreadable-file" | "cannot-write",
  reason: string,
): FormatResult {
  return rejected(path, diagnose(name, { path, reason }, { path }));
}

/** A text that is not UTF-8 is refused even if it has no fault: its bytes would be lost. Warnings are for `lint`. */
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
  return { path, state: "refused", diagnostics };
}
