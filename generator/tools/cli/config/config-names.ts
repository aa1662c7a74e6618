import type { SourceReader } from "../../../language/source/reader.ts";
import type { Config } from "../../config/config.ts";

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

/** File names that are searched. */
export const configNames: readonly string[] = ["ts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `ridlkit.config.${extension}`,
);
