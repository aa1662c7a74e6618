/** The site of the docs. `npm run docs` in the repository's root builds it into `docs/.vitepress/dist`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import { assemblePages, logo } from "./assemble.ts";
import { writeTextForModels } from "./llms.ts";
import { pagesOf, platform, type SitePage, sections, toolkit } from "./pages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const assembled = fileURLToPath(new URL("assembled", import.meta.url));
const grammar = "generator/tools/lsp/vscode/syntaxes/ridl.tmLanguage.json";
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { readonly version: string };

/** Where the site is served: "/", or a path such as "/ridlkit/" for a project page. */
const base = process.env["DOCS_BASE"] ?? "/";

/** `owner/name` on GitHub, which sets it in workflows. Without it, pages have no links to the repository. */
const repository = process.env["GITHUB_REPOSITORY"];

const pages = new Map(sections.flatMap(pagesOf).map((entry) => [`${entry.page}.md`, entry]));

assemblePages(root, assembled);

export default defineConfig({
  title: "ridlkit",
  description: "Describe your services, types and errors once; ridlkit generates the rest.",
  lang: "en",
  base,
  srcDir: assembled,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(logo)}` }]],
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
    logo: "/logo.svg",
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Guides come before references, and both before the pages of the platform and the project.
            boostDocument: (id: string) => {
              if (/[/](codes|platform)[/]|[/](changelog|architecture|contributing)[.]/.test(id)) return 0.2;
              return /[/](commands|codes|lint-rules|breaking-rules|template-plan)[.]/.test(id) ? 0.5 : 1;
            },
          },
        },
      },
    },
    outline: [2, 3],
    // Guides end with a link to the next page.
    docFooter: { prev: false, next: false },
    ...(repository === undefined
      ? {}
      : {
          editLink: { pattern: ({ frontmatter }) => frontmatter["source"], text: "Edit this page" },
          socialLinks: [{ icon: "github" as const, link: `https://github.com/${repository}` }],
        }),
    footer: { message: "MIT license" },
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "Guides", link: "/schema-language" },
      { text: "Reference", link: "/commands" },
      { text: "The platform", link: "/platform/running" },
      { text: version, link: "/changelog" },
    ],
    sidebar: { "/platform/": sidebarOf(platform), "/": sidebarOf(toolkit) },
  },
  transformPageData: (pageData) => {
    const page = pages.get(pageData.relativePath);
    if (page === undefined) return;
    pageData.description = `${page.title}: ${page.description}`;
    if (repository !== undefined)
      pageData.frontmatter["source"] = `https://github.com/${repository}/edit/main/${page.source}`;
  },
  // The theme's front page has no main landmark.
  transformHtml: (html) =>
    html.replace('<div class="VPContent is-home"', '<div role="main" class="VPContent is-home"'),
  buildEnd: ({ outDir }) => writeTextForModels(root, outDir, base),
});

function sidebarOf(book: typeof sections): DefaultTheme.SidebarItem[] {
  return book.map(({ title, pages }) => ({
    text: title,
    items: pages.map(itemOf),
  }));
}

function itemOf({ title, page, children }: SitePage): DefaultTheme.SidebarItem {
  const item = { text: title, link: `/${page}` };
  return children === undefined ? item : { ...item, collapsed: true, items: children.map(itemOf) };
}
