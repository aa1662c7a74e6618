/** Follows the README: a new project, its first call, an edit, what the compiler reports, and a client. */
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { blocksOf, readPage, root } from "../support/docs.ts";
import { program } from "../support/program.ts";

const blocks = blocksOf("README.md");
const textOf = (file: string): string => blocks.find((block) => block.file === file)?.text ?? "";
const command = (start: string) => blocks.find(({ text }) => text.startsWith(start));
const call = command("curl -s ");
const client = command("npx tsx client.ts");
const compilerReport = blocks.find(({ language }) => language === "text")?.text ?? "";

/** The oldest supported version, if `npm ci --prefix test/node-versions` has installed it. */
const oldest = join(root, "test/node-versions/node_modules/node-20/bin/node");
const node = existsSync(oldest) ? oldest : process.execPath;

const folder = mkdtempSync(join(tmpdir(), "ridlkit-quick-start-"));
const project = join(folder, "hello");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the README is at most 150 lines long", () => {
  expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("every block of the README is followed", () => {
  const files = ["schema/hello.ridl", "handlers/Hello/Greet.ts", "client.ts"];
  expect(blocks.flatMap(({ file }) => file ?? [])).toEqual(files);
  const others = blocks.filter(({ file }) => file === undefined);
  expect(others.map(({ language }) => language)).toEqual([
    "sh",
    "shell",
    "json",
    "text",
    "shell",
    "text",
    "sh",
  ]);
});

test("the quick start works as written", async () => {
  mkdirSync(project);
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  ridlkit("init");
  expect(readFileSync(join(project, "schema/hello.ridl"), "utf8").trim().split("\n")).toHaveLength(8);
  ridlkit("generate");
  await withDevServer(async (url) => {
    const curl = call?.text.replace("http://127.0.0.1:3000", url) ?? "";
    expect(execFileSync("bash", ["-e", "-c", curl], { encoding: "utf8" })).toBe(call?.output?.trim());
  });

  write("schema/hello.ridl");
  ridlkit("generate");
  const report = compile();
  for (const line of compilerReport.trim().split("\n")) expect(report).toContain(line);
  write("handlers/Hello/Greet.ts");
  write("client.ts");
  expect(compile("client.ts")).toBe("");

  const code = textOf("client.ts");
  writeFileSync(join(project, "wrong.ts"), code.replace("NameMissing:", "NameMising:"));
  expect(compile("wrong.ts")).toMatch(
    /^wrong[.]ts[(]\d+,\d+[)]: error TS.*NameMising is not an error of this method/,
  );
  writeFileSync(join(project, "wrong.ts"), code.replace(/^ *_: .*\n/m, ""));
  expect(compile("wrong.ts")).toMatch(/^wrong[.]ts[(]\d+,\d+[)]: error TS.*Webrpc/s);

  await withDevServer((url) => {
    writeFileSync(join(project, "client.ts"), code.replace("http://127.0.0.1:3000", url));
    const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
    expect(execFileSync(node, [tsx, "client.ts"], { cwd: project, encoding: "utf8" })).toBe(client?.output);
  });
});

function ridlkit(...args: readonly string[]): void {
  execFileSync(process.execPath, [program, ...args], { cwd: project, stdio: "pipe" });
}

function write(file: string): void {
  writeFileSync(join(project, file), textOf(file));
}

/** The compiler's errors in the project and in files next to it. */
function compile(...files: readonly string[]): string {
  const config = { extends: "./tsconfig.json", include: ["handlers", "generated", ...files] };
  writeFileSync(join(project, "tsconfig.test.json"), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [tsc, "-p", "tsconfig.test.json"], { cwd: project, encoding: "utf8" });
    return "";
  } catch (err) {
    return String((err as { readonly stdout?: string }).stdout ?? err);
  }
}

async function withDevServer(use: (url: string) => Promise<void> | void): Promise<void> {
  const dev = spawn(process.execPath, [program, "dev", "--port", "0", "--format", "json"], { cwd: project });
  try {
    await use(await urlOf(dev.stdout));
  } finally {
    dev.kill();
  }
}

async function urlOf(lines: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of lines) {
    text += chunk;
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the dev server did not start: ${text}`);
}
