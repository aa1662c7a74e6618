import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { defineCommand } from "../../../../generator/tools/cli/command.ts";
import { commands } from "../../../../generator/tools/cli/commands/index.ts";
import { run } from "../../../../generator/tools/cli/run.ts";
import { folder, program, ridlkit, ridlkitProcess } from "../../../support/program.ts";
import { good } from "../../../support/schemas.ts";

const { version } = JSON.parse(
  readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
) as {
  version: string;
};

test.each([
  [["--version"], `${version}\n`],
  [["help"], "Usage: ridlkit <verb> [options] [FILE]\n"],
  [["--help"], "Usage: ridlkit <verb> [options] [FILE]\n"],
  [["-h"], "Usage: ridlkit <verb> [options] [FILE]\n"],
  [["help", "ir"], "Usage: ridlkit ir [options] [FILE]\n"],
  [["ir", "--help"], "Usage: ridlkit ir [options] [FILE]\n"],
  [["--help", "ir"], "Usage: ridlkit ir [options] [FILE]\n"],
  [["lint", "-h"], "Usage: ridlkit lint [options] [FILE ...]\n"],
])("%j answers on standard output", async (args, start) => {
  const { code, out, err } = await ridlkit(args);
  expect({ code, err, start: out.slice(0, start.length) }).toEqual({ code: 0, err: "", start });
});

test.each([
  [["lnit"], 'There is no verb "lnit". Did you mean "lint"?\nSee: ridlkit help\n'],
  [
    ["frobnicate"],
    `There is no verb "frobnicate". There are ${commands.map(({ name }) => name).join(", ")} and help.\nSee: ridlkit help\n`,
  ],
  [["help", "irr"], 'There is no verb "irr". Did you mean "ir"?\nSee: ridlkit help\n'],
  [["--farmat", "json"], 'There is no option "--farmat". Did you mean "--format"?\nSee: ridlkit help\n'],
  [["ir", "--hsh", "x"], 'There is no option "--hsh". Did you mean "--hash"?\nSee: ridlkit help ir\n'],
  [["lint", "--hash", "x"], 'There is no option "--hash".\nSee: ridlkit help lint\n'],
  [["ir", "a", "b"], '"ir" takes one FILE, found 2: a, b.\nSee: ridlkit help ir\n'],
  [["ir", "a", "--project", "b"], "Give either FILE or --project, not both.\nSee: ridlkit help ir\n"],
  [
    ["ir", "a", "--match=@x", "--ignore=@y"],
    "--match and --ignore exclude each other.\nSee: ridlkit help ir\n",
  ],
  [["lint", "--cwd", "nowhere"], 'There is no directory "nowhere".\nSee: ridlkit help\n'],
  [["lint", "--\u001b[31m"], 'There is no option "--<U+001B>[31m".\nSee: ridlkit help lint\n'],
])("%j is refused with 2", async (args, message) => {
  using dir = folder({});
  expect(await ridlkit(args, { cwd: dir.path })).toEqual({ code: 2, out: "", err: `ridlkit: ${message}` });
});

test("no verb at all is a mistake that shows the help", async () => {
  const { code, out, err } = await ridlkit([]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("Usage: ridlkit <verb>");
});

test("neither FILE nor configuration is a mistake that names what was looked for", async () => {
  using dir = folder({ "package.json": "{}" });
  const { code, out, err } = await ridlkit(["lint"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("There is no FILE and no configuration here (ridlkit.config.ts, ");
});

test("the help names every verb and every option of it", async () => {
  const { out } = await ridlkit(["help"]);
  for (const verb of await Promise.all(commands.map((lazy) => lazy.load()))) {
    expect(out).toContain(`\n  ${verb.name} `);
    const page = (await ridlkit(["help", verb.name])).out;
    for (const name of Object.keys(verb.options)) {
      expect(page).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    }
    for (const line of page.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  }
});

test("the examples of the help are read without complaint", async () => {
  using dir = folder({});
  const all = await Promise.all(commands.map((verb) => verb.load()));
  for (const { command } of all.flatMap((verb) => verb.examples)) {
    const words = command
      .replace(/ [<>].*/, "")
      .split(" ")
      .slice(1);
    expect((await ridlkitProcess(words, { cwd: dir.path })).err).not.toMatch(
      /no option|no verb|takes|exclude/,
    );
  }
});

test("options may stand before the verb", async () => {
  using dir = folder({ "a/x.ridl": good });
  const { code, out } = await ridlkit(["--cwd", "a", "lint", "x.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 0, out: "x.ridl: 2 methods, 2 types, 1 error, no problems\n" });
});

test("a verb that breaks is not taken for a finding", async () => {
  const breaking = defineCommand({
    name: "break",
    summary: "",
    usage: "",
    description: "",
    options: {},
    exclusiveOptions: [],
    takesSeveralSchemas: true,
    jsonStream: "out",
    examples: [],
    run: () => {
      throw new TypeError("x is undefined");
    },
  });
  const terminal = { out: () => {}, err: () => {}, errIsTerminal: false };
  const host = { cwd: import.meta.dirname, env: {}, version: "test", terminal };
  await expect(
    run(["break", "f.ridl"], host, [{ name: "break", load: async () => breaking }]),
  ).rejects.toThrow("x is undefined");
});

// A reader that throws what no file system throws stands for any bug of ours.
const sabotage = `data:text/javascript,import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
fs.openSync = () => { throw new TypeError("x is \\u001b undefined"); }; syncBuiltinESMExports();`;

test("our bug is one line, how to report it, and exit code 3", async () => {
  const { code, out, err } = await ridlkitProcess(["lint", "x.ridl"], { node: ["--import", sabotage] });
  expect({ code, out }).toEqual({ code: 3, out: "" });
  expect(err).toBe(
    "ridlkit broke: x is <U+001B> undefined; this is our fault.\n" +
      `Please report it with the command, the schema and what RIDLKIT_DEBUG=1 shows (ridlkit ${version}).\n`,
  );
});

test("RIDLKIT_DEBUG=1 shows where it broke", async () => {
  const { code, err } = await ridlkitProcess(["lint", "x.ridl"], {
    node: ["--import", sabotage],
    env: { RIDLKIT_DEBUG: "1" },
  });
  expect(code).toBe(3);
  expect(err).toMatch(/\n {4}at /);
});

test("no part of the program loads a package before it needs it", async () => {
  const result = await build({
    entryPoints: [program],
    bundle: true,
    splitting: true,
    outdir: "unused",
    write: false,
    metafile: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
    external: ["./recheck.js", "./yaml.cjs"],
  });
  const loaded = Object.values(result.metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external }) => kind === "import-statement" && external === true)
    .map(({ path }) => path);
  expect(loaded.length).toBeGreaterThan(0);
  // The language server stands on its package from its first line, and is itself loaded when it is asked for.
  const beside = loaded.filter((path) => !path.startsWith("vscode-languageserver"));
  expect(beside.filter((path) => !builtinModules.includes(path.replace("node:", "")))).toEqual([]);
});
