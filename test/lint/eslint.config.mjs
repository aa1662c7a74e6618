import js from "@eslint/js";
import { globalIgnores } from "eslint/config";
import { configs } from "typescript-eslint";

export default [
  globalIgnores(["**/explorer/"]),
  js.configs.recommended,
  ...configs.strict,
  // Suppressions have no effect.
  { linterOptions: { noInlineConfig: true }, rules: { "no-undef": "off" } },
];
