import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { defineConfig } from "../../config/config.ts";
import type { ParsedConfig } from "../../config/parse.ts";
import { nodeOfValue } from "../../config/value.ts";

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
    if (!Object.hasOwn(module, "default")) return scriptError(path, "it has no default export.");
    return { config: { path, root: nodeOfValue(await module.default) }, diagnostics: [] };
  } catch (err) {
    return scriptError(path, err instanceof Error ? firstLine(err) : String(err));
  }
}

function scriptError(path: string, reason: string): ParsedConfig {
  const advice = 'Expected: export default defineConfig({ schemas: [{ entry: "schema/api.ridl" }] })';
  return {
    config: undefined,
    diagnostics: [diagnose("config-script", { path, reason }, { path }, { advice })],
  };
}

/** `TypeError: x is not a function`. Later lines are a stack or a code excerpt. */
function firstLine(err: Error): string {
  const [message = ""] = err.message.split("\n");
  return message.startsWith(err.name) ? message : `${err.name}: ${message}`;
}
