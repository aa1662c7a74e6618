import { existsSync, readdirSync } from "node:fs";
import { posix, resolve } from "node:path";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { readSource } from "../../../language/load.ts";
import { format as formatRidl } from "../../../language/ridl/format.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { isFolder } from "../files/folders.ts";
import { readStandardInput } from "../files/reader.ts";
import { overwriteFile } from "../files/write-files.ts";
import { reportFindings } from "../output/report.ts";
import { patchOf } from "../output/terminal.ts";

const options = {
  check: { kind: "flag", description: "Write nothing; exit with 1 if a file is not formatted" },
  diff: { kind: "flag", description: "Write nothing; print the changes as a diff" },
} as const;

type FormatCall = CommandCall<typeof options>;

export const format: Command = defineCommand({
  name: "format",
  usage: "[options] [PATH ...]",
  description: `Formats each PATH: a file, or all .ridl files below a folder. Default: the working directory.
"-" reads standard input and writes to standard output. Imported files are not formatted.

Formatting keeps comments, the IR and the schema hash. Files with syntax errors, or with words that
webrpc ignores and formatting would drop, are reported and left unchanged.

With --format json, unless the input is "-":
  { ok, files: [{ path, state }], diagnostics }; state: same, changed, unformatted or invalid`,
  options,
  readsSchemas: false,
  jsonStream: "out",
  examples: [
    { command: "ridlkit format schema", description: "Format all files of a folder" },
    { command: "ridlkit format --check", description: "Check formatting in CI" },
    { command: "ridlkit format - < api.ridl", description: "Format standard input, for editors" },
  ],
  async run(call) {
    if (call.positionals.includes("-")) return formatStandardInput(call);
    const { files, unreadableFolders } = ridlFiles(
      call.positionals.length > 0 ? call.positionals : ["."],
      call.cwd,
    );
    if (files.size + unreadableFolders.size === 0)
      return call.refuse(`No .ridl files found in ${listed(call.positionals)}.`);
    const writes = !call.options.check && !call.options.diff;
    const results = [...files].map((path) => formatFile(path, call, writes));
    for (const [path, reason] of unreadableFolders)
      results.push(rejectedFile(path, "unreadable-file", reason));
    return finish(results, call);
  },
});

async function finish(results: readonly FormatResult[], call: FormatCall): Promise<ExitCode> {
  const { options: { check, diff }, report, terminal } = call; // biome-ignore format: one line reads better
  const unformatted = results.filter(({ state }) => state === "unformatted");
  const checked = check ? unformatted.map(({ path }) => diagnose("not-canonical", { path }, { path })) : [];
  const isText = report.format === "text";
  if (isText && diff)
    for (const result of unformatted) terminal.out(await patchOf({ before: "", after: "", ...result }));
  if (isText && !report.quiet) {
    const changed = results.filter(({ state }) => state === "changed");
    terminal.out(changed.map(({ path }) => `${visible(path)}: formatted\n`).join(""));
  }
  const diagnostics = [...results.flatMap((result) => result.diagnostics), ...checked];
  const files = results.map(({ path, state }) => ({ path, state }));
  reportFindings(report, diagnostics, { files });
  if (diagnostics.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  return diagnostics.length === 0 ? exitCode.ok : exitCode.findings;
}

async function formatStandardInput(call: FormatCall): Promise<ExitCode> {
  if (call.positionals.length > 1) return call.refuse('"-" cannot be combined with other paths.');
  const input = await readStandardInput();
  const result = formatSource("-", { read: () => input });
  if (call.options.check || call.options.diff) return finish([result], call);
  if (result.state === "invalid") {
    reportFindings({ ...call.report, jsonStream: "err" }, result.diagnostics);
    return exitCode.findings;
  }
  call.terminal.out(result.after ?? "");
  return exitCode.ok;
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? "the working directory" : words.map((word) => `"${word}"`).join(", ");
}

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
  const reason = overwriteFile(path, result.after ?? "", cwd);
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
  const { text: after, diagnostics } = formatRidl(source.file);
  if (after === undefined)
    return rejected(path, ...diagnostics.filter(({ severity }) => severity === "error"));
  return { path, state: after === before ? "same" : "unformatted", diagnostics: [], before, after };
}

function rejected(path: string, ...diagnostics: readonly Diagnostic[]): FormatResult {
  return { path, state: "invalid", diagnostics };
}

export interface FoundFiles {
  /** Paths from the working directory. */
  readonly files: ReadonlySet<string>;
  /** Folders that could not be listed, with the reason. */
  readonly unreadableFolders: ReadonlyMap<string, string>;
}

/**
 * Expands folders to all `.ridl` files below them, sorted, without `node_modules` and names that start with a dot. Keeps paths that do
 * not exist: reading them reports the error.
 */
export function ridlFiles(paths: readonly string[], cwd: string): FoundFiles {
  const found = { files: new Set<string>(), unreadableFolders: new Map<string, string>() };
  for (const path of paths) {
    if (isFolder(resolve(cwd, path))) addFolder(path, cwd, found);
    else found.files.add(path);
  }
  return found;
}

/** Does not follow links to folders, which could form a cycle. */
function addFolder(
  folder: string,
  cwd: string,
  found: { readonly files: Set<string>; readonly unreadableFolders: Map<string, string> },
): void {
  try {
    const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
    const seen = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    for (const entry of seen.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) addFolder(path, cwd, found);
      else if (entry.name.endsWith(".ridl")) found.files.add(path);
    }
  } catch (err) {
    found.unreadableFolders.set(folder, systemReason(err));
  }
}
