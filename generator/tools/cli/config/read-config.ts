import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { type Diagnostic, diagnose, type Location } from "../../../language/diagnostics/diagnostic.ts";
import { decode } from "../../../language/source/decode.ts";
import { maxSourceBytes, type SourceReader } from "../../../language/source/reader.ts";
import { SourceFile } from "../../../language/source/source-file.ts";
import { type CheckedConfig, checkConfig } from "../../config/check.ts";
import { type Config, defineConfig } from "../../config/config.ts";
import { type ParsedConfig, parseJsonConfig, parseYamlConfig } from "../../config/parse.ts";
import { nodeOfValue } from "../../config/read.ts";
import type { Result } from "../command-error.ts";

/** A configuration and its file, as a path from the working directory. */
export interface FoundConfig {
  readonly path: string;
  readonly config: Config;
}

export interface ConfigSearch {
  /** Absolute path. Only this directory is searched, not its parents. */
  readonly cwd: string;
  readonly reader: SourceReader;
  /** The file from --config or RIDLKIT_CONFIG, which disables the search. */
  readonly requestedPath: string | undefined;
}

/** Reads the requested file, or the only one of the paths. */
export async function readConfig(
  search: ConfigSearch,
  paths: readonly string[],
): Promise<Result<FoundConfig | undefined>> {
  const path = search.requestedPath ?? paths[0];
  if (path === undefined) return { value: undefined };
  if (search.requestedPath === undefined && paths.length > 1) return configError([severalConfigs(paths)]);
  return checked(path, await parseFile(search, path));
}

async function parseFile(search: ConfigSearch, path: string): Promise<ParsedConfig> {
  const extension = posix.extname(path);
  if (/^\.m?[jt]s$/.test(extension)) return parseScript(search, path);
  if (!/^\.(json|ya?ml)$/.test(extension)) return failed(diagnose("config-extension", { path }, { path }));
  const file = readText(search, path);
  if (!(file instanceof SourceFile)) return failed(file);
  return extension === ".json" ? parseJsonConfig(file) : parseYamlConfig(file);
}

async function parseScript({ cwd, reader }: ConfigSearch, path: string): Promise<ParsedConfig> {
  const read = reader.read(path);
  if (read.kind !== "bytes")
    return failed(unreadable(path, read.kind === "unreadable" ? read.reason : tooLarge));
  return runConfigScript(resolve(cwd, path), path);
}

function readText({ reader }: ConfigSearch, path: string): SourceFile | Diagnostic {
  const read = reader.read(path);
  if (read.kind !== "bytes") return unreadable(path, read.kind === "unreadable" ? read.reason : tooLarge);
  const { text, looksBinary } = decode(read.bytes);
  if (looksBinary) return diagnose("binary-file", { path }, { path });
  // Removes the byte order mark that some editors on Windows write.
  return new SourceFile(path, text.replace(/^\uFEFF/, ""));
}

const tooLarge = `it has more than ${maxSourceBytes / 1_048_576} MB`;

function unreadable(path: string, reason: string): Diagnostic {
  return diagnose("unreadable-file", { path, reason }, { path });
}

function failed(diagnostic: Diagnostic): ParsedConfig {
  return { config: undefined, diagnostics: [diagnostic] };
}

function severalConfigs(paths: readonly string[]): Diagnostic {
  const [path = ""] = paths;
  return diagnose("config-rivals", { paths: paths.map((each) => `"${each}"`).join(" and ") }, { path });
}

function checked(path: string, parsed: ParsedConfig): Result<FoundConfig> {
  if (parsed.config === undefined) return configError(parsed.diagnostics);
  const { config, diagnostics }: CheckedConfig = checkConfig(parsed.config);
  return config === undefined ? configError(diagnostics) : { value: { path, config } };
}

function configError(diagnostics: readonly Diagnostic[]): Result<never> {
  return { error: { kind: "configuration", diagnostics } };
}

/**
 * Runs a configuration in TypeScript or JavaScript and returns its default export. The script can import "ridlkit" even if the
 * package is not installed, as under npx. `path` is the name for messages.
 */
async function runConfigScript(absolutePath: string, path: string): Promise<ParsedConfig> {
  const { createJiti } = await import("jiti");
  // The cache would write into the user's node_modules, and a configuration is small.
  const jiti = createJiti(absolutePath, { fsCache: false, virtualModules: { ridlkit: { defineConfig } } });
  try {
    const module = await jiti.import<{ readonly default?: unknown }>(absolutePath);
    // Without a default export, jiti would return the whole module.
    if (!Object.hasOwn(module, "default")) return withoutDefaultExport(path);
    return { config: { path, root: nodeOfValue(await module.default) }, diagnostics: [] };
  } catch (err) {
    const reason = err instanceof Error ? firstLine(err) : String(err);
    const at = (err instanceof Error && locationOf(err, absolutePath, path)) || { path };
    const advice = "ridlkit runs this file with every command, so it must not fail.";
    return failed(diagnose("config-script", { path, reason }, at, { advice }));
  }
}

function withoutDefaultExport(path: string): ParsedConfig {
  const advice = 'Expected: export default defineConfig({ schemas: [{ entry: "schema/api.ridl" }] })';
  const reason = "it has no default export.";
  return failed(diagnose("config-script", { path, reason }, { path }, { advice }));
}

/** `TypeError: x is not a function`. Later lines are a stack or a code excerpt. */
function firstLine(err: Error): string {
  const message = (err.message.split("\n")[0] ?? "").trim();
  return /^\w*Error: /.test(message) ? message : `${err.name}: ${message}`;
}

/** The line of the configuration that threw, or that has a syntax error: jiti ends the message of one with its position. */
function locationOf(err: Error, absolutePath: string, path: string): Location | undefined {
  const text = `${err.message}\n${err.stack ?? ""}`;
  const from = text.indexOf(`${absolutePath}:`);
  const [, line] = /^:(\d+):\d+/.exec(text.slice(from + absolutePath.length)) ?? [];
  if (from === -1 || line === undefined) return undefined;
  const file = new SourceFile(path, readFileSync(absolutePath, "utf8"));
  const start = file.lineStarts[Number(line) - 1] ?? 0;
  const content = file.text.slice(start, file.lineStarts[Number(line)]);
  const indent = content.length - content.trimStart().length;
  return { file, span: { start: start + indent, end: start + content.trimEnd().length } };
}
