import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { fileLinks } from "../../../../generator/tools/cli/output/terminal.ts";
import { folder, ridlkit } from "../../../support/program.ts";

const cwd = process.cwd();
const url = pathToFileURL(join(cwd, "package.json")).href;
const linked = `\u001b]8;;${url}\u001b\\here\u001b]8;;\u001b\\`;

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{ TERM: "xterm-kitty" }, true],
  [{ TERM: "alacritty" }, true],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, true],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, true],
  [{ TERM: "xterm-256color", VTE_VERSION: "7601" }, true],
  [{ TERM: "xterm-256color", VTE_VERSION: "5000" }, false],
  [{ WT_SESSION: "id" }, true],
  [{ TERM: "xterm-256color" }, false],
  [{}, false],
  // The terminals of these editors link `path:line:column`.
  [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, false],
  [{ TERM: "xterm-256color", TERMINAL_EMULATOR: "JetBrains-JediTerm" }, false],
  [{ TERM: "xterm-kitty", CI: "true" }, false],
  [{ TERM: "xterm-kitty", NO_COLOR: "1" }, false],
  [{ TERM: "dumb", WT_SESSION: "id" }, false],
  [{ TERM: "dumb", CI: "true", NO_COLOR: "1", FORCE_HYPERLINK: "1" }, true],
  [{ TERM: "xterm-kitty", FORCE_HYPERLINK: "0" }, false],
  [{ TERM: "xterm-kitty", FORCE_HYPERLINK: "" }, true],
])("%j: %s", (env, isLinked) => {
  const link = fileLinks({ cwd, env, options: {} }, true);
  expect(link("package.json", "here")).toBe(isLinked ? linked : "here");
  expect(link("no such file", "here")).toBe("here");
  expect(fileLinks({ cwd, env, options: {} }, false)("package.json", "here")).toBe("here");
  expect(fileLinks({ cwd, env, options: { color: false } }, true)("package.json", "here")).toBe("here");
});

const bad = "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n\nservice A\n  - Ping(a: strin)\n";
const env = { TERM: "xterm-kitty" };

test("positions of diagnostics are linked, but not those of a version without a file", async () => {
  using dir = folder({ "my api.ridl": bad, "old.ridl": bad.replace("strin)", "string)") });
  const { err } = await ridlkit(["lint", "my api.ridl"], { cwd: dir.path, env, columns: 80 });
  const file = pathToFileURL(join(dir.path, "my api.ridl")).href;
  expect(err).toContain(`\u001b]8;;${file}\u001b\\my api.ridl:7:13\u001b]8;;\u001b\\\n`);
});

test("the files that check lists are linked", async () => {
  const good = bad.replace("strin)", "string)");
  using dir = folder({ "api.ridl": good });
  const words = ["api.ridl", "--out", "out", "--target", "types"];
  await ridlkit(["generate", ...words], { cwd: dir.path });
  writeFileSync(join(dir.path, "api.ridl"), good.replace("Ping", "Pong"));
  const { out } = await ridlkit(["check", ...words], { cwd: dir.path, env, columns: 80 });
  const file = pathToFileURL(join(dir.path, "out/types.ts")).href;
  expect(out).toContain(`  changed   \u001b]8;;${file}\u001b\\out/types.ts\u001b]8;;\u001b\\\n`);
});

test.each([
  [["lint"], {}],
  [["lint", "--format", "json"], { columns: 80 }],
  [["lint", "--format", "github"], { columns: 80 }],
  [["lint", "--no-color"], { columns: 80 }],
])("%j with %j has no links", async (words, options) => {
  using dir = folder({ "api.ridl": bad });
  const given = [...words, "api.ridl"];
  const { out, err } = await ridlkit(given, { cwd: dir.path, env: { FORCE_HYPERLINK: "1" }, ...options });
  expect(out + err).toContain("api.ridl");
  expect(out + err).not.toContain("\u001b]8");
});
