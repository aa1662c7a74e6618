import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { templateNames } from "../../generator/codegen/emit/template-names.ts";
import { compile } from "../../generator/language/compile.ts";
import { type Block, blocksOf, pages, readPage, root } from "../support/docs.ts";
import { memoryReader } from "../support/memory-reader.ts";

const blocks = pages().flatMap(blocksOf);
const scratch = mkdtempSync(join(tmpdir(), "ridlkit-docs-"));
// As root a host's Postgres runs as another user, who must get here.
chmodSync(scratch, 0o755);
afterAll(() => rmSync(scratch, { recursive: true }));

// CI itself installs and runs the scripts of package.json; here they would start the tests within the tests.
const isOfCi = /^npm (ci|i|install|run|start|test)\b/m;

/** They want a running host, and are run in a file of their own. */
const isOfHost = /^curl .*127[.]0[.]0[.]1|^npx platform /m;

test.each(
  blocks.filter(({ language, text }) => language === "sh" && !isOfCi.test(text) && !isOfHost.test(text)),
)("the shell block at $page:$line runs", (block) => {
  expect(() => runShell(block)).not.toThrow();
});

test.each(blocks.filter(({ language }) => language === "ridl"))(
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

test.each(pages())("paths named in %s exist", (page) => {
  const named = readPage(page).matchAll(/`((?:generator|schema|server|client|test)\/[\w./-]*)`/g);
  const paths = [...named].map(([, path]) => path ?? "");
  // Templates are called by their place among the emitters, without an ending.
  const isTemplate = (path: string): boolean => templateNames.some((name) => name === path);
  expect(paths.filter((path) => !isTemplate(path) && !existsSync(join(root, path)))).toEqual([]);
});

test("the README is among the pages", () => {
  expect(pages()).toContain("README.md");
});

/** In a folder with a copy of the schema, where `ridlkit`, with or without npx, is the program as built. */
function runShell({ text }: Block): void {
  const folder = mkdtempSync(join(scratch, "block-"));
  chmodSync(folder, 0o755);
  cpSync(join(root, "schema"), join(folder, "schema"), { recursive: true });
  for (const name of ["dist", "node_modules", "package.json"])
    symlinkSync(join(root, name), join(folder, name));
  const bin = join(folder, ".bin");
  mkdirSync(bin);
  const program = `exec "${process.execPath}" "${join(root, "dist/ridlkit.js")}"`;
  writeScript(join(bin, "ridlkit"), `${program} "$@"`);
  const host = `exec "${process.execPath}" "${join(root, "server/dist/platform.js")}"`;
  writeScript(
    join(bin, "npx"),
    `case "$1" in ridlkit) shift; ${program} "$@";; platform) shift; ${host} "$@";; *) exit 127;; esac`,
  );
  const { PATH } = process.env;
  execFileSync("bash", ["-e", "-c", text], {
    cwd: folder,
    env: { ...process.env, PATH: `${bin}${delimiter}${PATH}` },
    stdio: "pipe",
    timeout: 50_000,
  });
}

function writeScript(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}
