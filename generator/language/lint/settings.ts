import type { LintRule, PresetName } from "./rule.ts";
import { lintRules } from "./rules/index.ts";

/** The severity of the findings of a rule. */
export type LintSeverity = "off" | "warning" | "error";

/** The enabled rules by name. */
export type LintSettings = ReadonlyMap<string, Exclude<LintSeverity, "off">>;

/** Each preset includes the rules of those before it. */
export const presetNames: readonly PresetName[] = ["off", "default", "recommended", "strict"];
export const severities: readonly LintSeverity[] = ["off", "warning", "error"];

/** Severities of individual rules, which override the preset. */
export interface LintOptions {
  readonly preset?: PresetName;
  readonly [rule: string]: string | undefined;
}

/** `{ preset: "recommended", "missing-docs": "error" }` → the rules of the preset as warnings, and `missing-docs` as an error. */
export function lintSettings(config: PresetName | LintOptions = "default"): LintSettings {
  const { preset = "default", ...given }: LintOptions =
    typeof config === "string" ? { preset: config } : config;
  const settings = new Map<string, Exclude<LintSeverity, "off">>();
  for (const rule of lintRules) {
    const severity = given[rule.name] ?? (isIn(rule, preset) ? "warning" : "off");
    if (severity === "warning" || severity === "error") settings.set(rule.name, severity);
  }
  return settings;
}

/** Whether any rule is enabled that is not enabled by default. */
export function hasOptInRules(settings: LintSettings): boolean {
  return lintRules.some(({ name, preset }) => preset !== "default" && settings.has(name));
}

function isIn(rule: LintRule, preset: PresetName): boolean {
  return presetNames.indexOf(rule.preset) <= presetNames.indexOf(preset);
}
