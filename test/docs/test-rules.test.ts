/** docs/testing.md explains each rule that `ridlkit test` reports. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage, root } from "../support/docs.ts";

const folder = join(root, "generator/verify/contract-test");
const code = readdirSync(folder)
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n");

/** Matches `violation("responds", …)`, `this.report("credentials", …)`, `#report(get, "get-finds-record", …)` and `rule: "accepts-valid"`. */
const ruleName = /(?:violation\(\s*|report\(\s*(?:\w+,\s*)?|\brule: )"([a-z-]+)"/g;

test("docs/testing.md has a row for each rule of ridlkit test", () => {
  const inCode = new Set([...code.matchAll(ruleName)].map(([, name]) => name));
  const rows = readPage("docs/testing.md").matchAll(/^\| `([a-z-]+)` \|/gm);
  expect([...rows].map(([, name]) => name).sort()).toEqual([...inCode].sort());
});
