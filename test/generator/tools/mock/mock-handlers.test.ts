/** What the mock returns, without a server around it. */
import { describe, expect, test } from "vitest";
import type { PlannedMethod } from "../../../../generator/codegen/plan/plan.ts";
import { echo, mockHandlers } from "../../../../generator/tools/mock/mock.ts";
import { type GuardSettings, mockGuard } from "../../../../generator/tools/mock/mock-controls.ts";
import type { LoadedContract } from "../../../../generator/verify/in-memory/load.ts";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";
import { planOf } from "../../../support/sample-plan.ts";

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n\n";

const shop = `${head}error 1 NoPet "no pet" HTTP 404
error 2 Taken "taken" HTTP 409
error 3 Who "who" HTTP 403

enum Kind: string
  - cat
  - dog

struct Pet
  - id: uint64
    + minimum = 5
  - name: string
  - kind: Kind
  - note?: string
  - tag?: string
    + nullable = always
  - nick?: string
    + twin = nickName

struct NewPet
  - id?: uint64
  - name: string
  - kind: Kind
  - note?: string
  - tag?: string
  - nick?: string

service Shop
  @create:Pet - Add(pet: NewPet) => (pet: Pet) errors Taken
  @get:Pet - Get(id: uint64) => (pet: Pet) errors NoPet
  @list:Pet @paging:"size,page" - List(kind?: Kind, size?: uint32, page?: uint32) => (pets: []Pet, more: bool, total: uint32, count: string)
  @update:Pet - Change(id: uint64, name?: string, note?: string) => (pet: Pet) errors NoPet
  @delete:Pet - Drop(id: uint64) => ()
  - Watch(kind: Kind) => stream (pet: Pet)
  - Photo() => (file)
`;

function liveOf(text: string): LoadedContract {
  const plan = planOf({ "m.ridl": text }, "m.ridl");
  const protocolError = (code: number, details?: object): Error =>
    Object.assign(new Error(`protocol ${code}`), details);
  return { plan, protocolError, checkResponse: () => undefined } as unknown as LoadedContract;
}

type Handler = (ctx: object, request: object) => unknown;

function handlersOf(
  text: string,
  records = 3,
): (method: string, request: object, controls?: object) => unknown {
  const live = liveOf(text);
  const all = mockHandlers(live, { seed: 1, records }) as Record<string, Record<string, Handler>>;
  const errors = Object.fromEntries(
    live.plan.errors.map(({ name }) => [name, () => new Error(`error ${name}`)]),
  );
  const context = { seed: 1, delayMs: 0, items: 2, itemDelayMs: 0, error: undefined };
  return (method, request, controls = {}) => {
    const handler = Object.values(all)
      .flatMap((service) => Object.entries(service))
      .find(([name]) => name === method)?.[1];
    const ctx = { context: { ...context, ...controls }, signal: new AbortController().signal, errors };
    try {
      return handler?.(ctx, request);
    } catch (thrown) {
      return `${(thrown as Error).message}: ${(thrown as Error).cause ?? ""}`;
    }
  };
}

interface Page {
  readonly pets: readonly { readonly id: number; readonly name: string; readonly kind: string }[];
  readonly more: boolean;
  readonly total: number;
  readonly count: unknown;
}

const idsOf = (page: unknown): readonly number[] => (page as Page).pets.map(({ id }) => id);

describe("records", () => {
  test("are listed, found, changed and deleted", () => {
    const call = handlersOf(shop);
    expect(idsOf(call("List", {}))).toEqual([5, 6, 7]);
    expect(call("Get", { id: 4 })).toBe("error NoPet: ");
    expect(call("Get", { id: 6 })).toMatchObject({ pet: { id: 6 } });
    expect(call("Change", { id: 6, name: "Tom", note: undefined })).toMatchObject({
      pet: { id: 6, name: "Tom" },
    });
    expect(call("Get", { id: 6 })).toMatchObject({ pet: { name: "Tom" } });
    expect(call("Change", { id: 4, name: "x" })).toBe("error NoPet: ");
    expect(call("Drop", { id: 5 })).toEqual({});
    expect(call("Drop", { id: 5 })).toBe("error NoPet: ");
    expect(idsOf(call("List", {}))).toEqual([6, 7]);
  });

  test("are created from the request, with keys that count up", () => {
    const call = handlersOf(shop, 0);
    const pet = { name: "Tom", kind: "cat", nick: "T" };
    expect(call("Add", { pet })).toMatchObject({ pet: { id: 5, ...pet, nickName: "T", tag: null } });
    expect(call("Add", { pet: { ...pet, id: 9 } })).toMatchObject({ pet: { id: 9 } });
    expect(call("Add", { pet: { ...pet, id: 9 } })).toBe("error Taken: ");
    const { pet: plain } = call("Add", { pet: { name: "a", kind: "dog" } }) as { pet: object };
    expect("note" in plain || "nick" in plain).toBe(false);
  });

  test.each<[object, readonly number[], boolean]>([
    [{}, Array.from({ length: 20 }, (_, index) => index + 5), true],
    [{ size: 2 }, [5, 6], true],
    [{ size: 2, page: 1 }, [7, 8], true],
    [{ size: 25 }, Array.from({ length: 25 }, (_, index) => index + 5), false],
    [{ size: 24 }, Array.from({ length: 24 }, (_, index) => index + 5), true],
    [{ size: 5, page: 4 }, [25, 26, 27, 28, 29], false],
    [{ size: 5, page: 5 }, [], false],
  ])("of 25, the page %j", (request, ids, more) => {
    const page = handlersOf(shop, 25)("List", request) as Page;
    expect([idsOf(page), page.more, page.total, typeof page.count]).toEqual([ids, more, 25, "string"]);
  });

  test("are selected by fields of the request", () => {
    const call = handlersOf(shop, 10);
    const page = call("List", { kind: "cat" }) as Page;
    expect(page.pets.every(({ kind }) => kind === "cat")).toBe(true);
    expect(page.total).toBeLessThan(10);
    expect(page.total + (call("List", { kind: "dog" }) as Page).total).toBe(10);
  });

  const cursors = (next: string): string =>
    `${head}struct Pet\n  - id: string\nservice Shop\n  @get:Pet - Get(id: string) => (pet: Pet)\n  @list:Pet @paging:"limit,cursor,next,pets" - List(limit?: uint32, cursor?: string) => (pets: []Pet, ${next})\n`;

  test.each<[string, unknown, unknown]>([
    ["next: string", "2", ""],
    ["next?: string", "2", undefined],
  ])("with a cursor in %s", (next, first, last) => {
    const call = handlersOf(cursors(next), 3);
    const page = call("List", { limit: 2 }) as Page & { readonly next: unknown };
    expect([page.pets.length, page.next]).toEqual([2, first]);
    const second = call("List", { limit: 2, cursor: "2" }) as typeof page;
    expect([second.pets.length, second.next]).toEqual([1, last]);
    expect((call("List", { limit: 2, cursor: "x" }) as Page).pets).toHaveLength(2);
  });

  test("are 10,000 at most: the oldest are dropped", () => {
    const call = handlersOf(
      `${head}struct Pet\n  - id: uint32\nservice S\n  @create:Pet - Add() => (pet: Pet)\n  @get:Pet - Get(id: uint32) => (pet: Pet)\n`,
      10_000,
    );
    expect(call("Get", { id: 1 })).toMatchObject({ pet: { id: 1 } });
    call("Add", {});
    expect(call("Get", { id: 1 })).toContain("the mock has no such record");
    expect(call("Get", { id: 2 })).toMatchObject({ pet: { id: 2 } });
  });
});

test("a stream has the number of items that was asked for, and the same request gets the same", async () => {
  const call = handlersOf(shop);
  const read = async (controls: object): Promise<unknown[]> => {
    const items: unknown[] = [];
    for await (const item of call("Watch", { kind: "dog" }, controls) as AsyncIterable<unknown>)
      items.push(item);
    return items;
  };
  const two = await read({});
  expect(two).toHaveLength(2);
  expect(await read({})).toEqual(two);
  expect(await read({ items: 0 })).toEqual([]);
  expect(await read({ items: 3, seed: 2 })).toHaveLength(3);
  expect(await (call("Photo", {}) as Blob).text()).toBe("A file of Shop.Photo\n");
});

test.each<[string, object, readonly number[]]>([
  ["have different keys, within the limits of the type", {}, [254, 255, 254]],
  ["have the key of the request", { id: 9 }, [9, 9, 9]],
])("the items of a stream %s", async (_, request, expected) => {
  const schema = `${head}struct Tick\n  - id: uint8\n    + example = 254\nservice S\n  - Ticks(id?: uint8) => stream (tick: Tick)\n`;
  const ids: number[] = [];
  const items = handlersOf(schema)("Ticks", request, { items: 3 }) as AsyncIterable<{ tick: { id: number } }>;
  for await (const { tick } of items) ids.push(tick.id);
  expect(ids).toEqual(expected);
});

test.each<[string, string, object, readonly number[]]>([
  ["roomId: uint32", "", { roomId: 9 }, [9, 9, 9]],
  ["filter: Filter", "struct Filter\n  - id: uint32\n", { filter: { id: 9 } }, [9, 9, 9]],
  ["name: string", "", { name: "a" }, [1, 2, 3]],
])("the items of a stream for %s%s %j have the keys %j", async (input, struct, request, expected) => {
  const schema = `${head}struct Room\n  - id: uint32\n    + example = 1\n${struct}service S\n  - Watch(${input}) => stream (room: Room)\n`;
  const ids: number[] = [];
  const items = handlersOf(schema)("Watch", request, { items: 3 }) as AsyncIterable<{ room: { id: number } }>;
  for await (const { room } of items) ids.push(room.id);
  expect(ids).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  ["bigint", "+ example = 7", ["7", "8"]],
  ["string", '+ example = "a-9"', ["a-9", "a-0"]],
  ["string", '+ example = "a-999999999999999"', ["a-999999999999999", "a-000000000000000"]],
  [
    "string",
    "+ format = uuid\n    + example = 5f0c7a52-3e0d-4f4b-9d0e-6c1f2a8b9c9f",
    ["5f0c7a52-3e0d-4f4b-9d0e-6c1f2a8b9c9f", "5f0c7a52-3e0d-4f4b-9d0e-6c1f2a8b9c0f"],
  ],
  ["string", '+ pattern = "^0x[0-9a-f]{4}$"\n    + example = "0x5a99"', ["0x5a99", "0x5a00"]],
  ["string", '+ pattern = "^a[1-9]$"\n    + example = a9', ["a9", "a9"]],
])("the items of a list with a key of %s %s have %j", (type, meta, expected) => {
  const schema = `${head}struct Item\n  - id: ${type}\n    ${meta}\nservice S\n  - Find(q: string) => (items: []Item)\n`;
  const { items } = handlersOf(schema)("Find", { q: "a" }) as { items: readonly { id: unknown }[] };
  expect(items.map(({ id }) => `${id}`)).toEqual(expected);
});

describe("values of the request come back", () => {
  const schema = `${head}struct Room
  - id: uint32
  - name: string
    + maxLength = 5
  - ownerId: uint32

struct Seat
  - id: uint32
  - roomId: uint32
  - name: string
    + pattern = "^[a-z]+$"

service S
  - GetRoom(id: uint32, name: string) => (seat: Seat, room: Room)
  - ListSeats(roomId: uint32, ownerId: uint32, name: string) => (seats: []Seat, roomId: uint32)
  - FindRoom(roomId: uint32, room_id: string) => (room: Room)
  - Put(room: Room) => (id: uint32, other: Room)
  - Light(lamp: Lamp) => (lamp: Lamp)
  - FindLamp(lampId: uint32) => (lamp: Lamp)
  - Pay(pay: Pay) => (pay: Pay)
  - Change(id: BoxId, patch: BoxPatch) => (box: Box)
  - Open(boxId: BoxId) => (box: Box)
  - Trade(chainId: string, small: string, count: uint32) => (trade: Trade)

struct Lamp
  - id?: uint32
    + oneOf = lamp
  - name?: string
    + oneOf = lamp

enum Way: string
  - card
  - cash

struct Pay
  - way: Way
  - number?: string
    + when = way.card
  - till?: uint32
    + when = way.cash

struct Trade
  - chainId: uint32
  - small: uint8
  - count: string
  - legs: []Leg

struct Leg
  - legId: string
  - chainId: uint32
  - count: string

type BoxId: uint32
  + brand = true

struct Box
  - id: BoxId
  - label: string
    + maxLength = 5
    + message = "Please use 5 letters."
  - size: uint8

type BoxPatch: Box
  + omit = id
  + partial = true
`;
  const live = liveOf(schema);
  const types = live.plan.finder;
  const method = (name: string): PlannedMethod =>
    live.plan.services[0]?.methods.find((one) => one.name === name) as PlannedMethod;
  const room = { id: 1, name: "a", ownerId: 2 };
  const seat = { id: 3, roomId: 4, name: "b" };
  const box = { id: 1, label: "a", size: 2 };
  const leg = { legId: "a-07f", chainId: 1, count: "b" };

  test.each<[string, object, object, object]>([
    ["GetRoom", { id: 9, name: "blue" }, { seat, room }, { seat, room: { ...room, id: 9, name: "blue" } }],
    ["GetRoom", { id: 9, name: "purple" }, { seat, room }, { seat, room: { ...room, id: 9 } }],
    [
      "ListSeats",
      { roomId: 9, ownerId: 8, name: "x" },
      { seats: [seat, seat], roomId: 0 },
      {
        seats: [
          { ...seat, roomId: 9, name: "x" },
          { ...seat, id: 4, roomId: 9, name: "x" },
        ],
        roomId: 9,
      },
    ],
    [
      "Trade",
      { chainId: "137", small: "256", count: 7 },
      { trade: { chainId: 1, small: 1, count: "a", legs: [leg, leg, { ...leg, legId: "9" }] } },
      {
        trade: {
          chainId: 137,
          small: 1,
          count: "7",
          legs: [
            { ...leg, chainId: 137 },
            { ...leg, chainId: 137, legId: "a-08f" },
            { ...leg, chainId: 137, legId: "1" },
          ],
        },
      },
    ],
    ["FindRoom", { roomId: 9 }, { room }, { room: { ...room, id: 9 } }],
    [
      "Put",
      { room: { id: 9, name: "z", ownerId: 7 } },
      { id: 0, other: room },
      { id: 9, other: { id: 9, name: "z", ownerId: 7 } },
    ],
    ["Put", { room: null }, { id: 0, other: room }, { id: 0, other: room }],
    ["Light", { lamp: { name: "a" } }, { lamp: { id: 1 } }, { lamp: { name: "a" } }],
    ["FindLamp", { lampId: 9 }, { lamp: { name: "a" } }, { lamp: { id: 9 } }],
    [
      "Pay",
      { pay: { way: "cash", till: 3 } },
      { pay: { way: "card", number: "a" } },
      { pay: { way: "cash", till: 3 } },
    ],
    ["Pay", { pay: { way: "card" } }, { pay: { way: "cash", till: 3 } }, { pay: { way: "cash", till: 3 } }],
    ["Change", { id: 9, patch: { label: "b" } }, { box }, { box: { ...box, id: 9, label: "b" } }],
    ["Open", { boxId: 9 }, { box }, { box: { ...box, id: 9 } }],
  ])("%s(%j)", (name, request, response, expected) => {
    expect(echo(types, method(name), request as never, response as never)).toEqual(expected);
  });
});

describe("the guard", () => {
  const schema = `${head}error 1 Gone "gone" HTTP 404\nerror 2 Denied "denied" HTTP 403\n${""}service S\n  - Get() => ()\n  @auth:"accessKey" - Put() => () errors Gone\n`;
  const settings: GuardSettings = {
    seed: 1,
    delayMs: 0,
    items: 1,
    itemDelayMs: 0,
    errorRate: 0,
    wantsCredentials: true,
    credentialHeaders: new Map(),
  };

  async function outcome(
    name: string,
    headers: Readonly<Record<string, string>>,
    changed: Partial<GuardSettings> = {},
    text = schema,
  ): Promise<string> {
    const live = liveOf(text);
    const errors = Object.fromEntries(
      live.plan.errors
        .filter(({ isOfProtocol }) => !isOfProtocol)
        .map((one) => [one.name, () => new Error(one.name)]),
    );
    const makeError = (wanted: string): Error | undefined => errors[wanted]?.();
    const guard = mockGuard(live, { ...settings, ...changed }, { random: seededRandom(1), makeError });
    const call = {
      method: { service: "S", name },
      signal: new AbortController().signal,
      errors,
      header: (header: string) => headers[header],
    };
    try {
      await guard(call as never);
      return "passed";
    } catch (thrown) {
      return `${(thrown as Error).message}${(thrown as Error).cause === undefined ? "" : `: ${(thrown as Error).cause}`}`;
    }
  }

  test.each<[string, Readonly<Record<string, string>>, Partial<GuardSettings>, string]>([
    ["Get", {}, {}, "passed"],
    ["Put", {}, {}, "Denied"],
    ["Put", {}, { wantsCredentials: false }, "passed"],
    ["Put", { authorization: "x" }, {}, "passed"],
    ["Put", { cookie: "x" }, {}, "passed"],
    ["Put", { "x-api-key": "x" }, {}, "passed"],
    ["Put", { "x-access-key": "x" }, {}, "passed"],
    ["Put", { "access-key": "x" }, {}, "passed"],
    ["Put", { "x-other": "x" }, {}, "Denied"],
    ["Put", { "x-own": "x" }, { credentialHeaders: new Map([["accessKey", "X-Own"]]) }, "passed"],
    ["Put", { authorization: "x" }, { credentialHeaders: new Map([["accessKey", "X-Own"]]) }, "Denied"],
    ["Get", { "mock-error": "Gone" }, {}, "Gone"],
    ["Get", { "mock-error": " 1 " }, {}, "Gone"],
    ["Get", { "mock-error": "WebrpcBadRequest" }, {}, "protocol -4"],
    [
      "Get",
      { "mock-error": "Gon" },
      {},
      expect.stringContaining(
        'protocol -4: Mock-Error names "Gon", which is not an error of the method; did you mean Gone?',
      ) as never,
    ],
    ["Get", { "mock-delay": "2m" }, {}, expect.stringContaining("at most one minute") as never],
    ["Other", {}, { errorRate: 1 }, "passed"],
    ["Put", { authorization: "x" }, { errorRate: 1 }, "Gone"],
    ["Put", { authorization: "x", "mock-error": "Denied" }, { errorRate: 1 }, "Denied"],
  ])("of %s with %j and %j", async (name, headers, changed, expected) => {
    expect(await outcome(name, headers, changed)).toEqual(expected);
  });

  test("a schema without errors has an internal error, and an error of the protocol for missing credentials", async () => {
    const text = `${head}service S\n  @auth:"a" - Get() => ()\n`;
    expect(await outcome("Get", {}, {}, text)).toMatch(
      /^protocol -1: The call lacks the credential of @auth/,
    );
    expect(await outcome("Get", { cookie: "x" }, { errorRate: 1 }, text)).toBe("protocol -7");
  });

  test("401 goes before 403, and an error of the method before others", async () => {
    const text = `${head}error 1 Denied "x" HTTP 403\nerror 2 Who "x" HTTP 401\nerror 3 Own "x" HTTP 401\nservice S\n  @auth:"a" - Get() => () errors Own\n  - Put() => () errors Who\n`;
    expect(await outcome("Get", {}, {}, text)).toBe("Own");
  });
});
