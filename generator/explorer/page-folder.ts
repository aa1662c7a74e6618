import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the build has put the page: beside the program, whose parts lie in a folder of their own. */
export function pageFolder(): string {
  const places = ["explorer", "../explorer"].map((place) => join(import.meta.dirname, place));
  return places.find((place) => existsSync(join(place, "index.html"))) ?? places[0] ?? "";
}
