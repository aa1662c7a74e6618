/** The first five minutes of the README, done as they stand there: a project, an edit, what the compiler says of it, and a call. */
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
import { readPage, root } from "../support/docs.ts";
import { program } from "../support/program.ts";

/** By what stands in the comment above: a path of the project, or what is to be done with it. */
const blocks = new Map(
  [...readPage("README.md").matchAll(/^<!-- first-minutes: (\S+) -->\n```\w+\n(.*?)^```$/gms)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  ),
);
const said = (name: string): string => blocks.get(name) ?? "";

/** The oldest version that is promised, where `npm ci --prefix test/node-versions` has brought it. */
const oldest = join(root, "test/node-versions/node_modules/node-20/bin/node");
const node = existsSync(oldest) ? oldest : process.execPath;

const folder = mkdtempSync(join(tmpdir(), "ridlkit-minutes-"));
const project = join(folder, "hello");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an edit of the schema is an error of the compiler first, and then an answer", async () => {
  mkdirSync(project);
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  ridlkit("init");
  expect(readFileSync(join(project, "schema/hello.ridl"), "utf8").trim().split("\n")).toHaveLength(8);
  ridlkit("generate");
  write("schema/hello.ridl");
  ridlkit("generate");
  const faults = compile();
  for (const line of said("tsc").trim().split("\n")) expect(faults).toContain(line);
  write("handlers/Hello/Greet.ts");
  write("client.ts");
  expect(compile("client.ts")).toBe("");
  // What the page says of clients.
  const client = said("client.ts");
  writeFileSync(join(project, "wrong.ts"), client.replace("NameMissing:", "NameMising:"));
  expect(compile("wrong.ts")).toMatch(
    /^wrong[.]ts[(]7,5[)]: error TS.*NameMising is no error of this method/,
  );
  writeFileSync(join(project, "wrong.ts"), client.replace(/^ *_: .*\n/m, ""));
  expect(compile("wrong.ts")).toMatch(/^wrong[.]ts[(]\d+,\d+[)]: error TS.*Webrpc/s);

  const dev = spawn(process.execPath, [program, "dev", "--port", "0", "--format", "json"], { cwd: project });
  try {
    const url = await servedAt(dev.stdout);
    const call = said("call").replace("http://127.0.0.1:3000", url);
    expect(JSON.parse(execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" }))).toEqual(
      JSON.parse(said("answer")),
    );
    const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
    expect(said("run")).toBe("npx tsx client.ts\n");
    const lines = execFileSync(node, [tsx, "client.ts", url], { cwd: project, encoding: "utf8" });
    expect(lines).toBe(said("prints"));
  } finally {
    dev.kill();
  }
}, 120_000);

function ridlkit(...args: readonly string[]): void {
  execFileSync(process.execPath, [program, ...args], { cwd: project, stdio: "pipe" });
}

function write(path: string): void {
  writeFileSync(join(project, path), said(path));
}

/** What the compiler has to say of the project, and of files beside it. */
function compile(...files: readonly string[]): string {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const config = { extends: "./tsconfig.json", include: ["handlers", "generated", ...files] };
  writeFileSync(join(project, "tsconfig.test.json"), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [tsc, "-p", "tsconfig.test.json"], { cwd: project, encoding: "utf8" });
    return "";
  } catch (err) {
    return String((err as { readonly stdout?: string }).stdout ?? err);
  }
}

async function servedAt(lines: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of lines) {
    text += chunk;
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`it did not serve: ${text}`);
}
