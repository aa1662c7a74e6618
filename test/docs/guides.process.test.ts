/** Guides whose blocks are the files of a small project: generated, compiled under the strictest flags, and run. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPage, root } from "../support/docs.ts";
import { program } from "../support/program.ts";

const pages = ["docs/handlers.md", "docs/errors.md", "docs/streams.md"];

interface Marked {
  readonly page: string;
  /** What the comment above says: `file`, or `prints` what the program at the path has to print. */
  readonly verb: string;
  readonly path: string;
  readonly text: string;
}

const blocks: readonly Marked[] = pages.flatMap((page) =>
  [...readPage(page).matchAll(/^<!-- (file|prints): (\S+) -->\n```\w+\n(.*?)^```$/gms)].map(
    ([, verb = "", path = "", text = ""]) => ({ page, verb, path, text }),
  ),
);
const files = blocks.filter(({ verb }) => verb === "file");
const printed = blocks.filter(({ verb }) => verb === "prints");

const folder = mkdtempSync(join(tmpdir(), "ridlkit-guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  copyFileSync(join(root, "test/compile/tsconfig.json"), join(folder, "strict.json"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    ...{ lib: ["es2023", "dom", "dom.iterable"], types: ["node"] },
    // For packages that others import.
    ...{ declaration: false, isolatedDeclarations: false },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: "./strict.json", compilerOptions }));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    if (path.endsWith(".ridl"))
      execFileSync(process.execPath, [program, ...commandFor(path)], { cwd: folder });
  }
});

/** As the page itself says it. */
function commandFor(path: string): string[] {
  const texts = [...new Set(files.map(({ page }) => readPage(page)))];
  const [, command] = texts.flatMap(
    (text) => new RegExp(`npx ridlkit (generate ${path} [^\`]*)`).exec(text) ?? [],
  );
  if (command === undefined) throw new Error(`no page says how ${path} is generated`);
  return command.split(" ");
}

test("every block of code of a guide is a file of it", () => {
  for (const page of pages) {
    const fences = readPage(page).match(/^```(?:ts|ridl)$/gm) ?? [];
    expect([page, files.filter((file) => file.page === page).length]).toEqual([page, fences.length]);
    expect(printed.filter((block) => block.page === page)).toHaveLength(1);
  }
});

test("the code of the guides compiles, under the strictest flags", () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  let output = "";
  try {
    execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  } catch (err) {
    output = String((err as { readonly stdout?: string }).stdout ?? err);
  }
  expect(output).toBe("");
}, 120_000);

test.each(printed)(
  "$path prints what $page says",
  ({ path, text }) => {
    const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
    expect(execFileSync(process.execPath, [tsx, path], { cwd: folder, encoding: "utf8" })).toBe(text);
  },
  60_000,
);
