/** The site of the docs. `npm run docs` in the repository's root builds it into `docs/.vitepress/dist`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { assemblePages } from "./assemble.ts";
import { writeTextForModels } from "./llms.ts";
import { sections } from "./pages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const assembled = fileURLToPath(new URL("assembled", import.meta.url));
const grammar = "generator/tools/lsp/vscode/syntaxes/ridl.tmLanguage.json";
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { readonly version: string };

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3451b2"/>' +
  '<path d="M9 24V8h8a5 5 0 0 1 1 9.9L23 24m-14-6h8" fill="none" stroke="#fff" stroke-width="3"/></svg>';

assemblePages(root, assembled);

export default defineConfig({
  title: "ridlkit",
  description: "Describe your services, types and errors once; ridlkit generates the rest.",
  lang: "en",
  // Where the site is served: "/", or a path such as "/ridlkit/" for a project page.
  base: process.env["DOCS_BASE"] ?? "/",
  srcDir: assembled,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Headings have the same anchors as on code hosts, so that a link works in both places.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .trim()
          .replaceAll(/\s/g, "-"),
    },
    languages: [{ ...JSON.parse(readFileSync(root + grammar, "utf8")), name: "ridl", displayName: "RIDL" }],
    languageAlias: { ndjson: "json" },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/handlers" },
      { text: "Reference", link: "/commands" },
      { text: version, link: "/changelog" },
    ],
    sidebar: sections.map(({ title, pages }) => ({
      text: title,
      items: pages.map(({ title: text, page }) => ({ text, link: `/${page}` })),
    })),
  },
  buildEnd: ({ outDir }) => writeTextForModels(root, outDir),
});
