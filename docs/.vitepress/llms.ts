/** The texts for language models: the list of pages, in the repository and on the site, and their texts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pagesOf, type SitePage, sections } from "./pages.ts";

/** `href` returns the link to a page. */
export function listOfPages(href: (source: string, page: string) => string): string {
  const parts = sections.map((section) => {
    const lines = pagesOf(section).map(
      (entry) => `- [${entry.title}](${href(entry.source, entry.page)}): ${entry.description}`,
    );
    return `## ${section.title}\n\n${lines.join("\n")}\n`;
  });
  return `# ridlkit

> A contract-first toolkit for TypeScript: one schema in RIDL or YAML becomes types, a typed client, a validating server and an OpenAPI document. This repository also has a
> complete product built with it, a blockchain platform API, which runs on one machine with \`npm ci && npm start\`.

${parts.join("\n")}`;
}

/** What a project with ridlkit needs, in `llms-small.txt`. */
const essential = ["schema-language", "handlers", "errors", "client", "server-options", "auth"];

/** Next to the site's files: `llms.txt`, `llms-full.txt` with all pages, and `llms-small.txt` with the most important ones. */
export function writeTextForModels(root: string, outDir: string, base: string): void {
  writeFileSync(
    join(outDir, "llms.txt"),
    listOfPages((_, page) => `${base}${page}.html`),
  );
  const pages = sections.flatMap(pagesOf);
  write("llms-full.txt", pages);
  write(
    "llms-small.txt",
    pages.filter(({ page }) => essential.includes(page)),
  );

  function write(name: string, pages: readonly SitePage[]): void {
    const texts = pages.map(
      ({ source }) => `<!-- ${source} -->\n\n${readFileSync(join(root, source), "utf8").trim()}\n`,
    );
    writeFileSync(join(outDir, name), texts.join("\n"));
  }
}
