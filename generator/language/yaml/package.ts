import { createRequire } from "node:module";

type YamlPackage = Pick<
  typeof import("yaml"),
  "Composer" | "Lexer" | "Parser" | "isMap" | "isScalar" | "isSeq"
>;

declare const RIDLKIT_YAML: string;

let loaded: YamlPackage | undefined;

/**
 * Loads the `yaml` package when the first YAML file is parsed. It is required rather than imported, because parsing is
 * synchronous. The build bundles the parts named here into one file, which loads in a third of the time.
 */
export function yamlPackage(): YamlPackage {
  loaded ??= createRequire(import.meta.url)(
    typeof RIDLKIT_YAML === "string" ? RIDLKIT_YAML : "yaml",
  ) as YamlPackage;
  return loaded;
}
