/** Output fits into the terminal. */
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../../../generator/language/diagnostics/visible.ts";
import { commands } from "../../../../generator/tools/cli/commands/index.ts";
import { folder, ridlkit } from "../../../support/program.ts";

const pages = [["help"], ...commands.map(({ name }) => ["help", name]), ["explain"], ["explain", "RK308"]];

/** Lines that are wider than the terminal, except single words and commands to copy. */
function tooWide(text: string, columns: number): readonly string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => columnsOf(line) > columns && !/^ *(\S+|ridlkit .*)$/.test(line));
}

describe.each([40, 80, 200])("in %i columns", (columns) => {
  test.each(pages)("%s %s", async (...words) => {
    const { out } = await ridlkit(words, { columns });
    const piped = await ridlkit(words);
    expect(tooWide(out, columns)).toEqual([]);
    expect(stripVTControlCharacters(out).split(/\s+/)).toEqual(piped.out.split(/\s+/));
  });

  test("ridlkit without a command", async () => {
    const { err } = await ridlkit([], { columns });
    expect(tooWide(err, columns)).toEqual([]);
    expect(stripVTControlCharacters(err)).toContain("Commands:");
  });

  test("findings of doctor", async () => {
    using dir = folder({
      "api.ridl": "webrpc = v1\nname = a\nversion = v1\n\nstruct A\n  - a: string\n",
      "ridlkit.config.json": '{"schemas":[{"entry":"api.ridl","out":"generated"}]}',
    });
    const { out } = await ridlkit(["doctor"], { cwd: dir.path, columns });
    expect(tooWide(out, columns)).toEqual([]);
    expect(stripVTControlCharacters(out)).toMatch(/^(ok|warning|error) /);
  });

  test("source lines of diagnostics", async () => {
    const method = `  - Get(${"日本語: string, ".repeat(20)}kind: Knd, ${"other: string, ".repeat(20)}) => (a: Other)`;
    using dir = folder({ "api.ridl": `webrpc = v1\nname = a\nversion = v1\n\nservice A\n${method}\n` });
    const { err } = await ridlkit(["lint", "api.ridl"], {
      cwd: dir.path,
      columns,
      env: { NO_COLOR: "1" },
    });
    const lines = err.split("\n").filter((line) => / \| /.test(line));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(Math.min(columns, 115));
    expect(Math.max(...lines.map(columnsOf))).toBeGreaterThan(Math.min(columns, 115) - 8);
  });
});

test("a pipe gets the whole list of codes, a line each", async () => {
  const { out } = await ridlkit(["explain"]);
  expect(
    out
      .trimEnd()
      .split("\n")
      .every((line) => /^RK\d{3} (error|warning) +\S/.test(line)),
  ).toBe(true);
});
