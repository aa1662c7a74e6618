/** The reference's own example apps, with our generated files instead of theirs. */
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { folder, ridlkit } from "../support/program.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const examples = examplesFolder();

if (examples === undefined && process.env["CI"] === "true")
  throw new Error("the reference's module is not there");
if (examples === undefined) console.log("The reference's examples are left out: its module is not there.");

/** Where Go stores the module that test/reference pins. */
function examplesFolder(): string | undefined {
  try {
    const args = ["list", "-mod=mod", "-m", "-f", "{{.Dir}}", "github.com/webrpc/webrpc"];
    const dir = execFileSync("go", args, {
      cwd: join(root, "test/reference"),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return dir === "" ? undefined : join(dir, "_examples/node-ts");
  } catch {
    return undefined;
  }
}

/** A page with the elements that the app uses, and a server behind `fetch`. Presses every button once. */
const page = `
import { type ExampleServer, Kind, serveExampleRpc, WebrpcEndpointError } from "./server.gen";

const server: ExampleServer = {
  async ping() { return {}; },
  async getUser(_ctx, { userId }) {
    if (userId === 911) throw new WebrpcEndpointError({ cause: "User 911 is forbidden" });
    const extra = { info: "", amount: 5678n, points: [100n] };
    return { code: 200, user: { id: userId, USERNAME: "user-1", role: Kind.USER, meta: {}, balance: 31337n, extra } };
  },
  async getArticle(_ctx, { byBN }) { return { title: "Article", content: "Hello", largeNum: byBN * 2n }; },
};
globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(String(input));
  const served = await serveExampleRpc(server, {}, pathname, JSON.parse(String(init?.body)));
  return new Response(JSON.stringify(served?.body), { status: served?.status ?? 404, headers: served?.headers ?? {} });
};
console.log = console.error = () => undefined;
const elements = new Map<string, { textContent: string; press?: () => void; addEventListener: Function }>();
const element = (id: string) => {
  const one = { textContent: "", addEventListener: (_: string, press: () => void) => Object.assign(one, { press }) };
  elements.set(id, one);
  return one;
};
Object.assign(globalThis, {
  document: { getElementById: element, addEventListener: (_: string, loaded: () => void) => setTimeout(loaded) },
});
await import("./index");
await new Promise((done) => setTimeout(done, 50));
for (const one of elements.values()) one.press?.();
await new Promise((done) => setTimeout(done, 200));
process.stdout.write(JSON.stringify(Object.fromEntries([...elements].map(([id, { textContent }]) => [id, textContent]))));
`;

test.runIf(examples !== undefined)("the web app and the server compile, and the web app runs", async () => {
  const from = examples ?? "";
  using made = folder({ "page.ts": page });
  const schema = `-schema=${join(from, "service.ridl")}`;
  const copies = { webapp: ["index.ts"], server: ["helpers.ts", "middleware.ts"] };
  for (const [app, names] of Object.entries(copies))
    for (const name of names) copyFileSync(join(from, app, name), join(made.path, name));
  copyFileSync(join(from, "server/index.ts"), join(made.path, "main.ts"));
  for (const side of ["client", "server"]) {
    const out = `-out=${join(made.path, `${side}.gen.ts`)}`;
    expect((await ridlkit([schema, "-target=typescript", `-${side}`, out])).err).toBe("");
  }
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  const config = join(made.path, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["index.ts", "main.ts"] }));
  const run = promisify(execFile);
  const { stdout: faults } = await run(process.execPath, [tsc, "-p", config]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  expect(faults).toBe("");
  const outfile = join(made.path, "page.mjs");
  await build({
    entryPoints: [join(made.path, "page.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const { stdout } = await run(process.execPath, [outfile]);
  expect(JSON.parse(stdout)).toMatchObject({
    "js-ping-text": "PONG",
    "js-username-text": "user-1",
    "js-username-error-text": "webrpc error: endpoint error, cause: User 911 is forbidden",
    "js-article-text": "Title: Article\n\nContent: Hello",
  });
});
