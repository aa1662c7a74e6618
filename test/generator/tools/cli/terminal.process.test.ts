/** The program on a real terminal. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnsOf } from "../../../../generator/language/diagnostics/visible.ts";
import { type Folder, folder, program } from "../../../support/program.ts";

const schema = "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n\nservice A\n  - Ping(a: string)\n";
const recording = '{"service":"A","method":"Ping","request":{"a":"x"}}\n';

let dir: Folder;
beforeAll(() => {
  const names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
  const service = `service A\n  - Get(${names.map((name) => `${name}: string, `).join("")}kind: Knd)\n`;
  dir = folder({ "api.ridl": `webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n\n${service}` });
});
afterAll(() => dir[Symbol.dispose]());

/** What a terminal of the given width shows of `ridlkit WORDS` in a shell. */
function shownIn(
  columns: number,
  words: string,
  env: Readonly<Record<string, string>> = {},
  cwd: string = dir.path,
): string {
  const script = `stty cols ${columns} rows 40; '${process.execPath}' '${program}' ${words}`;
  return execFileSync("script", ["-qc", script, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm-kitty", ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).replaceAll("\r\n", "\n");
}

test("a diagnostic is colored, linked and as wide as the terminal", () => {
  const link = `\u001b]8;;${pathToFileURL(join(dir.path, "api.ridl")).href}\u001b\\`;
  for (const columns of [40, 80]) {
    const shown = shownIn(columns, "lint api.ridl");
    expect(shown).toContain("\u001b[1;31merror[RK308]\u001b[0m");
    expect(shown).toContain(`${link}api.ridl:7:140\u001b]8;;\u001b\\\n`);
    const lines = stripVTControlCharacters(shown).split("\n");
    const code = lines.find((line) => line.startsWith("7 | ")) ?? "";
    expect(code).toMatch(/^7 \| \.\.\..*kind: Knd/);
    expect(columnsOf(code)).toBeLessThanOrEqual(columns);
    expect(columnsOf(code)).toBeGreaterThan(columns - 8);
  }
});

test("help is as wide as the terminal", () => {
  const widest = (text: string): number =>
    Math.max(...stripVTControlCharacters(text).split("\n").map(columnsOf));
  expect(widest(shownIn(60, "help lint"))).toBeLessThanOrEqual(60);
  expect(widest(shownIn(60, "help lint | cat"))).toBeGreaterThan(90);
});

test.each([
  ["help", "\u001b[1mCommands:\u001b[0m\n  \u001b[34minit\u001b[0m"],
  ["help lint", "\u001b[1mOptions:\u001b[0m\n  \u001b[34m--project NAME\u001b[0m"],
  ["lint good.ridl", "good.ridl: 1 method, 0 types, 0 errors, \u001b[32mno problems\u001b[0m"],
  ["init shop --stack node --schema ridl --dry-run", "\u001b[32madded\u001b[0m   shop/package.json"],
  ["test good.ridl --recording calls.ndjson", "1 call (--seed 1): \u001b[32m0 findings\u001b[0m"],
])("%s is colored on a terminal only", (words, expected) => {
  using project = folder({ "good.ridl": schema, "calls.ndjson": recording });
  expect(shownIn(100, words, {}, project.path)).toContain(expected);
  expect(shownIn(100, `${words} --no-color`, {}, project.path)).not.toContain("\u001b[3");
  expect(shownIn(100, `${words} 2>&1 | cat`, {}, project.path)).not.toContain("\u001b");
});

test.each<[string, Readonly<Record<string, string>>]>([
  ["lint api.ridl 2>&1 | cat", {}],
  ["lint api.ridl 2>&1 | cat", { FORCE_HYPERLINK: "1" }],
  ["lint api.ridl --format json", {}],
  ["lint api.ridl --no-color", {}],
  ["lint api.ridl", { FORCE_HYPERLINK: "0" }],
])("%s with %j shows no links", (words, env) => {
  const shown = shownIn(80, words, env);
  expect(shown).toContain("RK308");
  expect(shown).not.toContain("\u001b]8");
});

test.each([
  ["generate api.ridl --out out", "Generating out"],
  ["breaking api.ridl --against old.ridl", "Comparing api.ridl with old.ridl"],
  [
    "breaking api.ridl --against old.ridl --replay generated",
    "Generating clients and servers of both versions",
  ],
  ["scaffold --handlers handlers", "Reading handlers"],
  ["doctor", "Type-checking tsconfig.json"],
  ["test api.ridl --recording calls.ndjson", "Checking 1 call"],
])("%s reports its progress on a terminal only", (words, expected) => {
  using project = folder({
    "api.ridl": schema,
    "old.ridl": schema.replace("(a", "(b?"),
    "calls.ndjson": recording,
    "tsconfig.json": '{"files":["a.ts"]}',
    "a.ts": "export {};\n",
    "ridlkit.config.json": '{"schemas":[{"entry":"api.ridl","out":"generated"}]}',
  });
  const shown = shownIn(80, words, {}, project.path);
  expect(shown).toContain(`\r${expected}`);
  expect(shown.split("\r").at(-1)).not.toContain(expected);
  const piped = shownIn(80, `${words} 2>&1 | cat`, {}, project.path);
  expect(piped).not.toContain(expected);
  expect(piped).not.toContain("\r");
});
