/** What people see first of a started server. */
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { colored, plain } from "../../../../generator/language/diagnostics/paint.ts";
import type { Schema } from "../../../../generator/tools/cli/config/schemas.ts";
import { servedContract } from "../../../../generator/tools/cli/servers/served-contract.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const head = 'webrpc = v1\nname = pets\nversion = v1\nbasepath = /rpc\n\nerror 1 NoKey "no key" HTTP 401\n\n';

function contractOf(services: string, { isMock = true, securitySchemes = {} } = {}) {
  const reader = memoryReader({ "pets.ridl": `${head}${services}` });
  const { result } = compile("pets.ridl", reader, { strict: false });
  if (result === undefined) throw new Error("the schema is invalid");
  const schema = { path: "pets.ridl", filter: {}, generation: { openapi: { securitySchemes } } };
  return servedContract(result, schema as unknown as Schema, { command: "npx ridlkit mock", isMock });
}

const steps = (services: string, options = {}): string =>
  contractOf(services, options).firstSteps("http://127.0.0.1:1", "http://127.0.0.1:1/", plain);

test("the simplest method is the one to call: without a key, a file or a stream", () => {
  const text = steps(`service Pets
  @auth:accessKey - Ping() => (ok: bool)
  - Upload(picture: file) => (ok: bool)
  - Watch() => stream (name: string)
  - GetPet(id: uint64) => (name: string)
`);
  expect(text).toBe(`
  Explorer: http://127.0.0.1:1/
  Try:      curl -s http://127.0.0.1:1/rpc/Pets/GetPet -H 'Content-Type: application/json' -d '{"id":3}'
  Methods:  POST /rpc/Pets/Ping
            POST /rpc/Pets/Upload
            POST /rpc/Pets/Watch
            POST /rpc/Pets/GetPet

`);
});

test("the method to call is the one that the page offers", () => {
  const text = steps(`service Pets
  @readonly - Ping() => (ok: bool)
  @readonly - FindPet(name: string, owner: string) => (name: string, owner: string, age: int32)
`);
  expect(text).toContain("Try:      curl -s http://127.0.0.1:1/rpc/Pets/FindPet ");
});

test("the address of the explorer stands out on a terminal", () => {
  const { firstSteps } = contractOf("service Pets\n  - Ping() => (ok: bool)\n");
  expect(firstSteps("http://127.0.0.1:1", "http://127.0.0.1:1/", colored)).toMatch(
    "\n  \u001b[32mExplorer:\u001b[0m \u001b[1mhttp://127.0.0.1:1/\u001b[0m\n",
  );
});

test("a route is called by its verb, and values are quoted for a shell", () => {
  const text = steps(`service Pets
  - GetPet(name: string, tag: string) => (ok: bool)
    GET /pets/{name}
`);
  expect(text).toMatch(/curl -s 'http:\/\/127[.]0[.]0[.]1:1\/rpc\/pets\/[^'?]+[?]tag=[^']+'\n/);
  expect(text).toContain("Methods:  GET /rpc/pets/{name}\n");
});

test("ten methods are listed, and the number of the others", () => {
  const service = (count: number): string =>
    `service Pets\n${Array.from({ length: count }, (_, index) => `  - Get${index}() => (ok: bool)\n`).join("")}`;
  expect(steps(service(9))).not.toContain("more");
  expect(steps(service(10))).toContain("/rpc/Pets/Get9\n");
  expect(steps(service(10))).not.toContain("more");
  expect(steps(service(11))).toContain("/rpc/Pets/Get9\n            … 1 more\n");
});

const guarded = `service Pets
  @auth:"accessKey,session" - GetPet(id: uint64) => (name: string) errors NoKey
`;

test("a method with keys is called with them: any value on a mock", () => {
  expect(steps(guarded)).toContain("-H 'X-Access-Key: any' -H 'Authorization: Bearer any' -H 'Content-Type");
  expect(steps(guarded, { isMock: false })).toContain(
    "-H 'X-Access-Key: KEY' -H 'Authorization: Bearer KEY'",
  );
});

test("headers of keys come from the security schemes of the configuration", () => {
  const securitySchemes = {
    accessKey: { type: "apiKey", in: "header", name: "X-Project" },
    session: { type: "apiKey", in: "cookie", name: "sid" },
  };
  expect(contractOf(guarded, { securitySchemes }).hostInfo()).toEqual({
    command: "npx ridlkit mock",
    isMock: true,
    keys: [
      { name: "accessKey", title: "Access key", header: "X-Project", value: "any" },
      { name: "session", title: "Session", header: "Cookie", prefix: "sid=", value: "any" },
    ],
    examples: { "Pets/GetPet": { id: 3 } },
  });
  const basic = { session: { type: "http", scheme: "basic" } };
  expect(contractOf(guarded, { securitySchemes: basic }).hostInfo().keys?.[1]).toEqual({
    name: "session",
    title: "Session",
    header: "Authorization",
    prefix: "Basic ",
    isSecret: true,
    value: "any",
  });
});
