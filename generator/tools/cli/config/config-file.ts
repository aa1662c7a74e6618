import { readdirSync } from "node:fs";
import type { Result } from "../command-error.ts";
import type { ConfigSearch, FoundConfig } from "./read-config.ts";

/** File names that are searched. */
export const configNames: readonly string[] = ["ts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `ridlkit.config.${extension}`,
);

/** Finds the configuration of a directory. A missing configuration is an error only if it was requested by name. */
export async function findConfig(search: ConfigSearch): Promise<Result<FoundConfig | undefined>> {
  const names = namesIn(search.cwd);
  const paths = configNames.filter((name) => names.has(name));
  if (search.requestedPath === undefined && paths.length === 0) return { value: undefined };
  const { readConfig } = await import("./read-config.ts");
  return readConfig(search, paths);
}

/** Lists the directory once instead of checking each name. An unreadable directory has no configuration. */
function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory));
  } catch {
    return new Set();
  }
}
