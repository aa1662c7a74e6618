import type { Config } from "./config.ts";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

export function settingEntries(): readonly [keyof Config, Setting<unknown>][] {
  return Object.entries(settings) as [keyof Config, Setting<unknown>][];
}

/** `dataDir` → `data-dir`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `dataDir` → `DATA_DIR`. */
export function envName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
