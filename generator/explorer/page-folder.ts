import { existsSync } from "node:fs";
import { join } from "node:path";

/** The built page, next to the program. The program's chunks are in a folder of their own, so its parent is searched too. */
export function pageFolder(): string {
  const places = ["explorer", "../explorer"].map((place) => join(import.meta.dirname, place));
  return places.find((place) => existsSync(join(place, "index.html"))) ?? places[0] ?? "";
}
