import type { SourceReader } from "../../../language/source/reader.ts";
import type { Config } from "../../config/config.ts";

/** A configuration and the path of its file from the working directory. */
export interface FoundConfig {
  readonly path: string;
  readonly config: Config;
}

export interface ConfigSearch {
  /** Absolute. Only this directory is searched, not its parents. */
  readonly cwd: string;
  readonly reader: SourceReader;
  /** Reads this file instead of searching. */
  readonly requestedPath: string | undefined;
}

export const configNames: readonly string[] = ["ts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `ridlkit.config.${extension}`,
);
