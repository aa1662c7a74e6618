import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../../../generator/tools/cli/commands/index.ts";
import { run } from "../../../../generator/tools/cli/run.ts";
import { stackIn } from "../../../../generator/tools/init/project.ts";
import { type StackName, stackNames, stackOf } from "../../../../generator/tools/init/stacks/index.ts";
import { folder } from "../../../support/program.ts";

test.each<[string, StackName | undefined, object]>([
  ["Nest, not the Express below it", "nest", { dependencies: { express: "5", "@nestjs/core": "11" } }],
  [
    "Next, not the Vite of its tests",
    "next",
    { dependencies: { next: "16" }, devDependencies: { vite: "7" } },
  ],
  ["a development dependency", "workers", { devDependencies: { wrangler: "4" } }],
  ["Koa", "koa", { dependencies: { koa: "3" } }],
  ["no framework", undefined, { dependencies: { lodash: "4" } }],
  ["no dependencies", undefined, {}],
  ["dependencies that are no object", undefined, { dependencies: null, devDependencies: 1 }],
])("a package is recognized: %s", (_case, expected, content) => {
  expect(stackIn((path) => (path === "package.json" ? JSON.stringify(content) : undefined))).toBe(expected);
});

test("neither an absent nor a broken package.json names a stack", () => {
  expect(stackIn(() => undefined)).toBeUndefined();
  expect(stackIn(() => "{")).toBeUndefined();
});

test("every stack with an adapter has a test, and no file has an import that its settings cannot resolve", () => {
  for (const name of stackNames) {
    const { adapter, files, routes, importExtension } = stackOf(name);
    expect([name, "test/Greet.test.ts" in files]).toEqual([name, adapter !== undefined]);
    const ending = importExtension === "none" ? "" : importExtension;
    for (const [path, text] of Object.entries({ ...files, ...routes }))
      for (const [, specifier = ""] of text.matchAll(/from "(\.[^"]+)"/g))
        expect([name, path, /[.]\w+$/.exec(specifier)?.[0] ?? ""]).toEqual([name, path, ending]);
  }
});

test("asks until both answers are known names; an empty answer is the default", async () => {
  using dir = folder({});
  const { code, questions } = await init(dir.path, [], ["hapi", " HONO ", ""]);
  expect([code, questions.map((text) => text.split(" ")[0])]).toEqual([0, ["Stack", "Stack", "Schema"]]);
  expect(questions[0]).toMatch(/^Stack \(koa, node, .*, vite\) \[koa\]: $/);
  expect(config(dir.path)).toMatchObject({ schemas: [{ entry: "schema/hello.ridl", adapters: ["hono"] }] });
});

test("the default is the stack that package.json depends on", async () => {
  using dir = folder({ "package.json": '{ "dependencies": { "fastify": "5" } }' });
  const { questions } = await init(dir.path, [], ["", "yaml"]);
  expect(questions[0]).toMatch(/\[fastify\]: $/);
  expect(config(dir.path)).toMatchObject({
    schemas: [{ entry: "schema/hello.yaml", adapters: ["fastify"] }],
  });
});

test("an input that ends means the defaults", async () => {
  using dir = folder({});
  expect(await init(dir.path, [], [undefined, undefined])).toMatchObject({ code: 0 });
  expect(config(dir.path)).toMatchObject({ schemas: [{ entry: "schema/hello.ridl", handlers: "handlers" }] });
});

test.each([
  ["both are given", ["--stack", "node", "--schema", "yaml"]],
  ["standard output is a document", ["--format", "json"]],
  ["nothing but errors is wanted", ["--quiet"]],
])("nothing is asked if %s", async (_case, args) => {
  using dir = folder({});
  expect(await init(dir.path, args, [])).toMatchObject({ code: 0, questions: [] });
});

test.each([
  ["a new project", {}, true],
  ["an existing package, which may commit what others ignore", { "package.json": "{}" }, false],
])("in %s, .gitignore is written: %s", async (_case, files, isWritten) => {
  using dir = folder(files);
  expect(await init(dir.path, [], [undefined, undefined])).toMatchObject({ code: 0 });
  expect(existsSync(join(dir.path, ".gitignore"))).toBe(isWritten);
});

test("nothing is asked about a project that has a configuration", async () => {
  using dir = folder({ "ridlkit.config.json": '{ "schemas": [{ "entry": "a.ridl" }] }' });
  expect(await init(dir.path, [], [])).toMatchObject({ code: 0, questions: [] });
});

test.each([
  [["--stack", "hone"], '--stack does not accept "hone". Did you mean "hono"? Known: koa, node, express, '],
  [["--stack", "toString"], '--stack does not accept "toString".'],
  [["--schema", "json"], '--schema does not accept "json". Known: ridl, yaml.'],
])("an unknown name is an error, and nothing is written: %s", async (args, message) => {
  using dir = folder({});
  const { code, err } = await init(dir.path, args, []);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(join(dir.path, "package.json"))).toBe(false);
});

function config(path: string): unknown {
  return JSON.parse(readFileSync(join(path, "ridlkit.config.json"), "utf8"));
}

/** Runs `init` at a terminal where a person gives these answers. */
async function init(
  cwd: string,
  args: readonly string[],
  answers: readonly (string | undefined)[],
): Promise<{ readonly code: number; readonly err: string; readonly questions: readonly string[] }> {
  const questions: string[] = [];
  let err = "";
  const code = await run(
    ["init", ...args],
    {
      cwd,
      env: {},
      version: "0.1.0",
      terminal: {
        out: () => undefined,
        err: (text) => {
          err += text;
        },
        write: async () => true,
        outIsTerminal: true,
        errIsTerminal: true,
        ask: async (question) => answers[questions.push(question) - 1],
      },
    },
    commands,
  );
  return { code, err, questions };
}
