/** A mock serves the routes of a schema. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { DevServer } from "../../../../generator/tools/dev/dev-server.ts";
import { createMock, type MockedCall } from "../../../../generator/tools/mock/mock.ts";
import { loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const schema = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc

error 1 PetGone "The pet is gone" HTTP 404

struct Pet
  - id: uint64
  - name: string

service Pets
  path = /pets
  @create:Pet - Add(name: string) => (pet: Pet)
    POST /
  @get:Pet - Get(id: uint64) => (pet: Pet) errors PetGone
    GET /{id}
  @delete:Pet - Drop(id: uint64) => () errors PetGone
    DELETE /{id}
  - Guess(name: string) => (kind: string)
    GET /guesses/{name}
  - Ping() => (isUp: bool)
`;

const calls: MockedCall[] = [];
let host: DevServer;

beforeAll(async () => {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error("the schema has errors");
  const live = await loadInMemory(result);
  host = new DevServer(0);
  const options = { seed: 1, delayMs: 0, items: 3, itemDelayMs: 0, errorRate: 0, records: 3 };
  const mock = createMock(live, {
    ...options,
    wantsCredentials: false,
    credentialHeaders: new Map(),
    onCall: (call) => calls.push(call),
  });
  await host.swap(mock, () => {});
});

afterAll(() => host[Symbol.asyncDispose]());

async function ask(method: string, path: string, body?: object): Promise<readonly [number, unknown]> {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  const response = await fetch(`${host.url}${path}`, init);
  return [response.status, await response.json()];
}

test("records are created, read and deleted on their routes", async () => {
  const [, created] = await ask("POST", "/rpc/pets", { name: "Rex" });
  const { pet } = created as { readonly pet: { readonly id: number } };
  expect(pet).toMatchObject({ name: "Rex" });
  const path = `/polygon/rpc/pets/${pet.id}`;
  expect(await ask("GET", path)).toEqual([200, { pet }]);
  expect(await ask("DELETE", path)).toEqual([200, {}]);
  expect(await ask("GET", path)).toMatchObject([404, { error: "PetGone" }]);
  expect(calls.map(({ method, status }) => [method, status])).toEqual([
    ["Pets.Add", 200],
    ["Pets.Get", 200],
    ["Pets.Drop", 200],
    ["Pets.Get", 404],
  ]);
});

test("other methods respond with samples, and invalid calls are rejected", async () => {
  expect(await ask("GET", "/rpc/pets/guesses/Rex")).toEqual([200, { kind: expect.any(String) }]);
  expect(await ask("POST", "/rpc/Pets/Ping", {})).toEqual([200, { isUp: expect.any(Boolean) }]);
  expect(await ask("GET", "/rpc/pets/x")).toMatchObject([400, { code: -4 }]);
  expect(await ask("PUT", "/rpc/pets/1", {})).toMatchObject([405, { code: -3 }]);
  expect(await ask("POST", "/rpc/Pets/Get", { id: 1 })).toMatchObject([404, { code: -2 }]);
});

test("a page may send each verb", async () => {
  const response = await fetch(`${host.url}/rpc/pets/1`, {
    method: "OPTIONS",
    headers: { Origin: "http://localhost:5173", "Access-Control-Request-Method": "DELETE" },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-methods")).toBe("GET, POST, PUT, PATCH, DELETE, QUERY");
});
