/** Packages of CommonJS, which load the runtime's ECMAScript modules with require(): compiled by tsc, and bundled. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { type Folder, folder, installRuntime, ridlkit } from "../support/program.ts";

const execute = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const runtimes = { package: "ridlkit-runtime", copy: "./generated/runtime" } as const;
const forms = ["package", "copy"] as const;
const projects = new Map<string, Folder>();

beforeAll(async () => {
  for (const runtime of forms) projects.set(runtime, await compiled(runtime));
});

afterAll(() => {
  for (const project of projects.values()) project[Symbol.dispose]();
});

describe.each(["this", "20", "22", "24"])("Node.js %s", (version) => {
  const node = version === "this" ? process.execPath : `${here}node_modules/node-${version}/bin/node`;
  // Installed by .ci/run: `npm ci --prefix test/node-versions`.
  const isSkipped = !existsSync(node) && process.env["CI"] !== "true";

  test
    .skipIf(isSkipped)
    .each(forms.flatMap((form) => ["dist/main.js", "bundled.cjs"].map((file) => [form, file] as const)))(
    "the runtime as %s: %s calls a server",
    async (form, file) => {
      const { stdout, stderr } = await execute(node, [join(projects.get(form)?.path ?? "", file)]);
      expect({ stdout, stderr }).toEqual({
        stdout: '[{"name":"pet 7"},true,"WebrpcBadRequest"]\n',
        stderr: "",
      });
    },
  );
});

/** A project as a user writes it, compiled by the strict rules of Node.js. */
async function compiled(form: keyof typeof runtimes): Promise<Folder> {
  const runtime = runtimes[form];
  const ending = form === "copy" ? ".js" : "";
  const made = folder({
    "package.json": "{}",
    "pets.ridl": `webrpc = v1
name = pets
version = v1
basepath = /rpc
service Pets
  - GetPet(id: uint32) => (name: string)
`,
    "ridlkit.config.json": JSON.stringify({
      schemas: [
        { entry: "pets.ridl", out: "generated", importExtension: ".js", adapters: ["fetch"], runtime: form },
      ],
    }),
    "main.ts": `import { fetchHandler } from "${runtime}/fetch${ending}";
import { RpcError } from "${runtime}/errors${ending}";
import { memoryTransport } from "${runtime}/transport${ending}";
import { Pets, result } from "./generated/client.js";
import { createServer } from "./generated/server.js";

const serve = fetchHandler(createServer({ Pets: { GetPet: (_ctx, { id }) => ({ name: \`pet \${id}\` }) } }));
const pets = new Pets({ url: "http://memory", transport: memoryTransport(serve) });
async function main(): Promise<void> {
  const bad = await result(pets.getPet({ id: -1 }));
  if (bad.ok) throw new Error("a negative number was accepted");
  const { error } = bad;
  console.log(JSON.stringify([await pets.getPet({ id: 7 }), error instanceof RpcError, error.name]));
}
void main();
`,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        typeRoots: [join(root, "node_modules/@types")],
        types: ["node"],
        outDir: "dist",
        rootDir: ".",
      },
      include: ["main.ts"],
    }),
  });
  if (form === "package") installRuntime(made.path);
  expect(await ridlkit(["generate"], { cwd: made.path })).toMatchObject({ code: 0 });
  execFileSync(process.execPath, [tsc, "-p", "."], { cwd: made.path, stdio: "inherit" });
  await build({
    absWorkingDir: made.path,
    entryPoints: ["main.ts"],
    outfile: "bundled.cjs",
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  return made;
}
