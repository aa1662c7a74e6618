/** The messages that docs/troubleshooting.md explains are those that users see. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tsc } from "../compile/project.ts";
import { readPage, root } from "../support/docs.ts";
import { program, ridlkit } from "../support/program.ts";

const page = readPage("docs/troubleshooting.md").replaceAll(/\s+/g, " ");

const schema = `webrpc = v1
name = hello
version = v1
basepath = /rpc

service Hello
  - Greet(name: string) => (greeting: string)
  - Count(number: int64) => ()
`;

/** Prints what a server reports for wrong requests, and a client for wrong numbers and timeouts. */
const script = `import { Hello, result } from "./api/client.ts";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./api/server.ts";

const handlers = { Hello: { Greet: () => { throw new Error("secret"); }, Count: () => ({}) } };
const serve = fetchHandler(createServer(handlers));
const send = async (path, init) => console.log(await (await serve(new Request("http://x" + path, init))).text());
const headers = { "content-type": "application/json" };
await send("/rpc/hello/greet", { method: "POST", headers, body: "{}" });
await send("/rpc/Hello/Greet", {});
await send("/rpc/Hello/Greet", { method: "POST", body: "{}" });
await send("/rpc/Hello/Greet", { method: "POST", headers, body: '{"nam":"Ann"}' });
await send("/rpc/Hello/Greet", { method: "POST", headers, body: '{"name":"Ann"}' });
const never = new Hello({ url: "http://x", timeoutMs: 1, transport: () => new Promise(() => {}) });
for (const call of [() => never.greet({ name: "Ann" }), () => never.count({ number: 2 ** 60 })]) {
  const { error } = await result(call());
  console.log(error?.name, error?.cause, error?.message);
}
const other = new Hello({ url: "http://x", transport: async () => new Response("<html>") });
console.log((await result(other.greet({ name: "Ann" }))).error?.name);
`;

const folder = mkdtempSync(join(tmpdir(), "ridlkit-trouble-"));
const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "hello.ridl"), schema);
  writeFileSync(join(folder, "script.ts"), script);
  const args = ["generate", "hello.ridl", "--out", "api", "--adapter", "fetch,node"];
  execFileSync(process.execPath, [program, ...args], { cwd: folder });
});

test("messages of servers and clients", () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const printed = outputOf(tsx, "script.ts");
  for (const message of [
    "WebrpcBadRoute",
    "methods must be called with POST",
    "Content-Type must be application/json",
    "/name: expected text, found nothing",
    "WebrpcInternalError",
    "timeout",
    "WebrpcRequestFailed",
    "WebrpcBadResponse",
    "expected an integer within ±(2^53 - 1)",
  ]) {
    expect(printed).toContain(message);
    expect(page).toContain(message);
  }
});

test("messages of Node.js and of the TypeScript compiler", () => {
  writeFileSync(join(folder, "package.json"), "{}");
  const message = 'Top-level await is currently not supported with the "cjs" output format';
  expect(outputOf(tsx, "script.ts")).toContain(message);
  writeFileSync(join(folder, "main.ts"), 'export { nodeListener } from "ridlkit-runtime/node";\n');
  const config = {
    compilerOptions: { module: "nodenext", noEmit: true, types: [] },
    files: ["api/server.ts", "main.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const report = outputOf(tsc, "-p", ".");
  for (const part of [
    "TS5097: An import path can only end with a '.ts' extension",
    "Cannot find name 'node:http'",
  ])
    for (const text of [page, report]) expect(text).toContain(part);
  expect(page).toContain(message);
});

test("messages of the command line", async () => {
  const { err } = await ridlkit(["generate"], { cwd: folder });
  const message = "No schema was given, and this folder has no ridlkit.config.*";
  expect(err).toContain(message);
  expect(page).toContain(message);
});

function outputOf(...args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  } catch (err) {
    const { stdout, stderr } = err as { readonly stdout?: string; readonly stderr?: string };
    return `${stdout}${stderr}`;
  }
}
