import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { pages, readPage, root } from "../support/docs.ts";

const all = [...pages(), "llms.txt"];

test.each(all)("links of %s lead somewhere", (page) => {
  expect([...faultsOf(page)]).toEqual([]);
});

test("llms.txt names every page of the docs", () => {
  const named = linksOf("llms.txt").map((link) => link.split("#")[0]);
  const docs = pages().filter(
    (page) =>
      page.startsWith("docs/") || /^(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)[.]md$/.test(page),
  );
  expect(docs.filter((page) => !named.includes(page))).toEqual([]);
});

function* faultsOf(page: string): Generator<string> {
  for (const link of linksOf(page)) {
    if (/^[a-z]+:/.test(link)) continue;
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
