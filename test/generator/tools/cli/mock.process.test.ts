import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, program, ridlkit, start } from "../../../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

error 1 PetGone "The pet is gone" HTTP 404

service Pets
  - GetPet(id: uint64) => (name: string) errors PetGone
`;

let dir: Folder;
let child: ChildProcess | undefined;

beforeEach(() => {
  dir = folder({ "pets.ridl": schema, "package.json": '{ "type": "module" }' });
});

afterEach(async () => {
  if (child?.exitCode === null) {
    const ended = new Promise((done) => child?.once("close", done));
    child.kill("SIGKILL");
    await ended;
  }
  child = undefined;
  dir[Symbol.dispose]();
});

const patient = { timeout: 120_000 };

test("the mock listens when it is ready: the first response is never an error", async () => {
  const listening = spawn(process.execPath, [
    "-e",
    "const s = require('net').createServer().listen(0, () => { console.log(s.address().port); s.close(); })",
  ]);
  const [port] = await once(listening.stdout, "data");
  child = start(["mock", "pets.ridl", "--port", String(port).trim()], { cwd: dir.path });
  const call = async (): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const url = `http://127.0.0.1:${String(port).trim()}/rpc/Pets/GetPet`;
    return (
      (await fetch(url, { method: "POST", headers, body: '{"id":1}' }).catch(() => undefined))?.status ?? 0
    );
  };
  const statuses = [0];
  while (statuses.at(-1) === 0) statuses.push(await call());
  expect(new Set(statuses)).toEqual(new Set([0, 200]));
});

test("a schema is served, its edits too, and ridlkit test finds nothing", async () => {
  const lines: Record<string, unknown>[] = [];
  child = start(["mock", "pets.ridl", "--port", "0", "--watch", "--format", "json"], {
    cwd: dir.path,
    timeoutMs: 290_000,
  });
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) =>
    lines.push(JSON.parse(line)),
  );
  await expect.poll(() => lines[0], patient).toMatchObject({ event: "serving", methods: 1 });
  const url = String(lines[0]?.["url"]);
  const call = async (method: string, headers: Record<string, string> = {}): Promise<number> => {
    const sent = { "content-type": "application/json", ...headers };
    return (await fetch(`${url}/rpc/Pets/${method}`, { method: "POST", headers: sent, body: '{"id":1}' }))
      .status;
  };
  expect([
    await call("GetPet"),
    await call("GetPet", { "Mock-Error": "PetGone" }),
    await call("AddPet"),
  ]).toEqual([200, 404, 404]);
  await expect
    .poll(() => lines.slice(1), patient)
    .toMatchObject([
      { event: "call", method: "Pets.GetPet", status: 200 },
      { event: "call", method: "Pets.GetPet", status: 404, error: "PetGone" },
      { event: "call", method: "/rpc/Pets/AddPet", status: 404, error: "WebrpcBadRoute" },
    ]);
  writeFileSync(join(dir.path, "pets.ridl"), `${schema}  - AddPet(id: uint64) => (name: string)\n`);
  await expect.poll(() => call("AddPet"), patient).toBe(200);
  writeFileSync(join(dir.path, "pets.ridl"), `${schema}  - AddPet(id: uint65) => (name: string)\n`);
  await expect.poll(() => lines.some(({ event }) => event === "invalid"), patient).toBe(true);
  expect(await call("AddPet")).toBe(200);
  writeFileSync(join(dir.path, "pets.ridl"), schema);
  const tested = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect(tested).toMatchObject({ code: 0, out: expect.stringContaining("0 findings") });
});

test("kept versions are served, and ridlkit test calls them as their clients do", async () => {
  const versioned = (version: string, methods: string): string =>
    schema.replace("version = v1", `version = ${version}`).replace(/ {2}- GetPet.*\n/, methods);
  const config = "schemas:\n  - entry: pets.ridl\n    out: out\n    history: history\n";
  writeFileSync(join(dir.path, "ridlkit.config.yaml"), config);
  const pet = "  - GetPet(id: uint64) => (name: string)\n";
  writeFileSync(join(dir.path, "pets.ridl"), versioned("v1.0.0", pet));
  await ridlkit(["history", "add"], { cwd: dir.path });
  const renamed = "  @renamedFrom:GetPet\n  - FindPet(id: uint64) => (name: string)\n";
  const sized = "  - SizePet(id: uint64) => (size: uint32)\n";
  writeFileSync(join(dir.path, "pets.ridl"), versioned("v2.0.0", `${renamed}${sized}`));
  await ridlkit(["history", "add"], { cwd: dir.path });
  const byHand = sized.replace("(size: uint32)", "(bytes: uint64)");
  writeFileSync(join(dir.path, "pets.ridl"), versioned("v3.0.0", `${renamed}${byHand}`));

  const lines: Record<string, unknown>[] = [];
  child = start(["mock", "--port", "0", "--format", "json"], { cwd: dir.path, timeoutMs: 290_000 });
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) =>
    lines.push(JSON.parse(line)),
  );
  await expect.poll(() => lines[0], patient).toMatchObject({ event: "serving", methods: 2 });
  const url = String(lines[0]?.["url"]);
  const call = async (method: string, webrpc: string): Promise<number> => {
    const headers = { "content-type": "application/json", webrpc };
    return (await fetch(`${url}/rpc/Pets/${method}`, { method: "POST", headers, body: '{"id":1}' })).status;
  };
  expect([
    await call("GetPet", "pets@v1.0.0"),
    await call("GetPet", "pets@v3.0.0"),
    await call("FindPet", "pets@v3.0.0"),
    await call("SizePet", "pets@v3.0.0"),
    // Only a function that is written by hand could tell the size.
    await call("SizePet", "pets@v2.0.0"),
  ]).toEqual([200, 404, 200, 200, 410]);
  const first = await ridlkit(["test", "--url", url, "history/v1.0.0.webrpc.json"], { cwd: dir.path });
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining("0 findings") });
  const second = await ridlkit(["test", "--url", url, "history/latest.webrpc.json"], { cwd: dir.path });
  expect(second.err).toContain("Pets.SizePet [errors-declared]: the error WebrpcClientOutdated");
  expect(second.err).toContain("-H 'webrpc: pets@v2.0.0'");
});

test("the explorer is served in a folder, and the root redirects to it", async () => {
  const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" } };
  const config = { schemas: [{ entry: "pets.ridl", out: "generated", openapi: { securitySchemes } }] };
  writeFileSync(join(dir.path, "ridlkit.config.json"), JSON.stringify(config));
  writeFileSync(join(dir.path, "pets.ridl"), schema.replace("- GetPet", "@auth:key - GetPet"));
  const url = await serve("mock", "--port", "0", "--format", "json");
  const root = await fetch(url, { redirect: "manual" });
  expect([root.status, root.headers.get("location")]).toEqual([302, "explorer/"]);
  const slashless = await fetch(`${url}/explorer`, { redirect: "manual" });
  expect([slashless.status, slashless.headers.get("location")]).toEqual([302, "explorer/index.html"]);
  const page = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  expect([page.status, page.url]).toEqual([200, `${url}/explorer/`]);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
  const html = await page.text();
  const parts = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = ""]) => path);
  for (const part of [...parts, "host.json"]) {
    expect(part).not.toMatch(/^\/|:/);
    const answer = await fetch(new URL(part, page.url));
    expect([part, answer.status]).toEqual([part, 200]);
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(answer.url, { headers: { "if-none-match": etag } });
    expect([part, again.status]).toEqual([part, 304]);
  }
  const info = (await (await fetch(`${url}/explorer/host.json`)).json()) as object;
  expect(info).toMatchObject({
    isMock: true,
    servers: ["../"],
    keys: [{ name: "key", header: "X-Key", value: "any" }],
  });
  const missing = await fetch(`${url}/explorer/none.js`);
  expect(missing.status).toBe(404);
  const posted = await fetch(`${url}/explorer/`, { method: "POST" });
  expect(await posted.json()).toMatchObject({ error: "WebrpcBadRoute" });
});

test("methods keep their paths: the explorer moves to where no method is", async () => {
  const routes = schema
    .replace("basepath = /rpc", "basepath = /")
    .replace(
      / {2}- GetPet.*\n/,
      "  - Home() => (title: string)\n    GET /\n  - GetPet(id: uint64) => (name: string)\n    GET /{id}\n",
    );
  writeFileSync(join(dir.path, "pets.ridl"), routes);
  const url = await serve("mock", "pets.ridl", "--port", "0", "--format", "json");
  expect(await (await fetch(url)).json()).toEqual({ title: expect.any(String) });
  expect((await fetch(`${url}/explorer`)).status).toBe(400);
  const page = await fetch(`${url}/-/explorer/`);
  expect(await page.text()).toContain('<div id="page">');
  expect(await (await fetch(`${url}/-/explorer/host.json`)).json()).toMatchObject({ servers: ["../../"] });
});

test("ridlkit test compares nested values as servers store them, and methods need no error for missing records", async () => {
  const records = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc

type Low: string
  + normalize = lowercase
  + minLength = 4

struct Home
  - low: Low
  - all: []Low
  - at: timestamp
  - mail: string
    + alias = email

struct Pet
  - id: uint64
  - home: Home

service Pets
  @create:Pet
  - AddPet(home: Home) => (pet: Pet)
  @get:Pet
  - GetPet(id: uint64) => (pet: Pet)
`;
  writeFileSync(join(dir.path, "pets.ridl"), records);
  const url = await serve("mock", "pets.ridl", "--port", "0", "--format", "json");
  const { code, out } = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect([code, out]).toEqual([0, expect.stringContaining(" 0 findings")]);
});

const terminal = "/usr/bin/script";

test.runIf(existsSync(terminal))("on a terminal, a call is printed that works as it is pasted", async () => {
  const run = `${process.execPath} ${program} mock pets.ridl --port 0`;
  child = spawn(terminal, ["-qec", run, "/dev/null"], {
    cwd: dir.path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await expect.poll(() => text, patient).toContain("Methods:");
  await expect.poll(() => text, patient).toContain("serving");
  const shown = stripVTControlCharacters(text);
  expect(shown).toMatch(/^\s*Explorer: http:\/\/127[.]0[.]0[.]1:\d+\/\r?\n/);
  const [, command = ""] = /Try: +(curl .*?)\r?\n/.exec(shown) ?? [];
  expect(JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf8" }))).toEqual({
    name: expect.any(String),
  });
});

test("without --port, the next free port is taken and the one in use is named", async () => {
  const other = createServer().listen(4010, "127.0.0.1");
  // Another program may use it already.
  await once(other, "listening").catch(() => {});
  child = start(["mock", "pets.ridl"], { cwd: dir.path, timeoutMs: 240_000 });
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), "line");
  other.close();
  expect(line).toMatch(
    /^pets[.]ridl: serving http:\/\/127[.]0[.]0[.]1:40(?:1[1-9]|2\d) \(port 4010 is in use\), 1 method/,
  );
});

test("in a pipe, one line is printed", async () => {
  child = start(["mock", "pets.ridl", "--port", "0"], { cwd: dir.path, timeoutMs: 240_000 });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await expect.poll(() => text, patient).toContain("seed 1\n");
  const [, url = ""] = /serving (\S+),/.exec(text) ?? [];
  await fetch(`${url}/rpc/Pets/GetPet`, { method: "POST", body: "{}" });
  await expect.poll(() => text.split("\n").length, patient).toBe(3);
  expect(text).toMatch(/^pets[.]ridl: serving \S+, 1 method, seed 1\nPets[.]GetPet 400 /);
});

async function serve(...args: string[]): Promise<string> {
  child = start(args, { cwd: dir.path, timeoutMs: 240_000 });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    return (JSON.parse(line) as { url: string }).url;
  throw new Error("nothing is served");
}

test.each([
  [["--port", "x"], '--port takes an integer from 0 to 65535; found "x"'],
  [["--items", "100001"], '--items takes an integer from 0 to 100000; found "100001"'],
  [["--delay", "2h"], '--delay takes a time of at most one minute, such as 200ms or 1.5s; found "2h"'],
  [["--item-delay", "soon"], "--item-delay takes a time"],
  [["--error-rate", "10"], '--error-rate takes a number from 0 to 1, such as 0.1; found "10"'],
  [["--error-rate", "-1"], '--error-rate takes a number from 0 to 1, such as 0.1; found "-1"'],
])("%s is refused", async (words, message) => {
  const { code, err: stderr } = await ridlkit(["mock", "pets.ridl", ...words], { cwd: dir.path });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test("a schema without a method is reported, and not served", async () => {
  writeFileSync(join(dir.path, "pets.ridl"), schema.slice(0, schema.indexOf("service")));
  const { code, err } = await ridlkit(["mock", "pets.ridl", "--port", "0"], { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("no method that can be served") });
});

test("an invalid schema is reported, and not served", async () => {
  writeFileSync(join(dir.path, "pets.ridl"), schema.replace("uint64", "uint65"));
  const { code, err: stderr } = await ridlkit(["mock", "pets.ridl", "--port", "0"], { cwd: dir.path });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("uint65") });
});

test.each(["koa", "hono"])("an upload needs no installed package, with the adapter %s", async (adapter) => {
  const config = { schemas: [{ entry: "pets.ridl", out: "generated", adapters: [adapter] }] };
  writeFileSync(join(dir.path, "ridlkit.config.json"), JSON.stringify(config));
  writeFileSync(
    join(dir.path, "pets.ridl"),
    `${schema}  - Draw(name: string, picture: file) => (ok: bool)\n`,
  );
  child = start(["mock", "--port", "0", "--format", "json"], { cwd: dir.path, timeoutMs: 240_000 });
  const output = child.stdout?.setEncoding("utf8") ?? [];
  let url = "";
  for await (const line of output) {
    ({ url } = JSON.parse(line) as { url: string });
    break;
  }
  const form = new FormData();
  form.set("json", '{"name":"Rex"}');
  form.set("picture", new File(["x"], "a.png"));
  expect((await fetch(`${url}/rpc/Pets/Draw`, { method: "POST", body: form })).status).toBe(200);
});
