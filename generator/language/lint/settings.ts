import type { LintRule, PresetName } from "./rule.ts";
import { lintRules } from "./rules/index.ts";

/** What a rule finds counts as this. */
export type LintSeverity = "off" | "warning" | "error";

/** The rules that are on, by name. */
export type LintSettings = ReadonlyMap<string, Exclude<LintSeverity, "off">>;

/** Each has all rules of those before it. */
export const presetNames: readonly PresetName[] = ["off", "default", "recommended", "strict"];
export const severities: readonly LintSeverity[] = ["off", "warning", "error"];

/** Severities by rule, on top of those of `preset`. */
export interface LintOptions {
  readonly preset?: PresetName;
  readonly [rule: string]: string | undefined;
}

/** `{ preset: "recommended", "missing-docs": "error" }` → those of the preset as warnings, and that one. */
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

/** Whether rules are on that somebody has asked for. */
export function hasOptInRules(settings: LintSettings): boolean {
  return lintRules.some(({ name, preset }) => preset !== "default" && settings.has(name));
}

function isIn(rule: LintRule, preset: PresetName): boolean {
  return presetNames.indexOf(rule.preset) <= presetNames.indexOf(preset);
}
