import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The texts of a built page by name. Empty if there is no such folder. */
export function pageTexts(folder: string = pageFolder()): Readonly<Record<string, string>> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** The built page, next to the program. The program's chunks are in a folder of their own, so its parent is searched too. */
export function pageFolder(): string {
  const places = ["explorer", "../explorer"].map((place) => join(import.meta.dirname, place));
  return places.find((place) => existsSync(join(place, "index.html"))) ?? places[0] ?? "";
}
