/** Runs the example of the README, and follows the tutorial: a project, a call, an error, a client, a change. test/stacks has its page in React. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { type Block, blocksOf, readPage, root } from "../support/docs.ts";
import { type Folder, folder, program } from "../support/program.ts";

const readme = blocksOf("README.md");
const tutorial = blocksOf("docs/tutorial.md");

/** The oldest supported version, if `npm ci --prefix test/node-versions` has installed it. */
const oldest = join(root, "test/node-versions/node_modules/node-20/bin/node");
const node = existsSync(oldest) ? oldest : process.execPath;

test("the README is at most 150 lines long", () => {
  expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});

test("every block of README and tutorial is followed", () => {
  expect(readme.map(({ language, file }) => file ?? language)).toEqual([
    "shop.ridl",
    "handlers.ts",
    "client.ts",
    "text",
    "sh",
    "sh",
    "sh",
  ]);
  expect(tutorial.map(({ language, file }) => file ?? language)).toEqual([
    "text",
    "shell",
    "json",
    "schema/hello.ridl",
    "text",
    "handlers/Hello/Greet.ts",
    "client.ts",
    "shell",
    "text",
    "text",
    "web/src/main.tsx",
    "text",
    "shell",
    "shell",
    "text",
  ]);
});

test("the example of the README runs, and its mistakes do not compile", async () => {
  using project = folder({
    "package.json": '{ "type": "module" }',
    "ridlkit.config.json": '{ "schemas": [{ "entry": "shop.ridl", "out": "generated" }] }',
    "tsconfig.json": readFileSync(join(root, "test/compile/tsconfig.json"), "utf8"),
  });
  link(project);
  for (const { file, text } of readme) if (file !== undefined) write(project, file, text);
  ridlkit(project, "generate");
  expect(compile(project, "handlers.ts", "client.ts")).toBe("");
  const handlers = textOf(readme, "handlers.ts");
  const client = textOf(readme, "client.ts");
  expect(compileText(project, handlers.replace("errors.SoldOut", "errors.NotFound"))).toMatch(/TS.*NotFound/);
  expect(compileText(project, client.replace("SoldOut:", "SoldOt:"))).toMatch(
    /TS.*SoldOt is not an error of this method/,
  );
  expect(compileText(project, client.replace(/^ *SoldOut: .*\n/m, ""))).toMatch(/TS.*SoldOut/s);
  await withDevServer(project, ["--handlers", "."], (url) => {
    expect(runClient(project, client, url)).toBe(readme.find(({ language }) => language === "text")?.text);
  });
});

test("the tutorial works as written", async () => {
  using project = folder({});
  link(project);
  ridlkit(project, "init", "--stack", "koa", "--schema", "ridl");
  ridlkit(project, "generate");
  const [call, commit, breaking] = ["curl -s ", "git init ", "npx ridlkit breaking "].map((start) =>
    tutorial.find(({ text }) => text.startsWith(start)),
  );
  await withDevServer(project, [], (url) => {
    const curl = call?.text.replace("http://127.0.0.1:3000", url) ?? "";
    expect(execFileSync("bash", ["-e", "-c", curl], { encoding: "utf8" })).toBe(call?.output?.trim());
  });

  const schema = textOf(tutorial, "schema/hello.ridl");
  write(project, "schema/hello.ridl", schema);
  ridlkit(project, "generate");
  const report = compile(project);
  const shown = tutorial.find(({ text }) => text.startsWith("handlers/Hello/Greet.ts("))?.text ?? "?";
  for (const line of shown.trim().split("\n")) expect(report).toContain(line);
  write(project, "handlers/Hello/Greet.ts", textOf(tutorial, "handlers/Hello/Greet.ts"));
  const client = textOf(tutorial, "client.ts");
  write(project, "client.ts", client);
  expect(compile(project, "client.ts")).toBe("");
  await withDevServer(project, [], (url) => {
    const printed = tutorial.find(({ text }) => text.startsWith("npx tsx client.ts"))?.output;
    expect(runClient(project, client, url)).toBe(printed);
  });

  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  const identity = 'git() { command git -c user.name=a -c user.email=a@example.com "$@"; }\n';
  execFileSync("bash", ["-e", "-c", identity + commit?.text], { cwd: project.path, env, stdio: "pipe" });
  const change = schema.replace("(name: string)", "(name: string, title: string)");
  write(project, "schema/hello.ridl", change);
  const compare = ["breaking", "--against", "HEAD"];
  expect(breaking?.text).toBe(`npx ridlkit ${compare.join(" ")}\n`);
  const found = spawnSync(process.execPath, [program, ...compare], { cwd: project.path, encoding: "utf8" });
  expect(found.stderr.trim().replace(/\^+/, "^^^^^…")).toBe(breaking?.output?.trim());
  write(project, "schema/hello.ridl", change.replace("title:", "title?:"));
  ridlkit(project, ...compare);
  ridlkit(project, "generate");
  expect(compile(project, "client.ts")).toBe("");
});

function textOf(blocks: readonly Block[], file: string): string {
  return blocks.find((block) => block.file === file)?.text ?? "";
}

function link({ path }: Folder): void {
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
}

function ridlkit({ path }: Folder, ...args: readonly string[]): void {
  execFileSync(process.execPath, [program, ...args], { cwd: path, stdio: "pipe" });
}

function write({ path }: Folder, file: string, text: string): void {
  writeFileSync(join(path, file), text);
}

/** The compiler's errors in the project and in files next to it. */
function compile(project: Folder, ...files: readonly string[]): string {
  const config = { extends: "./tsconfig.json", include: ["handlers", "generated", ...files] };
  write(project, "tsconfig.test.json", JSON.stringify(config));
  try {
    execFileSync(process.execPath, [tsc, "-p", "tsconfig.test.json"], {
      cwd: project.path,
      encoding: "utf8",
    });
    return "";
  } catch (err) {
    return String((err as { readonly stdout?: string }).stdout ?? err);
  }
}

function compileText(project: Folder, text: string): string {
  write(project, "wrong.ts", text);
  return compile(project, "wrong.ts");
}

/** What the client prints, with the address of a server that runs. */
function runClient(project: Folder, text: string, url: string): string {
  write(project, "client.ts", text.replace("http://127.0.0.1:3000", url));
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  return execFileSync(node, [tsx, "client.ts"], { cwd: project.path, encoding: "utf8" });
}

async function withDevServer(
  { path }: Folder,
  flags: readonly string[],
  use: (url: string) => Promise<void> | void,
): Promise<void> {
  const args = [program, "dev", "--port", "0", "--format", "json", ...flags];
  const dev = spawn(process.execPath, args, { cwd: path });
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
