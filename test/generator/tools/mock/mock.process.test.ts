import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { DevServer } from "../../../../generator/tools/dev/dev-server.ts";
import { createMock, type MockedCall, type MockOptions } from "../../../../generator/tools/mock/mock.ts";
import { type LiveContract, loadLive } from "../../../../generator/verify/live/load.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { rawRequest } from "../../../support/raw-http.ts";

const schema = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc

error 1 PetGone "The pet is gone" HTTP 404
error 2 Unauthorized "A key is needed" HTTP 401
error 3 Taken "The name is taken" HTTP 409

enum Kind: uint8
  - CAT
  - DOG

struct Pet
  - id: uint64
  - name: string
    + minLength = 1
    + example = Minka
    + example = Rex
  - kind: Kind
  - weight?: bigint
  - chip: string
    + pattern = "^[0-9A-F]{8}$"
  - owner?: string
    + format = email

struct PetInput
  - name: string
    + minLength = 1
  - kind: Kind
  - weight?: bigint

struct PetKey
  - id: uint64

struct PetAnswer
  - pet: Pet

struct PetQuery
  - kind?: Kind
  - limit?: uint32
    + default = 2
    + maximum = 100
  - page?: uint32
    + default = 1

struct PetPage
  - pets: []Pet
  - more: bool
  - total: uint32

service Pets
  @create:Pet @auth:"key" - Add(pet: PetInput) => (pet: Pet) errors Unauthorized
  @get:Pet - Get(PetKey) => (PetAnswer) errors PetGone
  @list:Pet @paging:"limit,page" - List(PetQuery) => (PetPage)
  @update:Pet - Rename(id: uint64, name?: string) => (pet: Pet) errors PetGone
  @delete:Pet - Drop(id: uint64) => () errors PetGone
  - Guess(name: string) => (kind: Kind, seen: timestamp)
  - Watch(name: string) => stream (pet: Pet)
  - Picture(name: string) => (file)
`;

let live: LiveContract;

beforeAll(async () => {
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  live = await loadLive({ ...result, int64: "bigint" }, process.cwd());
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

const plainOptions = {
  seed: 1,
  delayMs: 0,
  items: 3,
  itemDelayMs: 0,
  errorRate: 0,
  records: 3,
  wantsCredentials: true,
  credentialHeaders: new Map([["key", "x-key"]]),
} as const;

/** A mock on a socket of its own. */
async function serve(options: Partial<MockOptions> = {}) {
  const calls: MockedCall[] = [];
  const host = await DevServer.open(0);
  const mock = createMock(live, {
    ...plainOptions,
    onCall: (call) => calls.push(call),
    ...options,
  });
  await host.swap(mock, () => {});
  const call = async (
    method: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${host.url}/rpc/Pets/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-key": "k", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      headers: response.headers,
    };
  };
  return { calls, call, host, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

const cat = { name: "Tom", kind: "CAT", weight: "90071992547409931234" };

describe("records", () => {
  test("that are created are got, changed, listed and deleted, with what was sent", async () => {
    await using mock = await serve({ records: 0 });
    const made = await mock.call("Add", { pet: cat });
    expect(made).toMatchObject({ status: 200, body: { pet: { id: 1, ...cat } } });
    const { pet } = made.body as { pet: object };
    expect((await mock.call("Get", { id: 1 })).body).toEqual({ pet });
    expect((await mock.call("Rename", { id: 1, name: "Kit" })).body).toEqual({
      pet: { ...pet, name: "Kit" },
    });
    expect((await mock.call("Rename", { id: 1 })).body).toEqual({ pet: { ...pet, name: "Kit" } });
    expect((await mock.call("List", {})).body).toEqual({
      pets: [{ ...pet, name: "Kit" }],
      more: false,
      total: 1,
    });
    expect(await mock.call("Drop", { id: 1 })).toMatchObject({ status: 200, body: {} });
    for (const method of ["Get", "Drop", "Rename"])
      expect(await mock.call(method, { id: 1 })).toMatchObject({ status: 404, body: { error: "PetGone" } });
    expect((await mock.call("List", {})).body).toMatchObject({ pets: [], total: 0 });
  });

  test("are there at the start, and cut by pages and by fields that the request names", async () => {
    await using mock = await serve({ records: 5 });
    const ids = async (body: object): Promise<number[]> =>
      ((await mock.call("List", body)).body as { pets: { id: number }[] }).pets.map(({ id }) => id);
    expect([await ids({}), await ids({ page: 2 }), await ids({ page: 3 })]).toEqual([[1, 2], [3, 4], [5]]);
    expect((await mock.call("List", { page: 2 })).body).toMatchObject({ more: true, total: 5 });
    await mock.call("Add", { pet: { name: "Rex", kind: "DOG" } });
    const dogs = (await mock.call("List", { kind: "DOG", limit: 100 })).body as { pets: { kind: string }[] };
    expect(dogs.pets.length).toBeGreaterThan(0);
    expect(new Set(dogs.pets.map(({ kind }) => kind))).toEqual(new Set(["DOG"]));
  });
});

describe("other answers", () => {
  test("have examples of the schema, keep to its rules, and are the same for the same request and seed", async () => {
    await using mock = await serve();
    const { pet } = (await mock.call("Get", { id: 1 })).body as {
      pet: { name: string; chip: string; owner?: string };
    };
    expect(["Minka", "Rex"]).toContain(pet.name);
    expect(pet.chip).toMatch(/^[0-9A-F]{8}$/);
    const guess = async (name: string, seed?: string): Promise<string> =>
      (await mock.call("Watch", { name }, seed === undefined ? {} : { "Mock-Seed": seed })).text;
    expect(await guess("a")).toBe(await guess("a"));
    expect(await guess("a")).not.toBe(await guess("b"));
    expect(await guess("a", "7")).not.toBe(await guess("a"));
    expect(mock.calls.every(({ cause }) => cause === undefined)).toBe(true);
  });

  test("are streams with as many items as are asked for, and files", async () => {
    await using mock = await serve();
    const lines = (text: string): number => text.split("\n").filter((line) => line !== "").length;
    expect(lines((await mock.call("Watch", { name: "a" })).text)).toBe(3);
    expect(lines((await mock.call("Watch", { name: "a" }, { "Mock-Items": "7" })).text)).toBe(7);
    const file = await mock.call("Picture", { name: "a" });
    expect([file.status, file.text]).toEqual([200, "A file of Pets.Picture\n"]);
  });

  test("are refusals of the generated validators", async () => {
    await using mock = await serve();
    const { status, body } = await mock.call("Add", { pet: { name: "", kind: "CAT" } });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: "WebrpcBadRequest", cause: expect.stringContaining("name") }),
    ]);
    expect(await mock.call("Nothing", {})).toMatchObject({ status: 404, body: { error: "WebrpcBadRoute" } });
  });
});

describe("errors and delays", () => {
  test("come on demand, of the schema and of the protocol", async () => {
    await using mock = await serve();
    const asked = (name: string) => mock.call("Guess", { name: "a" }, { "Mock-Error": name });
    expect(await asked("PetGone")).toMatchObject({ status: 404, body: { error: "PetGone", code: 1 } });
    expect(await asked("3")).toMatchObject({ status: 409, body: { error: "Taken" } });
    expect(await asked("WebrpcInternalError")).toMatchObject({ status: 500, body: { code: -7 } });
  });

  test("with an unknown name are rejected with the known ones", async () => {
    await using mock = await serve();
    const { status, body } = await mock.call("Guess", { name: "a" }, { "Mock-Error": "PetGon" });
    expect(status).toBe(400);
    expect((body as { cause: string }).cause).toMatch(
      /"PetGon"; did you mean PetGone\? Known errors: .*PetGone, Unauthorized, Taken/,
    );
    for (const [name, value] of [
      ["Mock-Delay", "soon"],
      ["Mock-Delay", "2h"],
      ["Mock-Seed", "x"],
      ["Mock-Items", "-1"],
    ] as const)
      expect(await mock.call("Guess", { name: "a" }, { [name]: value })).toMatchObject({
        status: 400,
        body: { cause: expect.stringContaining(name) },
      });
  });

  test("come at a rate, the same for the same seed", async () => {
    const statuses = async (): Promise<number[]> => {
      await using mock = await serve({ errorRate: 0.5, seed: 3 });
      const all: number[] = [];
      for (let count = 0; count < 30; count++) all.push((await mock.call("Guess", { name: "a" })).status);
      return all;
    };
    const first = await statuses();
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(3);
    expect(first.filter((status) => status !== 200).length).toBeGreaterThan(3);
    expect(await statuses()).toEqual(first);
  });

  test("hold an answer back for as long as is asked", async () => {
    await using mock = await serve();
    const before = performance.now();
    await mock.call("Guess", { name: "a" }, { "Mock-Delay": "120ms" });
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });
});

test("methods with @auth want the header of their credential, unless they are told not to", async () => {
  await using mock = await serve();
  expect(await mock.call("Add", { pet: cat }, { "x-key": "" })).toMatchObject({
    status: 401,
    body: { error: "Unauthorized" },
  });
  expect(await mock.call("Add", { pet: cat })).toMatchObject({ status: 200 });
  await using open = await serve({ wantsCredentials: false });
  expect(await open.call("Add", { pet: cat }, { "x-key": "" })).toMatchObject({ status: 200 });
});

test("pages of this machine may call, at any port", async () => {
  await using mock = await serve();
  const asked = {
    "Access-Control-Request-Headers": "content-type,mock-error",
    "Access-Control-Request-Method": "POST",
    Origin: "http://localhost:5173",
  };
  const { status, headers } = await fetch(`${mock.host.url}/rpc/Pets/Guess`, {
    method: "OPTIONS",
    headers: asked,
  });
  expect([status, headers.get("access-control-allow-headers")]).toEqual([204, "content-type,mock-error"]);
  const answer = await mock.call("Guess", { name: "a" }, { origin: "http://localhost:5173" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
});

test("other pages, and names that were made to lead here, are refused and run no handler", async () => {
  await using mock = await serve();
  const port = Number(new URL(mock.host.url).port);
  const path = "/rpc/Pets/Guess";
  const body = '{"name":"a"}';
  for (const [headers, option] of [
    [{ Host: "localhost", Origin: "https://evil.example" }, "--allow-origin"],
    [{ Host: "localhost", Origin: "null" }, "--allow-origin"],
    [{ Host: `evil.example:${port}` }, "--allow-host"],
  ] as const) {
    for (const method of ["POST", "OPTIONS"]) {
      const answer = await rawRequest(port, { method, path, body, headers });
      expect(answer).toMatchObject({ status: 400, headers: { "content-type": "application/json" } });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      const { cause, ...error } = JSON.parse(answer.body) as { readonly cause: string };
      expect(error).toEqual({ error: "WebrpcBadRequest", code: -4, msg: "bad request", status: 400 });
      expect(cause).toContain(option);
    }
  }
  expect(mock.calls).toEqual([]);
});

describe("without annotations of records", () => {
  const rooms = `webrpc = v1
name = rooms
version = v1
basepath = /rpc

struct Owner
  - id: uint64
  - name: string

struct Room
  - id: uint64
  - ownerId: uint64
  - name: string
    + maxLength = 6
  - seats: uint32
    + minimum = 1
  - email: string
  - createdAt: timestamp
  - expiresAt: timestamp
  - imageURL: string
  - price: float64
  - owner: Owner
  - wallet: string
    + pattern = "^0x[0-9a-f]{40}$"

struct RoomInput
  - name: string
  - seats: uint32

service Rooms
  - GetRoom(id: uint64) => (owner: Owner, room: Room)
  - FindRoom(roomId: uint64) => (room: Room)
  - CreateRoom(input: RoomInput) => (room: Room)
  - ListRooms(ownerId: uint64, id: uint64) => (rooms: []Room)
  - WatchRoom(id: uint64) => stream (room: Room)
`;
  let roomsLive: LiveContract;

  beforeAll(async () => {
    const { result } = compile("api.ridl", memoryReader({ "api.ridl": rooms }));
    if (result === undefined) throw new Error("the contract has a fault");
    roomsLive = await loadLive(result, process.cwd());
  });

  async function ask(method: string, body: object): Promise<Record<string, unknown>> {
    const mock = createMock(roomsLive, { ...plainOptions, onCall: () => {} });
    const fetch = roomsLive.fetchHandler(mock.own["server"] as never);
    const request = new Request(`http://mock/rpc/Rooms/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await (await fetch(request)).text();
    return JSON.parse(text.split("\n").find((line) => line !== "") ?? "") as Record<string, unknown>;
  }

  test("a response is about the record that the request names", async () => {
    const { room, owner } = await ask("GetRoom", { id: 3 });
    expect(room).toMatchObject({ id: 3 });
    expect(owner).not.toMatchObject({ id: 3 });
    expect(await ask("FindRoom", { roomId: 4 })).toMatchObject({ room: { id: 4 } });
    expect(await ask("WatchRoom", { id: 5 })).toMatchObject({ room: { id: 5 } });
  });

  test("a response has the fields that were sent, as far as it allows them", async () => {
    expect(await ask("CreateRoom", { input: { name: "Blue", seats: 7 } })).toMatchObject({
      room: { name: "Blue", seats: 7 },
    });
    const { room } = await ask("CreateRoom", { input: { name: "Blue room", seats: 0 } });
    expect(room).not.toMatchObject({ name: "Blue room" });
    expect(room).not.toMatchObject({ seats: 0 });
    expect(await ask("CreateRoom", { input: { name: "123456", seats: 1 } })).toMatchObject({
      room: { name: "123456", seats: 1 },
    });
  });

  test("a list has records of the named one, each with an id of its own", async () => {
    const { rooms: listed } = (await ask("ListRooms", { ownerId: 8, id: 9 })) as { rooms: { id: number }[] };
    expect(listed).toMatchObject([{ ownerId: 8 }, { ownerId: 8 }]);
    expect(listed.map(({ id }) => id)).not.toContain(9);
  });

  test("texts and numbers are what their names say, and the same with each run", async () => {
    const { room } = await ask("GetRoom", { id: 3 });
    expect(room).toEqual({
      id: 3,
      ownerId: expect.any(Number),
      name: expect.stringMatching(/^.{1,6}$/),
      seats: expect.any(Number),
      email: expect.stringMatching(/^[a-z]+[.][a-z]+@mail[.]example$/),
      createdAt: expect.stringMatching(/^2026-/),
      expiresAt: expect.stringMatching(/^2027-/),
      imageURL: expect.stringMatching(/^https:\/\/www[.]example[.]com\/images\/[a-z-]+[.]png$/),
      price: expect.any(Number),
      owner: { id: expect.any(Number), name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/) },
      wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    });
    expect(await ask("GetRoom", { id: 3 })).toMatchObject({ room });
  });
});
