import type { ChildProcess } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, ridlkit, start } from "../../../support/program.ts";

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
  await expect.poll(() => lines.some(({ event }) => event === "refused"), patient).toBe(true);
  expect(await call("AddPet")).toBe(200);
  writeFileSync(join(dir.path, "pets.ridl"), schema);
  const tested = await ridlkit(["test", "--url", url, "pets.ridl"], { cwd: dir.path });
  expect(tested).toMatchObject({ code: 0, out: expect.stringContaining("0 findings") });
});

test.each([
  [["--port", "x"], '--port takes a number from 0 to 65535; found "x"'],
  [["--delay", "2h"], '--delay takes a time of at most one minute, such as 50ms or 1.5s; found "2h"'],
  [["--item-delay", "soon"], "--item-delay takes a time"],
  [["--error-rate", "10"], '--error-rate takes a number from 0 to 1, such as 0.1; found "10"'],
  [["--error-rate", "-1"], '--error-rate takes a number from 0 to 1, such as 0.1; found "-1"'],
])("%s is refused", async (words, message) => {
  const { code, err: stderr } = await ridlkit(["mock", "pets.ridl", ...words], { cwd: dir.path });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test("a schema without a method is told, and not served", async () => {
  writeFileSync(join(dir.path, "pets.ridl"), schema.slice(0, schema.indexOf("service")));
  const { code, err } = await ridlkit(["mock", "pets.ridl", "--port", "0"], { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("no method that can be served") });
});

test("a schema with faults is told, and not served", async () => {
  writeFileSync(join(dir.path, "pets.ridl"), schema.replace("uint64", "uint65"));
  const { code, err: stderr } = await ridlkit(["mock", "pets.ridl", "--port", "0"], { cwd: dir.path });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("uint65") });
});

test("an upload is parsed by the package that the project's adapter uses", async () => {
  const parser = "node_modules/@remix-run/multipart-parser";
  const config = { schemas: [{ entry: "pets.ridl", out: "generated", adapters: ["hono"] }] };
  writeFileSync(join(dir.path, "ridlkit.config.json"), JSON.stringify(config));
  writeFileSync(
    join(dir.path, "pets.ridl"),
    `${schema}  - Draw(name: string, picture: file) => (ok: bool)\n`,
  );
  mkdirSync(join(dir.path, "node_modules/@remix-run"), { recursive: true });
  symlinkSync(resolve(parser), join(dir.path, parser));
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
