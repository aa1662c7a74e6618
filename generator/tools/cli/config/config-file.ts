import { readdirSync } from "node:fs";
import type { Result } from "../command-error.ts";
import { type ConfigSearch, configNames, type FoundConfig } from "./config-names.ts";

/** The configuration of a directory; none is no fault, unless one was asked for by name. */
export async function findConfig(search: ConfigSearch): Promise<Result<FoundConfig | undefined>> {
  const names = namesIn(search.cwd);
  const paths = [...configNames, "package.json"].filter((name) => names.has(name));
  if (search.requestedPath === undefined && paths.length === 0) return { value: undefined };
  const { readConfig } = await import("./read-config.ts");
  return readConfig(search, paths);
}

/** One look into the directory instead of one for each name. A directory that cannot be listed holds no configuration. */
function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory));
  } catch {
    return new Set();
  }
}
