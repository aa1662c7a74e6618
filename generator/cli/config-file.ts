import { readdirSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { SourceReader } from "../source/reader.ts";
import type { Attempt } from "./refusal.ts";

/** A configuration and the file it is from, as a path from the working directory. */
export interface FoundConfig {
  readonly path: string;
  readonly config: Config;
}

export interface ConfigSearch {
  /** Absolute. Only this directory is searched, not those above. */
  readonly cwd: string;
  readonly reader: SourceReader;
  /** The file that was asked for; then nothing is searched. */
  readonly wanted: string | undefined;
}

/** Names that are looked for. */
export const configNames: readonly string[] = ["ts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `ridlkit.config.${extension}`,
);

/** The configuration of a directory; none is no fault, unless one was asked for by name. */
export async function findConfig(search: ConfigSearch): Promise<Attempt<FoundConfig | undefined>> {
  const names = namesIn(search.cwd);
  const paths = [...configNames, "package.json"].filter((name) => names.has(name));
  if (search.wanted === undefined && paths.length === 0) return { value: undefined };
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
