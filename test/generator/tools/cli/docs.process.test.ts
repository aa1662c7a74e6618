import { expect, test } from "vitest";
import { readPage } from "../../../support/docs.ts";
import { ridlkitProcess } from "../../../support/program.ts";

test("docs lists the pages, prints one, and finds sections", async () => {
  const list = await ridlkitProcess(["docs"]);
  expect(list).toMatchObject({ code: 0, err: "" });
  expect(list.out).toContain("handlers: Handlers\n");
  expect(list.out).toContain("works-with/koa: Koa\n");
  expect(list.out).not.toContain("platform/");
  // Longer than what agents get at once.
  const page = await ridlkitProcess(["docs", "commands"]);
  expect(page.out).toBe(readPage("docs/commands.md"));
  const sections = await ridlkitProcess(["docs", "optimistic", "updates"]);
  expect(sections.out).toContain("## Optimistic updates");
});

test("docs prints JSON", async () => {
  const { out } = await ridlkitProcess(["docs", "versions", "--format", "json"]);
  expect(JSON.parse(out)).toEqual({ text: readPage("docs/versions.md") });
});
