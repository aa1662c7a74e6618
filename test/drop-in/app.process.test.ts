/**
 * An app written for gen-typescript changes one import. It still compiles, and behaves as before where that was
 * correct.
 */
import { execFile } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { type Folder, folder, ridlkit } from "../support/program.ts";

const run = promisify(execFile);
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

async function generate(into: Folder, ...options: readonly string[]): Promise<string> {
  return generateFrom("trial.ridl", into, ...options);
}

async function generateFrom(schema: string, into: Folder, ...options: readonly string[]): Promise<string> {
  const out = join(into.path, "api.gen.ts");
  const args = [`-schema=${fixture(schema)}`, "-target=typescript", `-out=${out}`, ...options];
  const { code, err } = await ridlkit(args);
  expect(err).toBe("");
  expect(code).toBe(0);
  return out;
}

/** Returns the compiler's output for a file under the strictest flags. */
async function compile(path: string, more: object = {}): Promise<string> {
  const strict = JSON.parse(
    readFileSync(fileURLToPath(new URL("../compile/tsconfig.json", import.meta.url)), "utf8"),
  ) as { readonly compilerOptions: object };
  const options = {
    ...strict.compilerOptions,
    module: "esnext",
    moduleResolution: "bundler",
    noPropertyAccessFromIndexSignature: false,
    erasableSyntaxOnly: false,
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    ...more,
  };
  const config = join(path, "..", "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [path] }));
  const { stdout } = await run(process.execPath, [tsc, "-p", config]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  return stdout;
}

async function runBundled(path: string): Promise<unknown> {
  const outfile = `${path}.mjs`;
  const plain = { bundle: true, format: "esm", platform: "node", target: "node20" } as const;
  await build({ ...plain, entryPoints: [path], outfile });
  const { stdout } = await run(process.execPath, [outfile]);
  return JSON.parse(stdout);
}

/** For the newest checks of webrpc's own suites. */
test("hosts of webrpc v0.46 and of earlier releases compile and run", async () => {
  using made = folder({ "package.json": JSON.stringify({ type: "module" }) });
  await generateFrom("newer.ridl", made, "-client", "-server");
  const host = join(made.path, "newer-host.ts");
  copyFileSync(fixture("newer-host.ts"), host);
  const typeRoots = [fileURLToPath(new URL("../../node_modules/@types", import.meta.url))];
  expect(await compile(host, { types: ["node"], typeRoots })).toBe("");
  const results = `${JSON.stringify(await runBundled(host), undefined, 1)}\n`;
  await expect(results).toMatchFileSnapshot("fixtures/newer-host.json");
});

describe("an app that uses the whole surface", () => {
  test.each([[], ["-enumStyle=union"]])("compiles and runs %j", async (...options) => {
    using made = folder({ "package.json": JSON.stringify({ type: "module" }) });
    await generate(made, "-client", "-server", ...options);
    const app = join(made.path, "app.ts");
    copyFileSync(fixture("app.ts"), app);
    expect(await compile(app)).toBe("");
    expect(await runBundled(app)).toEqual({
      lookup: "/cats",
      saved: ["1000000000000000000000000000001", true],
      "per kind": "7",
      empty: {},
      watched: [200, "application/json", { at: "7" }],
      unauthorized: [true, true, true, true, "Unauthorized access", 401, "no root"],
      busy: "in other words",
      unexpected: [true, "internal error", null],
      bad: [true, "kind must be one of USER, ADMIN"],
      route: true,
      offline: [true, "fetch(): down"],
      keys: [
        ["Example", "urlLookup", { url: "/" }],
        ["Example", "empty"],
      ],
      versions: ["v1", "v1.2.0", 40],
      header: "trial",
      json: true,
      stream: [
        ["bigint 18446744073709551616 bigint [object Object]", "bigint 2 undefined größer"],
        ["open", "Busy: enough", "open", "Busy: enough"],
      ],
      left: true,
      sent: expect.stringMatching(/^POST \/v2\/Example\/URLLookup application\/json webrpc@/),
    });
  });
});

describe("options", () => {
  test("-compat names arguments and results like older versions", async () => {
    using made = folder({});
    const out = await generate(made, "-client", "-compat");
    const text = readFileSync(out, "utf8");
    expect(text).toContain("export interface URLLookupArgs {");
    expect(text).toContain(
      "uRLLookup(req: URLLookupArgs, headers?: object, signal?: AbortSignal): Promise<URLLookupReturn>;",
    );
    expect(text).toContain("save(req: User, headers?: object");
    expect(text).not.toMatch(/URLLookupRe(quest|sponse)/);
    expect(text).not.toContain("serveExampleRpc");
    expect(await compile(out)).toBe("");
  });

  test("-enumStyle=union is erasable; hash and header can be left out", async () => {
    using made = folder({});
    const out = await generate(
      made,
      "-client",
      "-enumStyle=union",
      "-schemaHash=false",
      "-webrpcHeader=false",
    );
    const text = readFileSync(out, "utf8");
    expect(text).not.toContain("WebrpcSchemaHash");
    expect(text).not.toContain("[WebrpcHeader]: WebrpcHeaderValue");
    expect(await compile(out, { erasableSyntaxOnly: true, noPropertyAccessFromIndexSignature: true })).toBe(
      "",
    );
  });

  test("neither side is generated unless requested", async () => {
    using made = folder({});
    const text = readFileSync(await generate(made), "utf8");
    expect(text).toContain("export enum Kind {");
    expect(text).not.toContain("class Example ");
    expect(text).not.toContain("interface ExampleServer");
  });
});

describe("the command line of webrpc-gen", () => {
  const schema = `-schema=${fixture("trial.ridl")}`;

  test.each([
    [
      ["-target=typescript", "-clinet"],
      'The target typescript has no option -clinet. Did you mean "client"?',
    ],
    [["-target=typescript", "-client=7"], '-client does not accept "7".'],
    [["-target=golang"], 'Unknown target "golang". Targets: typescript, openapi, json'],
    [
      ["-target=typescript", "-out", "x.ts"],
      '"x.ts" is not an option. With -schema, write options as -name=value.',
    ],
    [[], "-target is missing. Targets: typescript, openapi, json"],
    [["-target=./templates"], "ridlkit does not run Go templates; use `ridlkit generate --templates DIR`"],
    [["-target=typescript", "-schema="], "-schema is missing; pass a file, such as -schema=api.ridl."],
    [["-target=json", "-client"], "The target json has no option -client."],
    [["-target=json", "-match=@a", "-ignore=@b"], "-match and -ignore cannot be combined."],
    [["-target=openapi", "-securitySchemes=x"], '-securitySchemes does not accept "x".'],
  ])("%j is rejected with a message", async (args, words) => {
    const { code, out, err } = await ridlkit([schema, ...args]);
    expect(err).toContain(words);
    expect(out).toBe("");
    expect(code).toBe(1);
  });

  test("an invalid schema is reported with its position, and nothing is written", async () => {
    using made = folder({ "bad.ridl": "webrpc = v1\n\nstruct A\n  - a: strin\n" });
    const args = ["-schema=bad.ridl", "-target=typescript", "-client", "-out=api.gen.ts"];
    const { code, err } = await ridlkit(args, { cwd: made.path });
    expect(code).toBe(1);
    expect(err).toContain("bad.ridl:4:8");
    expect(() => readFileSync(join(made.path, "api.gen.ts"))).toThrow();
  });

  test.each([
    ["api.ridl", '-out would overwrite the schema "api.ridl".'],
    ["api.ridl/api.ts", '"api.ridl/api.ts" cannot be written: a part of its path is not a directory.'],
    [".", '"." cannot be written: it is a directory.'],
  ])("-out=%s is rejected, and nothing is written", async (out, words) => {
    using made = folder({ "api.ridl": readFileSync(fixture("trial.ridl"), "utf8") });
    const args = ["-schema=api.ridl", "-target=typescript", "-client", `-out=${out}`];
    const { code, err } = await ridlkit(args, { cwd: made.path });
    expect(err).toContain(words);
    expect(code).toBe(1);
    expect(readdirSync(made.path)).toEqual(["api.ridl"]);
    expect(readFileSync(join(made.path, "api.ridl"), "utf8")).toContain("webrpc = v1");
  });

  test("a schema path that is not a file gets no suggestion", async () => {
    using made = folder({ "api.ridl/readme": "" });
    const { err } = await ridlkit(["-schema=api.ridl", "-target=json"], { cwd: made.path });
    expect(err).toContain('Cannot read "api.ridl": it is a directory.');
    expect(err).not.toContain("Did you mean");
  });

  test("a stream that responds to a file is rejected, because webrpc has none", async () => {
    const files = `-schema=${fixture("../../fixtures/files/schema.ridl")}`;
    const { code, err } = await ridlkit([files, "-target=typescript", "-client"]);
    expect(code).toBe(1);
    expect(err).toContain('"Read" streams the response to a file');
  });

  test("json is the IR, and OpenAPI has its options", async () => {
    const json = await ridlkit([schema, "-target=json"]);
    const ir = await ridlkit(["ir", fixture("trial.ridl")]);
    expect(json.out).toBe(`${ir.out}\n`);
    const { out } = await ridlkit([
      schema,
      "-target=openapi",
      "-title=Trial",
      "-servers=http://a;first,http://b",
    ]);
    expect(out).toContain(
      'title: Trial\n  version: v1.2.0\nservers:\n  - url: "http://a"\n    description: first\n  - url: "http://b"\n',
    );
  });

  test("filters work like webrpc-gen's", async () => {
    const { out } = await ridlkit([
      schema,
      "-target=typescript",
      "-client",
      "-ignore=@deprecated",
      "-schemaVersion=v9",
    ]);
    expect(out).not.toContain("uRLLookup");
    expect(out).toContain('WebrpcSchemaVersion = "v9"');
  });

  test("-help lists options", async () => {
    const { code, out } = await ridlkit([schema, "-help"]);
    expect(code).toBe(0);
    expect(out).toContain("-enumStyle");
  });
});
