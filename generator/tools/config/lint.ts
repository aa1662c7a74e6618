import { lintRules } from "../../language/lint/rules/index.ts";
import { presetNames, severities } from "../../language/lint/settings.ts";
import type { LintConfig, LintRules } from "./config.ts";
import {
  type ConfigNode,
  type ErrorCollector,
  readObject,
  rejectValue,
  type SettingReader,
  scalarReader,
} from "./read.ts";

const readPreset: SettingReader<string> = oneOf(presetNames);
const readSeverity: SettingReader<string> = oneOf(severities);

/** Reads a preset, or an object with a preset and severities by rule. */
export const readLint: SettingReader<LintConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): LintConfig | undefined => {
    if (node.kind === "string") return readPreset(node, path, faults) as LintConfig | undefined;
    if (node.kind !== "object") return rejectValue(node, path, faults, readLint.expected);
    const rules = Object.fromEntries(lintRules.map(({ name }) => [name, readSeverity]));
    const shape = { preset: readPreset, ...rules };
    return readObject<Record<string, string>>(node, path, { shape, required: [] }, faults) as LintRules;
  },
  { expected: `${readPreset.expected}, or an object such as { "missing-docs": "warning" }` },
);

/** `["off", "warning", "error"]` → `"off", "warning" or "error"`. */
function oneOf(words: readonly string[]): SettingReader<string> {
  const quoted = words.map((word) => `"${word}"`);
  return scalarReader(`${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`, (node) =>
    node.kind === "string" && words.includes(node.value) ? node.value : undefined,
  );
}
