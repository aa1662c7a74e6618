/** Packages of a workspace are bundled like files of the project, because Node.js loads no TypeScript of packages. */
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Bundle } from "../../../../generator/tools/dev/bundle.ts";
import { folder, installRuntime, ridlkit } from "../../../support/program.ts";

const schema = `webrpc = v1
name = clinic
version = v1.0.0
basepath = /rpc

service Clinic
  - Name() => (name: string)
`;

const files = {
  "packages/contract/clinic.ridl": schema,
  "packages/contract/package.json": JSON.stringify({
    name: "@clinic/contract",
    type: "module",
    exports: { "./*": "./generated/*.ts" },
  }),
  "packages/names/package.json": JSON.stringify({ name: "names", type: "module", exports: "./index.ts" }),
  "packages/names/index.ts": `import { shout } from "tool";
export const name: string = shout("clinic");
`,
  "packages/names/node_modules/tool/package.json": JSON.stringify({
    name: "tool",
    type: "module",
    exports: "./index.js",
  }),
  "packages/names/node_modules/tool/index.js": `export const shout = (text) => text.toUpperCase();\n`,
  "apps/api/src/dev.ts": `import { createServer } from "@clinic/contract/server";
export const server = createServer({
  Clinic: { Name: async () => ({ name: (await import("names")).name }) },
});
`,
};

test.each([
  // npm and Yarn link packages at the root.
  ["npm and Yarn", "node_modules", ""],
  // pnpm links them where they are used.
  ["pnpm", "apps/api/node_modules", "packages/contract"],
])("linked by %s", async (_name, modules, dependent) => {
  using dir = folder(files);
  installRuntime(join(dir.path, dependent));
  for (const [name, target] of [
    ["@clinic/contract", "packages/contract"],
    ["names", "packages/names"],
  ] as const) {
    const link = join(dir.path, modules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(dir.path, target), link, "junction");
  }
  const root = join(dir.path, "packages/contract");
  const generate = ["generate", "clinic.ridl", "--out", "generated", "--adapter", "node"];
  expect(await ridlkit(generate, { cwd: root })).toMatchObject({ code: 0 });
  await using bundle = new Bundle({
    root,
    handlers: join(dir.path, "apps/api/src/dev.ts"),
    generated: join(root, "generated"),
  });
  const result = await bundle.load();
  if ("errors" in result) throw new Error(result.errors.join("\n"));
  // Edits of these files load a new version.
  expect(result.inputs).toEqual(
    expect.arrayContaining([expect.stringMatching(/packages[\\/]names[\\/]index[.]ts$/)]),
  );
  const { own, nodeListener } = result.loaded;
  const http = (await import("node:http")).createServer(nodeListener(own["server"] as object));
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const { port } = http.address() as { readonly port: number };
  const headers = { "content-type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}/rpc/Clinic/Name`, {
    method: "POST",
    headers,
    body: "{}",
  });
  expect(await response.json()).toEqual({ name: "CLINIC" });
  http.closeAllConnections();
  http.close();
});
