import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pageFolder } from "./page-folder.ts";

/** The texts of a built page by name. Empty if there is no such folder. */
export function pageTexts(folder: string = pageFolder()): Readonly<Record<string, string>> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
