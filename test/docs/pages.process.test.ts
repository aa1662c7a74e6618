/**
 * Runs the code of every page, in order and in a folder of its own. A block whose first line names a file (`// server.ts`) becomes that file;
 * an `sh` block runs, and must print the `text` or `json` block right below it. TypeScript of a page must also compile under the strictest flags.
 */
import { execFileSync, spawnSync } from "node:child_process";
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
import { delimiter, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { type Block, blocksOf, isForHost, isForNpm, pages, root } from "../support/docs.ts";

/** They have tests of their own: quick-start.process.test.ts, works-with.test.ts. */
const elsewhere = /^README|^docs\/(tutorial|works-with)/;

/** Needs packages that .ci/run installs: `npm ci --prefix test/mcp`. */
const mcpPage = "docs/mcp.md";
const mcpPackages = join(root, "test/mcp/node_modules");
const missing = existsSync(mcpPackages) || process.env["CI"] === "true" ? [] : [mcpPage];

const runnable = pages().filter(
  (page) =>
    !elsewhere.test(page) &&
    !missing.includes(page) &&
    blocksOf(page).some((block) => block.file !== undefined || isCommand(block)),
);

const scratch = mkdtempSync(join(tmpdir(), "ridlkit-docs-"));
// A database started as root runs as another user, which must be able to enter the folder.
chmodSync(scratch, 0o755);
symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each(runnable)(
  "the code of %s runs",
  (page) => {
    const folder = projectFolder(page);
    for (const block of blocksOf(page)) {
      if (block.file !== undefined) write(folder, block.file, block.text);
      else if (isCommand(block)) run(folder, block);
    }
  },
  180_000,
);

// One program for all pages, because libraries and the types of Node.js take most of the time. Errors start with the name of the page.
test("the TypeScript of all pages compiles", () => {
  const code = runnable.flatMap((page) =>
    blocksOf(page).flatMap(({ file }) => (file?.endsWith(".ts") ? [join(nameOf(page), file)] : [])),
  );
  expect(code.length).toBeGreaterThan(20);
  expect(compile(code)).toBe("");
});

test("the guides are among the pages that run", () => {
  const guides = ["client", "errors", "handlers", "streams", "generating", "checking", "changing-safely"];
  expect(runnable).toEqual(expect.arrayContaining(guides.map((name) => `docs/${name}.md`)));
});

function isCommand({ language, text }: Block): boolean {
  return language === "sh" && !isForNpm.test(text) && !isForHost.test(text);
}

/** Has a copy of the schema, and `npx` for the commands of the repository. */
function projectFolder(page: string): string {
  const folder = join(scratch, nameOf(page));
  mkdirSync(folder, 0o755);
  cpSync(join(root, "schema"), join(folder, "schema"), { recursive: true });
  if (page === mcpPage) symlinkSync(mcpPackages, join(folder, "node_modules"));
  write(folder, "package.json", '{ "type": "module" }');
  const commands = {
    ridlkit: join(root, "dist/ridlkit.js"),
    platform: join(root, "server/dist/platform.js"),
    tsx: join(root, "node_modules/tsx/dist/cli.mjs"),
    tsc,
  };
  const cases = Object.entries(commands).map(
    ([name, path]) => `${name}) shift; exec "${process.execPath}" "${path}" "$@";;`,
  );
  write(folder, ".bin/npx", `#!/bin/sh\ncase "$1" in ${cases.join(" ")} *) exit 127;; esac\n`);
  chmodSync(join(folder, ".bin/npx"), 0o755);
  return folder;
}

/** `docs/client.md` → `docs-client`. */
function nameOf(page: string): string {
  return page.replace(/[.]md$/, "").replaceAll("/", "-");
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function run(folder: string, { text, line, output }: Block): void {
  const PATH = `${join(folder, ".bin")}${delimiter}${process.env["PATH"]}`;
  const { status, stdout } = spawnSync("bash", ["-e", "-c", `exec 2>&1\n${text}`], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, PATH, NO_COLOR: "1" },
  });
  // A command whose output is shown may fail, as `ridlkit lint` does for an invalid schema.
  if (output === undefined) expect([line, status, stdout]).toEqual([line, 0, stdout]);
  else expect(`line ${line}\n${stdout.trim()}`).toMatch(patternOf(`line ${line}\n${output.trim()}`));
}

/** The text itself, where `…` stands for any text. */
function patternOf(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*?")}$`);
}

/** Errors of these files, and of all that they import, under the strictest flags. */
function compile(files: readonly string[]): string {
  const compilerOptions = {
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    // For packages that others import.
    declaration: false,
    isolatedDeclarations: false,
  };
  const strict = join(root, "test/compile/tsconfig.json");
  write(scratch, "tsconfig.json", JSON.stringify({ extends: strict, compilerOptions, files }));
  try {
    return execFileSync(process.execPath, [tsc, "-p", "."], { cwd: scratch, encoding: "utf8" });
  } catch (err) {
    return String((err as { readonly stdout?: string }).stdout ?? err);
  }
}
