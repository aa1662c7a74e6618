import js from "@eslint/js";
import { configs } from "typescript-eslint";

export default [
  js.configs.recommended,
  ...configs.strict,
  // Suppressions have no effect.
  { linterOptions: { noInlineConfig: true }, rules: { "no-undef": "off" } },
];
