import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { visible } from "../../../../generator/language/diagnostics/visible.ts";
import { defineCommand } from "../../../../generator/tools/cli/command.ts";
import { commands } from "../../../../generator/tools/cli/commands/index.ts";
import { run } from "../../../../generator/tools/cli/run.ts";
import { folder, type Outcome, program, ridlkit, ridlkitProcess } from "../../../support/program.ts";
import { good } from "../../../support/schemas.ts";

const { version } = JSON.parse(
  readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
) as {
  version: string;
};

test.each([
  [["--version"], `${version}\n`],
  [["help"], "Usage: ridlkit <command> [options] [FILE]\n"],
  [["--help"], "Usage: ridlkit <command> [options] [FILE]\n"],
  [["-h"], "Usage: ridlkit <command> [options] [FILE]\n"],
  [["help", "ir"], "Usage: ridlkit ir [options] [FILE]\n"],
  [["ir", "--help"], "Usage: ridlkit ir [options] [FILE]\n"],
  [["--help", "ir"], "Usage: ridlkit ir [options] [FILE]\n"],
  [["lint", "-h"], "Usage: ridlkit lint [options] [FILE ...]\n"],
])("%j prints to standard output", async (args, text) => {
  const { code, out, err } = await ridlkit(args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(text);
});

test.each([
  [["genrate"], 'Unknown command "genrate". Did you mean "generate"?\nSee: ridlkit help\n'],
  [
    ["frobnicate"],
    `Unknown command "frobnicate". Commands: ${commands.map(({ name }) => name).join(", ")}, help.\nSee: ridlkit help\n`,
  ],
  [["help", "irr"], 'Unknown command "irr". Did you mean "ir"?\nSee: ridlkit help\n'],
  [["--farmat", "json"], 'Unknown option "--farmat". Did you mean "--format"?\nSee: ridlkit help\n'],
  [["ir", "--hsh", "x"], 'Unknown option "--hsh". Did you mean "--hash"?\nSee: ridlkit help ir\n'],
  [["lint", "--hash", "x"], 'Unknown option "--hash".\nSee: ridlkit help lint\n'],
  [["ir", "a", "b"], '"ir" takes one FILE; found 2: a, b.\nSee: ridlkit help ir\n'],
  [["dev", "api.ridl"], '"dev" takes options only; found "api.ridl".\nSee: ridlkit help dev\n'],
  [["lsp", "a"], '"lsp" takes options only; found "a".\nSee: ridlkit help lsp\n'],
  [["doctor", "a", "b"], '"doctor" takes options only; found "a b".\nSee: ridlkit help doctor\n'],
  [["generate", "no.ridl"], 'Cannot read "no.ridl": it does not exist.\nSee: ridlkit help generate\n'],
  [["check", "no.ridl"], 'Cannot read "no.ridl": it does not exist.\nSee: ridlkit help check\n'],
  [["ir", "a", "--project", "b"], "FILE and --project cannot be combined.\nSee: ridlkit help ir\n"],
  [
    ["ir", "a", "--match=@x", "--ignore=@y"],
    "--match and --ignore cannot be combined.\nSee: ridlkit help ir\n",
  ],
  [["lint", "--cwd", "other.ridl"], 'The directory "other.ridl" is a file.\nSee: ridlkit help\n'],
  [["lint", "--cwd", "nowhere"], 'The directory "nowhere" does not exist.\nSee: ridlkit help\n'],
  [["lint", "--\u001b[31m"], 'Unknown option "--<U+001B>[31m".\nSee: ridlkit help lint\n'],
])("%j is rejected with exit code 2", async (args, message) => {
  using dir = folder({ "other.ridl": "" });
  expect(await ridlkit(args, { cwd: dir.path })).toEqual({ code: 2, out: "", err: `ridlkit: ${message}` });

  const json = await ridlkit(args, { cwd: dir.path, env: { RIDLKIT_FORMAT: "json" } });
  const [, problem, help] = /^(.*)\nSee: (.*)\n$/s.exec(message) ?? [];
  const error = JSON.parse(json.out || json.err);
  expect(visible(error.error.message)).toBe(problem);
  expect({ code: json.code, error }).toEqual({
    code: 2,
    error: { ok: false, error: { message: expect.anything(), help }, diagnostics: [] },
  });
});

test.each([
  ["frobnicate", "--format", "json"],
  ["--format=json", "lint", "--nope"],
  ["lint", "--format", "json", "--dry-run"],
  ["help", "irr", "--format=json"],
  ["call", "--nope", "--format=json"],
  ["mock", "--format=json", "--delay=x"],
  ["dev", "--format=json", "--port=x"],
  ["--format=json"],
])("--format json in %j %j %j %j prints the error as JSON", async (...args) => {
  const { code, out, err } = await ridlkit(args);
  expect({ code, err }).toEqual({ code: 2, err: "" });
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    error: { message: expect.any(String), help: expect.stringMatching(/^ridlkit help/) },
  });
});

const header = "webrpc = v1\nname = a\nversion = v1.0.0\nbasepath = /\n";
const config = (entry: string): string =>
  JSON.stringify({
    schemas: [{ [entry]: "api.ridl", out: "generated", handlers: "handlers", history: "history" }],
  });

test.each<[command: string, ...args: string[]]>([
  ["lint"],
  ["generate"],
  ["check"],
  ["scaffold"],
  ["breaking", "--against", "api.ridl"],
  ["history", "add"],
  ["sdk", "--name", "a"],
  ["call", "A.B", "--url", "http://127.0.0.1:1"],
  ["test", "--url", "http://127.0.0.1:1"],
  ["mock", "--port", "0"],
])(
  "--format json prints errors of the schema and the configuration of %s on standard output",
  async (...args) => {
    const errorsOf = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      using at = folder(files);
      const { out, err } = await ridlkit([...args, "--format=json"], { cwd: at.path });
      expect(err).toBe("");
      // The first line, or the only document.
      const text = args[0] === "mock" ? (out.split("\n")[0] ?? "") : out;
      const { ok, diagnostics } = JSON.parse(text) as { ok: boolean; diagnostics: { code: string }[] };
      expect(ok).toBe(false);
      return diagnostics.map(({ code }) => code);
    };
    const invalid = `${header}struct A\n  - a: strng\n`;
    expect(await errorsOf({ "api.ridl": invalid, "ridlkit.config.json": config("entry") })).toContain(
      "RK308",
    );
    expect(await errorsOf({ "api.ridl": header, "ridlkit.config.json": config("entri") })).toContain("RK802");
  },
);

test("--format json prints on standard output that a server without a contract does not respond", async () => {
  using at = folder({});
  const args = ["call", "A.B", "--url", "http://127.0.0.1:1", "--format=json"];
  const { code, out, err } = await ridlkit(args, { cwd: at.path });
  expect([code, err]).toEqual([4, ""]);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining("No response") },
  });
});

test("--format json prints help as JSON", async () => {
  const overview = JSON.parse((await ridlkit(["help", "--format", "json"])).out);
  expect(overview.commands).toEqual(commands.map(({ name, summary }) => ({ name, summary })));
  expect(JSON.parse((await ridlkit(["--help", "--format=json"])).out)).toEqual(overview);
  for (const { name, load } of commands) {
    const { out } = await ridlkit([name, "--help", "--format", "json"]);
    const help = JSON.parse(out);
    expect(help).toMatchObject({ name, usage: `ridlkit ${name} ${(await load()).usage}` });
    expect((await ridlkit(["help", name, "--format", "json"])).out).toBe(out);
    expect(help.options.map((option: { name: string }) => option.name)).toContain("--format");
  }
});

test("a missing command prints the help and fails", async () => {
  const { code, out, err } = await ridlkit([]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("Usage: ridlkit <command>");
});

test("without FILE and configuration, the error names the searched files", async () => {
  using dir = folder({ "package.json": "{}" });
  const { code, out, err } = await ridlkit(["lint"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("No schema was given, and this folder has no ridlkit.config.*. Name a FILE, or run");
});

test("the help lists every command and its options", async () => {
  const { out } = await ridlkit(["help"]);
  for (const command of await Promise.all(commands.map((lazy) => lazy.load()))) {
    expect(out).toContain(`\n  ${command.name} `);
    const page = (await ridlkit(["help", command.name])).out;
    for (const name of Object.keys(command.options)) {
      expect(page).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    }
    for (const line of page.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  }
});

test("the examples of the help are read without complaint", async () => {
  using dir = folder({});
  const all = await Promise.all(commands.map((command) => command.load()));
  for (const { command } of all.flatMap((command) => command.examples)) {
    const words = command
      .replace(/ [<>].*/, "")
      .split(" ")
      .slice(1);
    expect((await runExample(words, dir.path)).err).not.toMatch(
      /Unknown option|Unknown command|takes|cannot be combined/,
    );
  }
});

/** Servers, and commands that read standard input, need a process of their own. */
function runExample(words: readonly string[], cwd: string): Promise<Outcome> {
  const [name = ""] = words;
  const needsProcess = ["dev", "mock", "lsp"].includes(name) || words.includes("-");
  return needsProcess ? ridlkitProcess(words, { cwd }) : ridlkit(words, { cwd });
}

test("options may precede the command", async () => {
  using dir = folder({ "a/x.ridl": good });
  const { code, out } = await ridlkit(["--cwd", "a", "lint", "x.ridl"], { cwd: dir.path });
  expect({ code, out }).toEqual({ code: 0, out: "x.ridl: 2 methods, 2 types, 1 error, no problems\n" });
});

test("an internal error is not reported as a finding", async () => {
  const breaking = defineCommand({
    name: "break",
    usage: "",
    description: "",
    options: {},
    jsonStream: "out",
    examples: [],
    run: () => {
      throw new TypeError("x is undefined");
    },
  });
  const terminal = {
    out: () => {},
    err: () => {},
    write: async () => true,
    outIsTerminal: false,
    errIsTerminal: false,
  };
  const host = { cwd: import.meta.dirname, env: {}, version: "test", terminal };
  await expect(
    run(["break", "f.ridl"], host, [{ name: "break", summary: "", load: async () => breaking }]),
  ).rejects.toThrow("x is undefined");
});

// Simulates a bug: the reader throws an error that no file system throws.
const sabotage = `data:text/javascript,import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
fs.openSync = () => { throw new TypeError("x is \\u001b undefined"); }; syncBuiltinESMExports();`;

test("an internal error prints how to report it and exits with 3", async () => {
  const { code, out, err } = await ridlkitProcess(["lint", "x.ridl"], { node: ["--import", sabotage] });
  expect({ code, out }).toEqual({ code: 3, out: "" });
  expect(err).toBe(
    "ridlkit: internal error: x is <U+001B> undefined\n" +
      `This is a bug in ridlkit ${version}. Please report it with the command, the schema and the output with RIDLKIT_DEBUG=1.\n`,
  );
});

test.each(["process.exit(0);", "await new Promise(() => {});"])(
  "a configuration that ends the process is reported: %s",
  async (text) => {
    using dir = folder({ "ridlkit.config.ts": `${text}\nexport default {};\n` });
    const { code, out, err } = await ridlkitProcess(["lint"], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(
      /^ridlkit: The process ended before the command finished[.] The configuration or .+\n$/,
    );
  },
);

test("RIDLKIT_DEBUG=1 prints the stack of an internal error", async () => {
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
  // The language server is loaded lazily itself, so it may import its package statically.
  const beside = loaded.filter((path) => !path.startsWith("vscode-languageserver"));
  expect(beside.filter((path) => !builtinModules.includes(path.replace("node:", "")))).toEqual([]);
});
