import { type Diagnostic, diagnose } from "../../language/diagnostics/diagnostic.ts";
import { parseJson } from "../../language/source/json.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { RawConfig } from "./read.ts";

/** The result of parsing a configuration. */
export type ParsedConfig =
  | { readonly config: RawConfig; readonly diagnostics: readonly [] }
  | { readonly config: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Parses a configuration in JSON. */
export function parseJsonConfig(file: SourceFile): ParsedConfig {
  const { value, fault } = parseJson(file);
  if (fault !== undefined) return syntaxError(file, { format: "JSON", ...fault });
  return { config: { path: file.path, file, root: value }, diagnostics: [] };
}

/** Reads the key "ridlkit" of a package.json. Returns undefined without that key. */
export function parsePackageConfig(file: SourceFile): ParsedConfig | undefined {
  // Most files do not have the key, and searching the text is cheaper than parsing it.
  if (!file.text.includes('"ridlkit"')) return undefined;
  const parsed = parseJsonConfig(file);
  if (parsed.config?.root.kind !== "object") return parsed.config === undefined ? parsed : undefined;
  const root = parsed.config.root.entries.find((entry) => entry.key === "ridlkit")?.value;
  return root === undefined ? undefined : { config: { ...parsed.config, root }, diagnostics: [] };
}

/** Parses a configuration in YAML 1.2. The YAML parser is imported lazily, because loading it takes 40 ms. */
export async function parseYamlConfig(file: SourceFile): Promise<ParsedConfig> {
  const { readYaml } = await import("./yaml.ts");
  const { root, fault } = await readYaml(file.text);
  if (fault !== undefined) return syntaxError(file, { format: "YAML", ...fault });
  return { config: { path: file.path, file, root }, diagnostics: [] };
}

interface SyntaxFault {
  readonly format: string;
  readonly message: string;
  readonly span: { readonly start: number; readonly end: number };
}

function syntaxError(file: SourceFile, { format, message, span }: SyntaxFault): ParsedConfig {
  return {
    config: undefined,
    diagnostics: [diagnose("config-syntax", { format, reason: message }, { file, span })],
  };
}
