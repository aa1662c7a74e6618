/** Copies the pages of the site from all over the repository into one folder, with their links and images. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { sections } from "./pages.ts";

/** `docs/handlers.md` → `handlers`: where a source is on the site. */
const pageOf = new Map(sections.flatMap(({ pages }) => pages.map(({ source, page }) => [source, page])));

export function assemblePages(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [source, page] of pageOf)
    writeFileSync(
      join(folder, `${page}.md`),
      withSiteLinks(readFileSync(join(root, source), "utf8"), source),
    );
  cpSync(join(root, "docs/images"), join(folder, "images"), { recursive: true });
}

/** Links in a page lead to files of the repository. On the site they lead to pages, and links to other files become plain text. */
function withSiteLinks(text: string, source: string): string {
  return text
    .split(/(^```.*?^```$|`[^`\n]+`)/gms)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part.replaceAll(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, rewrite),
    )
    .join("");

  function rewrite(link: string, image: string, words: string, href: string): string {
    const [path = "", anchor] = href.split("#");
    if (path === "" || /^[a-z]+:/.test(path)) return link;
    const target = posix.join(posix.dirname(source), path);
    if (image === "!") return `![${words}](./${posix.relative("docs", target)})`;
    const page = pageOf.get(target);
    if (page === undefined) return words;
    return `[${words}](./${page}.md${anchor === undefined ? "" : `#${anchor}`})`;
  }
}
