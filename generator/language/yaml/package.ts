import { createRequire } from "node:module";

type YamlPackage = Pick<
  typeof import("yaml"),
  "Composer" | "Lexer" | "Parser" | "isMap" | "isScalar" | "isSeq"
>;

declare const RIDLKIT_YAML: string;

let loaded: YamlPackage | undefined;

/**
 * The `yaml` package, loaded when the first YAML file is met. It is required and not imported, because reading a schema does
 * not wait for anything. The build has the parts that are named here in one file, which loads in a third of the time.
 */
export function yamlPackage(): YamlPackage {
  loaded ??= createRequire(import.meta.url)(
    typeof RIDLKIT_YAML === "string" ? RIDLKIT_YAML : "yaml",
  ) as YamlPackage;
  return loaded;
}
