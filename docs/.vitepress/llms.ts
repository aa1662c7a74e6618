import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sections } from "./pages.ts";

/** Writes `llms.txt`, the list of pages, and `llms-full.txt`, their texts in the order of the sidebar, next to the site's files. */
export function writeTextForModels(root: string, outDir: string): void {
  copyFileSync(join(root, "llms.txt"), join(outDir, "llms.txt"));
  const texts = sections
    .flatMap(({ pages }) => pages)
    .map(({ source }) => `<!-- ${source} -->\n\n${readFileSync(join(root, source), "utf8").trim()}\n`);
  writeFileSync(join(outDir, "llms-full.txt"), texts.join("\n"));
}
