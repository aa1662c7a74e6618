import { beforeAll, describe, expect, test } from "vitest";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { mounts, serveMounted } from "../../stacks/mounts.ts";
import { isInstalled } from "../../stacks/packages.ts";
import { adapterNames, type RunningServer, serveWith } from "../../support/adapters.ts";
import { contractOf, loadVersions, transportTo } from "../../support/versions.ts";
import { apiOf, bodyOf, json, toolsOf } from "./mcp/api.ts";

const head = (version: string): string => `webrpc = v1
name = people
version = ${version}
basepath = /rpc
`;

const declarations = `
error 1 Gone "gone" HTTP 410

type Forest: []Forest

struct Pet
  - name: string
    + twin = title
  - owner?: Person

struct Person
  - id: uint32
  - ratio?: float64
  - pet?: Pet
  - pets?: []Pet
  - byName?: map<string,Pet>
  - grid?: [][]Pet
  - scores?: map<string,float64>
  - tags?: []string
  - forest?: Forest
  - photo?: []byte
  - more?: any
  - note?: string
    + nullable = always

service People
  - Get(person: Person) => (person: Person) errors Gone
  - Watch() => stream (person: Person)
  @idempotencyKey
  - Add(person: Person) => (person: Person)
  - Nothing() => ()

service Rest
  path = /rest

  - Find(id: uint32, tags: []string) => (person: Person)
    GET /{id}
`;
const schema = `${head("v1.0.0")}${declarations}`;

/** Adapters and frameworks. */
const hosts: readonly (readonly [name: string, serve: (server: RpcServer) => Promise<RunningServer>])[] = [
  ...adapterNames.map((name) => [name, (server: RpcServer) => serveWith(name, server)] as const),
  ...Object.entries(isInstalled ? mounts : {}).map(
    ([name, mount]) => [name, (server: RpcServer) => serveMounted(mount, server)] as const,
  ),
];

let loaded: LoadedContract;
beforeAll(async () => {
  loaded = await loadInMemory(contractOf(schema));
});

/** A row of a database, with a column that no caller may see, wherever the schema has a Person or a Pet. */
const row = (more: object = {}): object => ({ id: 1, passwordHash: "hunter2", ...more });
const pet = { name: "Rex", passwordHash: "hunter2" };
const deep = row({
  pet: { ...pet, owner: row() },
  pets: [pet],
  byName: { rex: pet },
  grid: [[pet]],
  forest: [[], [[]]],
  more: { passwordHash: "of a value that the schema leaves open" },
});
const sentPet = { name: "Rex", title: "Rex" };
const sentDeep = {
  id: 1,
  pet: { ...sentPet, owner: { id: 1, note: null } },
  pets: [sentPet],
  byName: { rex: sentPet },
  grid: [[sentPet]],
  forest: [[], [[]]],
  more: { passwordHash: "of a value that the schema leaves open" },
  note: null,
};

type Handle = (ctx: never, req: never) => unknown;

function serverWith(person: unknown, options: object = {}): RpcServer {
  const get: Handle = () => ({ person, passwordHash: "hunter2" });
  return loaded.createServer(
    {
      People: {
        Get: get,
        Add: get,
        Nothing: () => ({ passwordHash: "hunter2" }),
        async *Watch() {
          yield { person, passwordHash: "hunter2" };
        },
      },
      Rest: { Find: get },
    },
    options,
  ) as unknown as RpcServer;
}

const post = (body: unknown, headers: object = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

describe("responses have the declared fields only", () => {
  describe.each(hosts)("over %s", (_host, serve) => {
    test.each([false, true])("in every call, checked: %s", async (checkResponses) => {
      await using running = await serve(serverWith(deep, { checkResponses }));
      const get = post({ person: { id: 1 } });
      const answers = {
        call: await fetch(`${running.url}/rpc/People/Get`, get),
        route: await fetch(`${running.url}/rpc/rest/1?tags=a`),
        stream: await fetch(`${running.url}/rpc/People/Watch`, post({})),
        first: await fetch(
          `${running.url}/rpc/People/Add`,
          post({ person: { id: 1 } }, { "idempotency-key": '"k"' }),
        ),
        repeated: await fetch(
          `${running.url}/rpc/People/Add`,
          post({ person: { id: 1 } }, { "idempotency-key": '"k"' }),
        ),
      };
      for (const [name, answer] of Object.entries(answers))
        expect([name, JSON.parse((await answer.text()).trim())]).toEqual([name, { person: sentDeep }]);
      expect(await (await fetch(`${running.url}/rpc/People/Nothing`, post({}))).text()).toBe("{}");
    });
  });

  test("for agents, too", async () => {
    const { call } = toolsOf(apiOf(declarations), transportTo(loaded, serverWith(deep)));
    const response = { person: sentDeep };
    for (const [method, request, expected] of [
      ["People.Get", { person: { id: 1 } }, response],
      ["People.Watch", {}, { items: [response], end: "ended" }],
      ["Rest.Find", { id: 1, tags: ["a"] }, response],
    ] as const)
      expect([method, bodyOf(await call(method, request))]).toEqual([method, JSON.stringify(expected)]);
  });

  test("for agents of an API that sends more", async () => {
    const { call } = toolsOf(apiOf(declarations), () => json(JSON.stringify({ person: deep, ...pet })));
    const rex = { name: "Rex" };
    const person = {
      id: 1,
      pet: { ...rex, owner: { id: 1 } },
      pets: [rex],
      byName: { rex },
      grid: [[rex]],
      forest: sentDeep.forest,
      more: sentDeep.more,
    };
    expect(JSON.parse(bodyOf(await call("People.Get", { person: { id: 1 } })))).toEqual({ person });
  });

  test("an object of a class is read through its getters", async () => {
    class Row {
      #id = 7;
      get id() {
        return this.#id;
      }
      readonly passwordHash = "hunter2";
      toJSON() {
        return { passwordHash: this.passwordHash };
      }
    }
    const answer = await transportTo(loaded, serverWith(new Row()))(
      "http://a/rpc/People/Get",
      post({ person: { id: 1 } }),
    );
    expect(await answer.json()).toEqual({ person: { id: 7, note: null } });
  });

  test("kept versions, too", async () => {
    const text = (version: string, more: string): string =>
      `${head(version)}struct Person\n  - id: uint32\n${more}service People\n  - Get(person: Person) => (person: Person)\n`;
    const seen: unknown[] = [];
    const [first, second] = await loadVersions([text("v1.0.0", ""), text("v2.0.0", "  - name?: string\n")]);
    const handlers = {
      People: {
        Get: (_ctx: unknown, req: unknown) => {
          seen.push(req);
          return { person: { id: 1, name: "Ann", passwordHash: "hunter2" }, passwordHash: "hunter2" };
        },
      },
    };
    const server = second?.createServer(handlers);
    const call = async (webrpc: string): Promise<unknown> => {
      const body = { person: { id: 1, name: "Ann", isAdmin: true }, isAdmin: true };
      const answer = await transportTo(second as LoadedContract, server as never)(
        "http://a/rpc/People/Get",
        post(body, { webrpc }),
      );
      return answer.json();
    };
    expect(first?.plan.schemaVersion).toBe("v1.0.0");
    expect(await call("webrpc@v0.31.0;gen-typescript@v0.1.0;people@v1.0.0")).toEqual({ person: { id: 1 } });
    expect(await call("webrpc@v0.31.0;gen-typescript@v0.1.0;people@v2.0.0")).toEqual({
      person: { id: 1, name: "Ann" },
    });
    // A field that the version of the caller does not have is not passed on, even if the current version has it.
    expect(seen).toEqual([{ person: { id: 1 } }, { person: { id: 1, name: "Ann" } }]);
  });
});

describe("handlers get the declared fields only", () => {
  test.each(hosts)("over %s", async (_host, serve) => {
    const seen: unknown[] = [];
    const handle = (_ctx: unknown, req: unknown): object => {
      seen.push(req);
      return { person: { id: 1 } };
    };
    const server = loaded.createServer({
      People: { Get: handle, Add: handle, Nothing: handle, async *Watch() {} },
      Rest: { Find: handle },
    }) as unknown as RpcServer;
    const spare = { isAdmin: true };
    const person = {
      id: 1,
      pet: { name: "Rex", ...spare },
      pets: [{ name: "Rex", title: "Rex", ...spare }],
      byName: { rex: { name: "Rex", ...spare } },
      more: spare,
      ...spare,
    };
    await using running = await serve(server);
    expect((await fetch(`${running.url}/rpc/People/Get`, post({ person, ...spare }))).status).toBe(200);
    expect((await fetch(`${running.url}/rpc/People/Nothing`, post(spare))).status).toBe(200);
    expect((await fetch(`${running.url}/rpc/rest/1?tags=a&isAdmin=true`)).status).toBe(200);
    const rex = { name: "Rex" };
    expect(seen).toEqual([
      { person: { id: 1, pet: rex, pets: [rex], byName: { rex }, more: spare } },
      {},
      { id: 1, tags: ["a"] },
    ]);
  });
});

/** What JSON would change, where, and what an error says is expected there. */
const changed: readonly (readonly [name: string, person: () => object, path: string, expected: string])[] = [
  ["NaN", () => ({ ratio: Number.NaN }), "/person/ratio", "number"],
  ["Infinity", () => ({ ratio: Number.POSITIVE_INFINITY }), "/person/ratio", "number"],
  ["NaN for an integer", () => ({ id: Number.NaN }), "/person/id", ""],
  ["NaN in a map", () => ({ scores: { a: -Infinity } }), "/person/scores/a", "number"],
  ["undefined in a list", () => ({ tags: ["a", undefined] }), "/person/tags/1", ""],
  // biome-ignore lint/suspicious/noSparseArray: a list with a hole
  ["a hole in a list", () => ({ tags: ["a", , "b"] }), "/person/tags/1", ""],
  ["undefined in a list of structs", () => ({ pets: [undefined] }), "/person/pets/0", ""],
  ["a Map for a map", () => ({ scores: new Map([["a", 1]]) }), "/person/scores", ""],
  ["NaN in any", () => ({ more: { a: [Number.NaN] } }), "/person/more/a/0", "a finite number"],
  ["undefined in a list in any", () => ({ more: [undefined] }), "/person/more/0", "a JSON value"],
  ["a bigint in any", () => ({ more: { a: 1n } }), "/person/more/a", "a JSON value"],
  ["a Map in any", () => ({ more: { a: new Map() } }), "/person/more/a", "a JSON value"],
  ["a Set in any", () => ({ more: new Set([1]) }), "/person/more", "a JSON value"],
  ["an invalid Date in any", () => ({ more: new Date(Number.NaN) }), "/person/more", "a JSON value"],
  ["bytes in any", () => ({ more: new Uint8Array(2) }), "/person/more", "a JSON value"],
  [
    "NaN of a toJSON in any",
    () => ({ more: { toJSON: () => Number.NaN } }),
    "/person/more",
    "a finite number",
  ],
  ["a function in any", () => ({ more: { a: () => 1 } }), "/person/more/a", "a JSON value"],
  ["a symbol in any", () => ({ more: [Symbol("a")] }), "/person/more/0", "a JSON value"],
  ["a cycle in any", cycle, "/person/more/self", "a value without cycles"],
];

function cycle(): object {
  const more: Record<string, unknown> = {};
  more["self"] = more;
  return { more };
}

/** What JSON keeps, or changes to a value that is equal. */
const kept: readonly (readonly [name: string, person: () => object, received: object])[] = [
  ["negative zero, as zero", () => ({ ratio: -0 }), { ratio: 0 }],
  ["undefined, as absent", () => ({ ratio: undefined, scores: { a: undefined } }), { scores: {} }],
  ["an object twice", () => ({ more: [...Array(2)].fill({ a: 1 }) }), { more: [{ a: 1 }, { a: 1 }] }],
  [
    "an object without a prototype",
    () => ({ more: Object.assign(Object.create(null), { a: 1 }) }),
    { more: { a: 1 } },
  ],
  [
    "a key __proto__ in any",
    () => ({ more: JSON.parse('{"__proto__":1}') }),
    { more: JSON.parse('{"__proto__":1}') },
  ],
  ["a Date in any, as its text", () => ({ more: new Date(0) }), { more: "1970-01-01T00:00:00.000Z" }],
  [
    "an object with toJSON in any, as its result",
    () => ({ more: [{ toJSON: (key: string) => ({ key }) }] }),
    { more: [{ key: "0" }] },
  ],
  ["deep values in any", () => ({ more: nested(60) }), { more: nested(60) }],
];

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

describe("values that JSON would change", () => {
  test.each(changed)("%s is not sent by a client", async (_, person, path, expected) => {
    const sent: unknown[] = [];
    const transport = (...request: unknown[]): Promise<never> => {
      sent.push(request);
      return Promise.reject(new Error("sent"));
    };
    const people = new (loaded.client["People"] as NonNullable<(typeof loaded.client)[string]>)({
      url: "http://a",
      transport,
    });
    const error = await Promise.resolve(people["get"]?.({ person: { id: 1, ...person() } })).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      name: "WebrpcBadRequest",
      code: -4,
      side: "client",
      status: 0,
      retryable: false,
    });
    expect((error as Error).message).toMatch(path);
    expect((error as Error).message).toMatch(expected);
    expect(sent).toEqual([]);
  });

  test.each(changed)(
    "%s is not sent by a server, and its path is logged",
    async (_, person, path, expected) => {
      for (const checkResponses of [false, true]) {
        const logs: CallLog[] = [];
        const onResponse = (log: CallLog): number => logs.push(log);
        const server = serverWith({ id: 1, ...person() }, { onResponse, checkResponses });
        const answer = await transportTo(loaded, server)(
          "http://a/rpc/People/Get",
          post({ person: { id: 1 } }),
        );
        expect(await answer.json()).toMatchObject({ error: "WebrpcBadResponse", status: 500 });
        expect(String(logs[0]?.cause)).toMatch(path);
        expect(String(logs[0]?.cause)).toMatch(expected);
      }
    },
  );

  test("a struct that contains itself, and objects where the schema has other values, are not sent", async () => {
    const loop: Record<string, unknown> = { name: "Rex" };
    loop["owner"] = { id: 1, pet: loop };
    for (const more of [
      { pet: loop },
      { pet: [pet] },
      { pets: pet },
      { byName: [pet] },
      { tags: [{ passwordHash: "hunter2" }] },
      { ratio: { passwordHash: "hunter2" } },
      { photo: Buffer.from("hunter2") },
    ]) {
      const logs: CallLog[] = [];
      const server = serverWith({ id: 1, ...more }, { onResponse: (log: CallLog) => logs.push(log) });
      const answer = await transportTo(loaded, server)(
        "http://a/rpc/People/Get",
        post({ person: { id: 1 } }),
      );
      expect(await answer.text()).not.toContain("hunter2");
      expect(answer.status).toBe(500);
      expect(String(logs[0]?.cause)).toMatch(/^\/person\//);
    }
  });

  test.each(kept)("%s is received", async (_, person, received) => {
    const seen: unknown[] = [];
    const handlers = {
      People: {
        Get: (_ctx: unknown, req: { person: object }) => {
          seen.push(req.person);
          return { person: { id: 1, ...person() } };
        },
        Add: () => {},
        Nothing: () => {},
        async *Watch() {},
      },
      Rest: { Find: () => {} },
    };
    const server = loaded.createServer(handlers, { checkResponses: true });
    const answer = await transportTo(loaded, server)("http://a/rpc/People/Get", post({ person: { id: 1 } }));
    expect(await answer.json()).toEqual({ person: { id: 1, note: null, ...received } });
    if (JSON.stringify(received).includes("__proto__")) return;
    const client = { url: "http://a", transport: transportTo(loaded, server) };
    const people = new (loaded.client["People"] as NonNullable<(typeof loaded.client)[string]>)(client);
    await people["get"]?.({ person: { id: 1, ...person() } });
    expect(seen.at(-1)).toEqual({ id: 1, ...received });
  });

  test("a number beyond the range of JavaScript is rejected in any", async () => {
    const init = { ...post({}), body: '{"person":{"id":1,"more":[1e999]}}' };
    const answer = await transportTo(loaded, serverWith({ id: 1 }))("http://a/rpc/People/Get", init);
    expect(await answer.json()).toMatchObject({
      error: "WebrpcBadRequest",
      cause: "/person/more/0: expected a finite number, found Infinity",
    });
  });

  test("bigints in any are numbers if 64-bit integers are bigints", async () => {
    const own = await loadInMemory({ ...contractOf(schema), int64: "bigint" });
    for (const [value, text] of [
      [2n ** 64n - 1n, "18446744073709551615"],
      [-(2n ** 63n), "-9223372036854775808"],
      [2n ** 64n, undefined],
      [-(2n ** 63n) - 1n, undefined],
    ] as const) {
      const handlers = {
        People: {
          Get: () => ({ person: { id: 1, more: value } }),
          Add: () => {},
          Nothing: () => {},
          async *Watch() {},
        },
        Rest: { Find: () => {} },
      };
      const server = own.createServer(handlers);
      const answer = await transportTo(own, server)("http://a/rpc/People/Get", post({ person: { id: 1 } }));
      const body = await answer.text();
      if (text === undefined) expect(answer.status).toBe(500);
      else expect(body).toBe(`{"person":{"id":1,"more":${text},"note":null}}`);
    }
  });
});

describe("a nullable field of a request", () => {
  const text = (version: string, more = ""): string =>
    `${head(version)}struct Person\n  - id: uint32\n  - note?: Note\n    + nullable = always\n${more}\nstruct Note\n  - text: string\n${more}\nservice People\n  - Put(person: Person) => (person: Person)\n`;

  test.each(["v1.0.0", "v2.0.0"])(
    "that is absent stays absent for callers of %s, other than null",
    async (version) => {
      // The new field makes requests of the first version pass a converter.
      const [, current] = await loadVersions([
        text("v1.0.0"),
        text("v2.0.0", "  - added?: string\n    + default = a\n"),
      ]);
      const seen: object[] = [];
      const handlers = {
        People: {
          Put: (_ctx: unknown, { person }: { person: object }) => {
            seen.push(person);
            return { person };
          },
        },
      };
      const server = current?.createServer(handlers);
      const answers: unknown[] = [];
      for (const person of [{ id: 1 }, { id: 1, note: null }, { id: 1, note: { text: "a" } }]) {
        const answer = await transportTo(current as LoadedContract, server as never)(
          "http://a/rpc/People/Put",
          post({ person }, { webrpc: `webrpc@v0.31.0;gen-typescript@v0.1.0;people@${version}` }),
        );
        answers.push(((await answer.json()) as { person: { note: unknown } }).person.note);
      }
      expect(
        seen.map((person) => ("note" in person ? (person as { note: unknown }).note : "absent")),
      ).toMatchObject(["absent", null, { text: "a" }]);
      expect(answers).toMatchObject([null, null, { text: "a" }]);
    },
    60_000,
  );
});
