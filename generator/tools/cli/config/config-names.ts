import type { SourceReader } from "../../../language/source/reader.ts";
import type { Config } from "../../config/config.ts";

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
  readonly requestedPath: string | undefined;
}

/** Names that are looked for. */
export const configNames: readonly string[] = ["ts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `ridlkit.config.${extension}`,
);
