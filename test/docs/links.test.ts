import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { listOfPages } from "../../docs/.vitepress/llms.ts";
import { pagesOf, sections } from "../../docs/.vitepress/pages.ts";
import { pages, readPage, root } from "../support/docs.ts";

const all = [...pages(), "llms.txt"];

test.each(all)("links of %s lead somewhere", (page) => {
  expect([...faultsOf(page)]).toEqual([]);
});

// After a change of docs/.vitepress/pages.ts: npx vitest run test/docs/links.test.ts --update
test("llms.txt lists the pages of the site", async () => {
  await expect(listOfPages((source) => source)).toMatchFileSnapshot("../../llms.txt");
});

test("the site has every page of the docs", () => {
  const named = sections.flatMap(pagesOf).map(({ source }) => source);
  const docs = pages().filter(
    (page) =>
      page.startsWith("docs/") || /^(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)[.]md$/.test(page),
  );
  expect(docs.filter((page) => !named.includes(page))).toEqual([]);
});

function* faultsOf(page: string): Generator<string> {
  for (const link of linksOf(page)) {
    // The code host serves what is above the repository, such as badges.
    if (/^[a-z]+:/.test(link) || relative(root, join(root, dirname(page), link)).startsWith("..")) continue;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : relative(root, join(root, dirname(page), path));
    if (!existsSync(join(root, target))) yield `${link}: there is no ${target}`;
    else if (anchor !== undefined && !anchorsOf(target).has(anchor))
      yield `${link}: there is no such heading`;
  }
}

/** Outside of code. */
function linksOf(page: string): readonly string[] {
  const prose = readPage(page)
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
}

/** As code hosts make them of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [
    ...readPage(page)
      .replaceAll(/^```.*?^```$/gms, "")
      .matchAll(/^#+ +(.+)$/gm),
  ];
  return new Set(
    headings.map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  );
}
