/** Copies the pages of the site from all over the repository into one folder, with their links and images. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pagesOf, sections } from "./pages.ts";

/** `docs/handlers.md` → `handlers`: where a source is on the site. */
const pageOf = new Map(sections.flatMap(pagesOf).map(({ source, page }) => [source, page]));

export const logo: string =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3451b2"/>' +
  '<path d="M9 24V8h8a5 5 0 0 1 1 9.9L23 24m-14-6h8" fill="none" stroke="#fff" stroke-width="3"/></svg>';

export function assemblePages(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [source, page] of pageOf) write(`${page}.md`, withSiteLinks(read(source), source));
  write("index.md", withExample(read("docs/.vitepress/home.md"), read("README.md")));
  write("public/logo.svg", logo);
  cpSync(join(root, "docs/images"), join(folder, "images"), { recursive: true });

  function read(source: string): string {
    return readFileSync(join(root, source), "utf8");
  }

  function write(path: string, text: string): void {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Links in a page lead to files of the repository. On the site they lead to pages, and links to other files become plain text. */
  function withSiteLinks(text: string, source: string): string {
    const code = /^```.*?^```$|`[^`\n]+`/;
    const link = /(!?)\[((?:`[^`\n]+`|[^\][`]|\[[^\]]*\])*)\]\(([^)\s]+)\)/;
    // Badges are for the code host.
    const prose = text.replace(/^\[!\[.*\n\n/m, "");
    return prose.replaceAll(new RegExp(`${link.source}|${code.source}`, "gms"), rewrite);

    function rewrite(link: string, image: string, words: string, href: string | undefined): string {
      if (href === undefined) return link;
      const [path = "", anchor] = href.split("#");
      if (path === "" || /^[a-z]+:/.test(path)) return link;
      const target = posix.join(posix.dirname(source), path);
      const from = posix.dirname(pageOf.get(source) ?? "");
      if (image === "!") return pictureOf(words, target, from);
      const page = pageOf.get(target);
      if (page === undefined) return words;
      return `[${words}](./${posix.relative(from, `${page}.md`)}${anchor === undefined ? "" : `#${anchor}`})`;
    }
  }

  /** With its variant for dark screens, if there is one: `explorer.png`, `explorer-dark.png`. */
  function pictureOf(words: string, target: string, from: string): string {
    const path = `./${posix.relative(from, posix.relative("docs", target))}`;
    const dark = target.replace(/(?=[.]\w+$)/, "-dark");
    if (!existsSync(join(root, dark))) return `![${words}](${path})`;
    const darkPath = path.replace(/(?=[.]\w+$)/, "-dark");
    return `![${words}](${path}){.light-only} ![${words}](${darkPath}){.dark-only}`;
  }
}

/** Puts the blocks of the README that a page names into the page: `<!-- README: shop.ridl -->`. */
function withExample(page: string, readme: string): string {
  return page.replaceAll(/^<!-- README: (.+) -->$/gm, (_, file: string) => {
    const block = readme.match(/^```.*?^```$/gms)?.find((text) => text.split("\n")[1]?.endsWith(` ${file}`));
    if (block === undefined) throw new Error(`the README has no block ${file}`);
    return block;
  });
}
