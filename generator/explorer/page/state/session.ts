/** Stores keys for this tab and the theme for this browser. The page also works if the browser blocks storage. */
import { useEffect, useState } from "preact/hooks";
import type { PastCall } from "../call/past-call.ts";
import { type Calls, readCalls, withCall } from "./history.ts";

export type KeyValues = Readonly<Record<string, string>>;

/** Contracts on the same web host, such as a site of docs, must not share keys. */
const keysName = (): string => `explorer.keys ${location.pathname}`;

export function useKeys(given: KeyValues): readonly [KeyValues, (name: string, text: string) => void] {
  const [keys, setKeys] = useState<KeyValues>(() => ({ ...given, ...readKeyValues() }));
  const change = (name: string, text: string): void => {
    const changed = { ...keys, [name]: text };
    setKeys(changed);
    tryStore(() => sessionStorage.setItem(keysName(), JSON.stringify(changed)));
  };
  return [keys, change];
}

function readKeyValues(): KeyValues {
  try {
    return JSON.parse(readStored(keysName()) || "{}") as KeyValues;
  } catch {
    return {};
  }
}

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const themeName = "explorer.theme";

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    tryStore(() => localStorage.setItem(themeName, theme));
  }, [theme]);
  return [theme, setTheme];
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(themeName);
    return themes.find((theme) => theme === kept) ?? "auto";
  } catch {
    return "auto";
  }
}

/** The text of this tab under a name; "" if there is none. */
function readStored(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function tryStore(write: () => void): void {
  try {
    write();
  } catch {
    // The browser blocks storage, or it is full.
  }
}

/** The calls of this tab, newest first. They survive a reload, and end with the tab. */
export interface History {
  readonly calls: Calls;
  add(call: PastCall): void;
  clear(): void;
}

/** @param contract Its name: servers of several contracts may use the same address one after the other. */
export function useHistory(contract: string): History {
  const name = `explorer.calls ${location.pathname} ${contract}`;
  const [calls, setCalls] = useState<Calls>(() => readCalls(readStored(name)));
  useEffect(() => tryStore(() => sessionStorage.setItem(name, JSON.stringify(calls))), [name, calls]);
  return {
    calls,
    add: (call) => setCalls((before) => withCall(before, call)),
    clear: () => setCalls([]),
  };
}
