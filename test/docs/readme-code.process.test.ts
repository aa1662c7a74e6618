import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, root } from "../support/docs.ts";
import { program } from "../support/program.ts";

/** A project as the README describes it: its schema generated into `api/`, each block a file. */
let folder: string;
const blocks = blocksOf("README.md");
const code = blocks.filter(({ language }) => language === "ts");

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "nodenext",
    types: ["node"],
    noEmit: true,
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    isolatedDeclarations: true,
    declaration: true,
  },
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-readme-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  writeFileSync(join(folder, "pets.ridl"), blocks.find(({ language }) => language === "ridl")?.text ?? "");
  for (const [index, { text }] of code.entries()) writeFileSync(join(folder, `block${index}.ts`), text);
  execFileSync(process.execPath, [program, "generate", "pets.ridl", "--out", "api"], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the README has code of a client and of a server", () => {
  expect(code.map(({ text }) => /client|server/.exec(text)?.[0])).toEqual(["client", "server"]);
});

test("the code of the README compiles against what is generated from its schema, under the strictest flags", () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  let output = "";
  try {
    execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  } catch (err) {
    output = String((err as { stdout?: string }).stdout ?? err);
  }
  expect(output).toBe("");
});
