/** What every page of the repository has to keep: schemas compile, code runs in some test, and paths exist. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { platform, toolkit } from "../../docs/.vitepress/pages.ts";
import { templateNames } from "../../generator/codegen/emit/render.ts";
import { compile } from "../../generator/language/compile.ts";
import { blocksOf, nextLine, pages, readPage, root } from "../support/docs.ts";
import { memoryReader } from "../support/memory-reader.ts";

const blocks = pages().flatMap(blocksOf);

// `broken.ridl` is a page's example of an error.
test.each(blocks.filter(({ language, file }) => language === "ridl" && file !== "broken.ridl"))(
  "the schema at $page:$line compiles",
  ({ text }) => {
    const source = /^webrpc\b/m.test(text) ? text : `webrpc = v1\nversion = v1\n${text}`;
    const { diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": source }));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message)).toEqual([]);
  },
);

test.each(blocks.filter(({ language, text }) => language === "yaml" && /^webrpc:/m.test(text)))(
  "the YAML schema at $page:$line compiles",
  ({ text }) => {
    const { diagnostics } = compile("m.yaml", memoryReader({ "m.yaml": text }));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message)).toEqual([]);
  },
);

/** Pages whose code is checked by a test that knows the page, or quotes code that is compiled elsewhere. */
const knownPages = [
  "docs/configuration.md",
  "docs/template-plan.md",
  "docs/platform/webhooks.md",
  ...pages().filter((page) => page.startsWith("docs/works-with")),
  "client/README.md",
];

test("TypeScript and JavaScript of a page name their file, so that a test compiles and runs them", () => {
  const anonymous = blocks.filter(
    ({ page, language, file }) =>
      /^(ts|tsx|typescript|js|javascript)$/.test(language) &&
      file === undefined &&
      !knownPages.includes(page),
  );
  expect(anonymous.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

test.each(blocks.filter(({ language, text }) => language === "json" && !/\/\/|…/.test(text)))(
  "the JSON at $page:$line is valid",
  ({ text }) => expect(() => JSON.parse(text)).not.toThrow(),
);

test("imports of the runtime and the toolkit in the docs are of modules that stay", () => {
  const [, table = ""] = readPage("docs/runtime.md").split("## What to import");
  const [, stable = ""] = /^[|] package [|](.*)$/m.exec(readPage("docs/versions.md")) ?? [];
  const declared = [...`${table.split("\n## ")[0]}${stable}`.matchAll(/`(ridlkit[^`]*)`/g)].map(
    ([, name]) => name,
  );
  const imports = blocks.flatMap(({ page, line, text }) =>
    [...text.matchAll(/from "(ridlkit(?:-runtime)?(?:\/[^"]*)?)"/g)].map(([, name]) => ({
      at: `${page}:${line}`,
      name,
    })),
  );
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter(({ name }) => !declared.includes(name))).toEqual([]);
});

test.each(pages())("paths named in %s exist", (page) => {
  const named = readPage(page).matchAll(/`((?:generator|schema|server|client|test)\/[\w./-]*)`/g);
  const paths = [...named].map(([, path]) => path ?? "");
  // Templates are named by their place among the emitters, without an extension.
  const isTemplate = (path: string): boolean => templateNames.some((name) => name === path);
  expect(paths.filter((path) => !isTemplate(path) && !existsSync(join(root, path)))).toEqual([]);
});

test("each guide ends with a link to the page after it in the sidebar", () => {
  const guides = [...toolkit, ...platform]
    .filter(({ title }) => title !== "Reference")
    .flatMap((section) => section.pages)
    .filter(({ source }) => source.startsWith("docs/") && !/(commands|settings)[.]md$/.test(source));
  expect(guides.length).toBeGreaterThan(20);
  expect(
    guides.flatMap(({ source }) => {
      const text = readPage(source);
      const next = nextLine(source);
      const links = text.match(/^Next: .*$/gm) ?? [];
      return text.endsWith(`\n${next}\n`) || next === "" ? links.slice(1) : [`${source}: ${next}`];
    }),
  ).toEqual([]);
});

test("the README is among the pages", () => {
  expect(pages()).toContain("README.md");
});
