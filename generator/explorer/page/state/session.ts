/** What is kept of a visit: keys for this tab alone, the theme for this browser. A browser that keeps nothing is served all the same. */
import { useEffect, useState } from "preact/hooks";

export type Texts = Readonly<Record<string, string>>;

const keysName = "explorer.keys";

export function useKeys(given: Texts): readonly [Texts, (name: string, text: string) => void] {
  const [keys, setKeys] = useState<Texts>(() => ({ ...given, ...readTexts() }));
  const change = (name: string, text: string): void => {
    const changed = { ...keys, [name]: text };
    setKeys(changed);
    keep(() => sessionStorage.setItem(keysName, JSON.stringify(changed)));
  };
  return [keys, change];
}

function readTexts(): Texts {
  try {
    return JSON.parse(sessionStorage.getItem(keysName) ?? "{}") as Texts;
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
    keep(() => localStorage.setItem(themeName, theme));
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

function keep(write: () => void): void {
  try {
    write();
  } catch {
    // Not kept: the browser has its storage switched off.
  }
}
