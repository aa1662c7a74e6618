import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

test.each(["CONTRIBUTING.md", "ARCHITECTURE.md", "docs/platform/architecture.md"])(
  "every file and folder that %s names exists",
  (name) => {
    const text = readFileSync(join(root, name), "utf8");
    const named =
      text.match(/(?<!\/)\b(?:generator|schema|server|test|docs)\/[\w./-]*\w|[.]ci\/run|\b[A-Z]+[.]md/g) ??
      [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

test("every script that CONTRIBUTING.md names exists", () => {
  const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? "");
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test("the eighteen commonest changes are described", () => {
  expect(page.split("## Common changes")[1]?.match(/^### /gm)).toHaveLength(18);
});
