/** `ridlkit generate --target explorer`: the explorer as files for any web host. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Folder, folder, ridlkitProcess } from "../../../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

error 1 NoKey "no key" HTTP 401

service Pets
  @auth:accessKey - GetPet(id: uint64) => (name: string) errors NoKey
`;

const config = (openapi: object): string =>
  JSON.stringify({ schemas: [{ entry: "pets.ridl", out: "site", targets: ["explorer"], openapi }] });

let dir: Folder;

beforeEach(() => {
  dir = folder({ "pets.ridl": schema, "ridlkit.config.json": config({}) });
});

afterEach(() => dir[Symbol.dispose]());

const generate = (): Promise<unknown> => ridlkitProcess(["generate"], { cwd: dir.path });
const read = (name: string): string => readFileSync(join(dir.path, "site/explorer", name), "utf8");

test("writes the page, the contract, and a policy that allows calls of the page's host only", async () => {
  expect(await generate()).toMatchObject({ code: 0 });
  const names = readdirSync(join(dir.path, "site/explorer")).map((name) => name.replace(/-[A-Z0-9]{8}/, ""));
  expect(names.sort()).toEqual([
    ...["LICENSES.txt", "call-code.js", "chunk.js", "examples.json"],
    "host.json",
    "icon.svg",
    "index.html",
    "main.css",
    "main.js",
    "schema.json",
  ]);
  const html = read("index.html");
  expect(html).toContain(`content="default-src 'none'; script-src 'self';`);
  expect(html).toContain("connect-src 'self'; ");
  expect([...html.matchAll(/(?:href|src)="([^"]+)"/g)].filter(([, path = ""]) => /^\/|:/.test(path))).toEqual(
    [],
  );
  expect(JSON.parse(read("schema.json"))).toMatchObject({ name: "pets", services: [{ name: "Pets" }] });
  expect(JSON.parse(read("host.json"))).toEqual({
    servers: ["/"],
    keys: [{ name: "accessKey", title: "Access key", header: "X-Access-Key" }],
    examples: { "Pets/GetPet": { id: 3 } },
  });
  expect(JSON.parse(read("examples.json"))).toEqual({
    "Pets/GetPet": { request: { id: 3 }, response: { name: expect.any(String) } },
  });
  expect(existsSync(join(dir.path, "site/types.ts"))).toBe(false);
});

test("servers, title and keys come from the settings of OpenAPI documents", async () => {
  const openapi = {
    title: "Pets of the world",
    servers: [
      { url: "https://api.example/v1" },
      { url: "https://api.example/v2", description: "Next" },
      { url: "/local" },
    ],
    securitySchemes: { accessKey: { type: "apiKey", in: "header", name: "X-Key" } },
  };
  writeFileSync(join(dir.path, "ridlkit.config.json"), config(openapi));
  expect(await generate()).toMatchObject({ code: 0 });
  expect(read("index.html")).toContain("connect-src 'self' https://api.example; ");
  expect(JSON.parse(read("host.json"))).toMatchObject({
    title: "Pets of the world",
    servers: ["https://api.example/v1", "https://api.example/v2", "/local"],
    keys: [{ header: "X-Key" }],
  });
});

test("is up to date until the schema changes, for generate and for check", async () => {
  await generate();
  expect(await ridlkitProcess(["check"], { cwd: dir.path })).toMatchObject({ code: 0 });
  writeFileSync(join(dir.path, "pets.ridl"), `${schema}  - AddPet(name: string) => (id: uint64)\n`);
  expect(await ridlkitProcess(["check"], { cwd: dir.path })).toMatchObject({ code: 1 });
  await generate();
  expect(await ridlkitProcess(["check"], { cwd: dir.path })).toMatchObject({ code: 0 });
  expect(read("schema.json")).toContain('"AddPet"');
});
