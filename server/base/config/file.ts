import { existsSync, readFileSync } from "node:fs";
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { isSystemError, systemReason } from "../../../generator/language/diagnostics/system-reason.ts";
import { settings } from "./settings.ts";

export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

/** Read from the working directory by default, if it exists. */
const defaultPath = "platform.config.yaml";

/** Reads a file of settings, YAML or JSON (a subset of YAML). */
export async function readFile(named: string | boolean | undefined): Promise<ConfigFile> {
  const path = typeof named === "string" ? named : defaultPath;
  if (named === undefined && !existsSync(path)) return { path, values: {}, faults: [] };
  const failed = (fault: string): ConfigFile => ({ path, values: {}, faults: [`${path}: ${fault}`] });
  let values: unknown;
  try {
    const { parse } = await import("yaml");
    values = parse(readFileSync(path, "utf8"));
  } catch (err) {
    if (isSystemError(err)) return failed(systemReason(err));
    return failed(err instanceof Error ? (err.message.split("\n")[0] ?? "") : String(err));
  }
  if (values === null) return { path, values: {}, faults: [] };
  if (typeof values !== "object" || Array.isArray(values))
    return failed("expected settings such as port: 4000");
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(settings, key));
  return {
    path,
    values: values as Record<string, unknown>,
    faults: unknown.map(
      (key) => `${path}: unknown setting "${key}"${hint(suggest(key, Object.keys(settings)))}`,
    ),
  };
}

function hint(name: string | undefined): string {
  return name === undefined ? "" : `; did you mean "${name}"?`;
}
