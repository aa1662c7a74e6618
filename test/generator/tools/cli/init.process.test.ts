import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tsc } from "../../../compile/project.ts";
import { type Folder, folder, ridlkit, ridlkitProcess, start } from "../../../support/program.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

let dir: Folder;

beforeEach(() => {
  dir = folder({});
});

afterEach(() => dir[Symbol.dispose]());

test("an empty folder becomes a project that one command starts, and that compiles", async () => {
  const { code, out, err } = await run("init", "my shop");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/Next:\n {2}cd 'my shop'\n {2}npm install\n {2}npm run dev\n$/);
  expect(text("my shop/schema/hello.ridl").split("\n").slice(0, -1)).toHaveLength(8);
  // What npm install would bring.
  symlinkSync(join(repository, "node_modules"), at("my shop/node_modules"));
  const child = start(["dev", "--scaffold", "--port", "0", "--format", "json"], {
    cwd: at("my shop"),
    timeoutMs: 240_000,
  });
  const ended = new Promise((done) => child.once("close", done));
  try {
    const url = await new Promise<string>((found) =>
      child.stdout?.once("data", (line: Buffer) =>
        found((JSON.parse(line.toString()) as { url: string }).url),
      ),
    );
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${url}/rpc/Hello/Greet`, { method: "POST", headers, body: '{"name":"Rex"}' });
    expect([answer.status, await answer.json()]).toEqual([200, { greeting: "Hello, Rex!" }]);
  } finally {
    child.kill();
    await ended;
  }
  expect(() =>
    execFileSync(process.execPath, [tsc, "-p", at("my shop")], { encoding: "utf8" }),
  ).not.toThrow();
  // By the build that generated: generated code names it.
  expect(await ridlkitProcess(["check"], { cwd: at("my shop") })).toMatchObject({ code: 0 });
  expect(await run("scaffold", "--cwd", "my shop", "--dry-run")).toMatchObject({ code: 0, out: "" });
});

test("a new package has scripts, a host and a test; one that is there keeps its own", async () => {
  await run("init", "fresh");
  const { scripts } = JSON.parse(text("fresh/package.json")) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(["dev", "generate", "check:generated", "build", "start", "test"]);
  expect(text("fresh/.gitignore")).toBe("node_modules/\ndist/\n");
  write("package.json", '{\n  "name": "mine"\n}\n');
  expect((await run("init")).out).toMatch(/Next:\n {2}npm install\n {2}npm run dev\n$/);
  expect(existsSync(at("main.ts")) || existsSync(at("test"))).toBe(false);
  expect(text("package.json")).not.toContain('"start"');
  expect((await run("init")).out).toMatch(/Next:\n {2}npm run dev\n$/);
});

test("an unknown form of the runtime is refused", async () => {
  const { code, err } = await run("init", "--runtime", "copies");
  expect([code, err]).toEqual([2, expect.stringContaining('--runtime does not accept "copies".')]);
});

test("a second time nothing is to be done", async () => {
  await run("init");
  const { out } = await run("init", "--format", "json");
  expect(JSON.parse(out)).toMatchObject({ ok: true, files: [] });
});

test("in a project that is there, files get what they lack and keep all else", async () => {
  const own = {
    "package.json": '{\n\t"name": "mine",\n\t"scripts": {\n\t\t"dev": "vite"\n\t}\n}\n',
    ".gitattributes": "* text=auto",
    ".vscode/settings.json": '{\n  // Mine.\n  "editor.tabSize": 3\n}\n',
    "tsconfig.json": "{}",
    "handlers/handlers.ts": "export const mine = 1;\n",
    "ridlkit.config.ts": 'export default { schemas: [{ entry: "a.ridl" }] };\n',
  };
  for (const [path, content] of Object.entries(own)) write(path, content);
  const { out } = await run("init");
  const changed = JSON.parse(text("package.json")) as { name: string; scripts: Record<string, string> };
  expect(changed).toMatchObject({
    name: "mine",
    scripts: { dev: "vite", "check:generated": "ridlkit check" },
  });
  expect(text("package.json")).toContain('\n\t"name"');
  expect(text(".gitattributes")).toBe(
    "* text=auto\n.ridlkit.manifest merge=union\n.ridlkit-handlers.json merge=union\n",
  );
  for (const path of [
    ".vscode/settings.json",
    "tsconfig.json",
    "handlers/handlers.ts",
    "ridlkit.config.ts",
  ] as const)
    expect(text(path)).toBe(own[path]);
  expect(existsSync(at("schema"))).toBe(false);
  expect(out).toContain(
    ".vscode/settings.json was not changed, because it has comments or is not a valid JSON object. Add these keys:",
  );
  // Its own script "dev" starts something else.
  expect(out).toMatch(/Next:\n {2}npm install\n {2}npx ridlkit dev --scaffold\n$/);
});

test("a package.json with JSON on one line gets its keys, and its own scripts stay", async () => {
  write("package.json", '{\n  "scripts": { "dev": "vite" },\n  "dependencies": { "express": "^5.0.0" }\n}\n');
  const { out } = await run("init");
  expect(JSON.parse(text("package.json"))).toMatchObject({
    scripts: { dev: "vite", generate: "ridlkit generate && ridlkit scaffold" },
    dependencies: { express: "^5.0.0" },
    devDependencies: { ridlkit: expect.any(String) },
  });
  expect(out).toContain("changed package.json");
});

test("a package.json that is not valid gets a reason and the command that installs ridlkit", async () => {
  write("package.json", '{ "name": }\n');
  write(".vscode/settings.json", '{ "files.readonlyInclude": { "a": true } }\n');
  const { out } = await run("init");
  expect(out).toContain(
    "package.json was not changed, because it has comments or is not a valid JSON object. Add these keys: {",
  );
  expect(out).toContain(
    'settings.json was not changed, because it would lose its formatting. Add these keys: {"files.readonlyInclude":{"generated/**":true}}',
  );
  expect(out).toMatch(
    /Next:\n {2}npm install ridlkit-runtime@\^[\d.]+\n {2}npm install --save-dev ridlkit@\^[\d.]+\n {2}npx ridlkit dev --scaffold\n$/,
  );
});

test("line ends of Windows stay what they are", async () => {
  write("package.json", '{\r\n  "name": "mine"\r\n}\r\n');
  write(".gitattributes", "* text=auto\r\n");
  await run("init");
  expect(text("package.json").replaceAll("\r\n", "")).not.toContain("\n");
  expect(text(".gitattributes").replaceAll("\r\n", "")).not.toContain("\n");
});

test("a read-only file and a file in place of the folder are reported", async () => {
  write("package.json", '{\n  "name": "mine"\n}\n');
  chmodSync(at("package.json"), 0o444);
  expect(await run("init")).toMatchObject({ code: 2, err: expect.stringContaining("package.json") });
  write("taken", "");
  expect(await run("init", "taken")).toMatchObject({
    code: 2,
    err: expect.stringContaining('"taken" is a file; "init" takes a folder.'),
  });
});

test("dry: the files are named, and none is written", async () => {
  expect((await run("init", "--dry-run")).out).toContain("added   ridlkit.config.json");
  expect(existsSync(at("ridlkit.config.json"))).toBe(false);
});

function at(path: string): string {
  return join(dir.path, path);
}

function text(path: string): string {
  return readFileSync(at(path), "utf8");
}

function write(path: string, content: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

function run(...args: string[]): ReturnType<typeof ridlkit> {
  return ridlkit(args, { cwd: dir.path });
}

test.each([
  ["./ridlkit-1.0.0.tgz", "file:../ridlkit-1.0.0.tgz", "file:../ridlkit-runtime-1.0.0.tgz"],
  ["file:ridlkit-1.0.0.tgz", "file:../ridlkit-1.0.0.tgz", "file:../ridlkit-runtime-1.0.0.tgz"],
  ["./clone", "file:../clone", "file:../clone/generator/runtime"],
  ["0.1.0", "0.1.0", "0.1.0"],
  ["next", "next", "next"],
  [
    "https://example.com/ridlkit-1.0.0.tgz",
    "https://example.com/ridlkit-1.0.0.tgz",
    "https://example.com/ridlkit-runtime-1.0.0.tgz",
  ],
  ["github:someone/ridlkit", "github:someone/ridlkit", expect.stringMatching(/^\^[\d.]+$/) as string],
])("--ridlkit %s is %s in package.json, and the runtime is %s", async (given, ridlkit, runtime) => {
  for (const file of [
    "ridlkit-1.0.0.tgz",
    "ridlkit-runtime-1.0.0.tgz",
    "clone/generator/runtime/package.json",
  ])
    write(file, "");
  expect(await run("init", "shop", "--ridlkit", given)).toMatchObject({ code: 0 });
  expect(JSON.parse(text("shop/package.json"))).toMatchObject({
    dependencies: { "ridlkit-runtime": runtime },
    devDependencies: { ridlkit },
  });
});

test.each(["./ridlkit-1.0.0.tgz", "./renamed.tgz", "./"])(
  "--ridlkit %s without the runtime beside it is refused, and nothing is written",
  async (given) => {
    for (const file of ["ridlkit-1.0.0.tgz", "renamed.tgz"]) write(file, "");
    const { code, err } = await run("init", "shop", "--ridlkit", given);
    expect([code, existsSync(at("shop"))]).toEqual([2, false]);
    expect(err).toContain(`There is no ridlkit-runtime next to "${given}" of --ridlkit.`);
    expect(err).toContain('"npm run pack"');
  },
);

test.skipIf(process.platform !== "linux")("a folder that cannot be created is reported", async () => {
  const { code, err } = await run("init", "/proc/ridlkit/shop");
  expect(code).toBe(2);
  expect(err).toContain('Cannot write "/proc/ridlkit/shop/ridlkit.config.json": its folder does not exist');
});

test("--ridlkit with a file that is not there is refused, and nothing is written", async () => {
  const { code, err } = await run("init", "shop", "--ridlkit", "./gone.tgz");
  expect([code, existsSync(at("shop"))]).toEqual([2, false]);
  expect(err).toContain('The file "./gone.tgz" of --ridlkit does not exist');
});
