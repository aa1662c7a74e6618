/** Generated code and a runtime of another contract version fail with the name of the version that is missing. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Folder, folder, installRuntime } from "../support/program.ts";
import { generateIn, tsc } from "./project.ts";

/** The files that users import. */
const entries = ["client", "errors", "mcp", "recorder", "server", "standard-schema", "validators"];

let made: Folder;

beforeAll(async () => {
  made = folder({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: { module: "nodenext", noEmit: true, types: [], skipLibCheck: true },
      include: ["api"],
    }),
    "shop.ridl":
      'webrpc = v1\nname = shop\nversion = v1.0.0\nerror 1 Gone "gone"\nservice Shop\n  - Get(id: uint64) => (name: string)\n',
  });
  installRuntime(made.path);
  await generateIn(made, {
    entry: join(made.path, "shop.ridl"),
    out: join(made.path, "api"),
    targets: ["client", "server", "recorder", "standard-schema", "mcp"],
    importExtension: ".js",
  });
  await build({
    entryPoints: [join(made.path, "api/*.ts")],
    outdir: join(made.path, "api"),
    format: "esm",
    target: "node20",
  });
  for (const file of ["contract.js", "contract.d.ts"]) {
    const path = join(made.path, "node_modules/ridlkit-runtime/dist", file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("generatedCodeV1", "generatedCodeV2"));
  }
});

afterAll(() => made[Symbol.dispose]());

test("compilers report it in every file that users import", async () => {
  const printed = await node([tsc]);
  for (const entry of entries)
    expect(printed).toMatch(
      new RegExp(
        `^api/${entry}[.]ts.*"ridlkit-runtime/contract".* no exported member .*generatedCodeV1`,
        "m",
      ),
    );
});

test.each(entries.filter((entry) => entry !== "mcp"))("Node does not load %s", async (entry) => {
  expect(await node(["--eval", `import("./api/${entry}.js")`])).toContain(
    "SyntaxError: The requested module 'ridlkit-runtime/contract' does not provide an export named 'generatedCodeV1'",
  );
});

test.each(["js", "ts"])("bundlers report it for a single call, in a file .%s", async (extension) => {
  const contents = `export { get } from "./api/client.${extension}";`;
  const bundling = build({
    stdin: { contents, resolveDir: made.path },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "silent",
  });
  await expect(bundling).rejects.toThrow(
    /No matching export in ".*ridlkit-runtime[/]dist[/]contract[.]js" for import "generatedCodeV1"/,
  );
});

/** Returns what a program prints. */
function node(parameters: readonly string[]): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, parameters, { cwd: made.path }, (_error, out, err) => done(out + err));
  });
}
