import { readFileSync } from "node:fs";
import { type Diagnostic, diagnose, type Location } from "../../../language/diagnostics/diagnostic.ts";
import { SourceFile } from "../../../language/source/source-file.ts";
import { defineConfig } from "../../config/config.ts";
import type { ParsedConfig } from "../../config/parse.ts";
import { nodeOfValue } from "../../config/read.ts";

/**
 * Runs a configuration in TypeScript or JavaScript and returns its default export. The script can import "ridlkit" even if the
 * package is not installed, as under npx. `path` is the name for messages.
 */
export async function runConfigScript(absolutePath: string, path: string): Promise<ParsedConfig> {
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

function failed(diagnostic: Diagnostic): ParsedConfig {
  return { config: undefined, diagnostics: [diagnostic] };
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
