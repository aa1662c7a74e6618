/** Projects whose imports end with `.js`, or with nothing: generated, scaffolded, changed and checked. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, installRuntime, type Outcome, ridlkit } from "../../../support/program.ts";

let dir: Folder;
const run = (...args: string[]): Promise<Outcome> => ridlkit(args, { cwd: dir.path });
const read = (name: string): string => readFileSync(join(dir.path, name), "utf8");
const configure = (importExtension: string, runtime?: "copy"): void => {
  const schema = {
    entry: "pets.ridl",
    out: "generated",
    handlers: "handlers",
    adapters: ["hono"],
    importExtension,
    ...(runtime === undefined ? {} : { runtime }),
  };
  writeFileSync(join(dir.path, "ridlkit.config.json"), JSON.stringify({ schemas: [schema] }));
};

beforeEach(() => {
  dir = folder({
    "pets.ridl":
      "webrpc = v1\nname = pets\nversion = v1\nbasepath = /rpc\nservice Pets\n  - GetPet(id: uint64) => (name: string)\n",
  });
});
afterEach(() => dir[Symbol.dispose]());

test.each([
  [".js", "package", "", "ridlkit-runtime"],
  ["none", "package", "", "ridlkit-runtime"],
  [".js", "copy", ".js", "./generated/runtime"],
  ["none", "copy", "", "./generated/runtime"],
] as const)(
  "with %s every import does so, and the server runs: %s",
  async (extension, form, end, runtime) => {
    const ending = extension === "none" ? "" : extension;
    if (form === "copy") configure(extension, form);
    else {
      configure(extension);
      installRuntime(dir.path);
    }
    expect(await run("generate", "--quiet")).toEqual({ code: 0, out: "", err: "" });
    expect(await run("scaffold", "--quiet")).toMatchObject({ code: 0 });
    expect(await run("check")).toMatchObject({ code: 0 });
    expect(read("generated/server.ts")).toContain(
      `from "${runtime.replace("/generated", "")}/server${end}";`,
    );
    expect(read("handlers/Pets/GetPet.ts")).toContain(`from "../../generated/server${ending}";`);
    expect(read("handlers/handlers.ts")).toContain(`from "./Pets/GetPet${ending}";`);
    mkdirSync(dirname(join(dir.path, "main.ts")), { recursive: true });
    writeFileSync(
      join(dir.path, "main.ts"),
      `import { handlers } from "./handlers/handlers${ending}";
import { fetchHandler } from "${runtime}/fetch${end}";
import { createServer } from "./generated/server${ending}";
export const serve = fetchHandler(createServer(handlers));
`,
    );
    const { outputFiles } = await build({
      absWorkingDir: dir.path,
      entryPoints: ["main.ts"],
      bundle: true,
      write: false,
      platform: "node",
      format: "esm",
    });
    const { serve } = (await import(
      `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`
    )) as { readonly serve: (request: Request) => Promise<Response> };
    const response = await serve(
      new Request("http://pets/rpc/Pets/GetPet", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"id":1}',
      }),
    );
    expect([response.status, await response.json()]).toMatchObject([500, { code: -7 }]);
  },
);

test("another extension makes the generated files stale, and generating rewrites them", async () => {
  configure(".ts");
  await run("generate", "--quiet");
  configure("none");
  expect((await run("check")).code).toBe(1);
  expect(await run("generate", "--quiet")).toMatchObject({ code: 0 });
  expect(read("generated/types.ts")).not.toContain('.ts"');
  expect(await run("check")).toMatchObject({ code: 0 });
});

test("another value is refused with the possible ones", async () => {
  configure(".mjs");
  const { code, err } = await run("generate");
  expect(code).toBe(2);
  expect(err).toContain('".ts", ".js" or "none"');
});
