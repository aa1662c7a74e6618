import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import type { Call } from "../../../../generator/runtime/src/options.ts";
import type { LoadedContract } from "../../../../generator/verify/in-memory/load.ts";
import { contractOf, loadVersions, transportTo } from "../../../support/versions.ts";
import { shopV1, shopV2, shopV3 } from "./shop-versions.ts";

type Order = Readonly<Record<string, unknown>>;
type Client = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
interface Context {
  readonly context: unknown;
  readonly method: { readonly name: string; readonly annotations: Readonly<Record<string, unknown>> };
  readonly errors: Readonly<Record<string, () => Error>>;
}

const order = { id: 3, total: 5, status: "OPEN", currency: "USD", place: "here" };
const tooLarge = 2 ** 40;

let versions: readonly LoadedContract[];

beforeAll(async () => {
  versions = await loadVersions([shopV1, shopV2, shopV3]);
});

/** The server of v3, and a client of each version. `orders`: what its handlers return by id. */
function serve(
  orders: Readonly<Record<number, Order>>,
  options: object = {},
): { readonly clients: readonly Client[]; readonly received: unknown[]; readonly transport: typeof fetch } {
  const received: unknown[] = [];
  const newest = versions[2] as LoadedContract;
  const handlers = {
    Fetch: (ctx: Context, { id }: { id: number }) => {
      received.push(ctx.method.name);
      if (id === 503) throw ctx.errors["Busy"]?.();
      const found = orders[id];
      return found === undefined ? ctx.errors["NotFound"]?.() : { order: found };
    },
    Put: async (_ctx: Context, { order: given }: { order: Order }) => {
      received.push(given);
      return { id: given["id"] };
    },
    Watch: async function* (ctx: Context) {
      for (const each of Object.values(orders)) yield { order: each };
      return ctx.errors["Closed"]?.();
    },
  };
  const custom = {
    "v2.0.0": { up: { Purchase: { place: () => "unknown" } }, down: { Status: () => "DONE" } },
  };
  const server = newest.createServer({ Shop: handlers }, { versions: custom, ...options });
  const transport = transportTo(newest, server);
  const clients = versions.map(({ client }) => {
    const { Shop } = client;
    if (Shop === undefined) throw new Error("no client");
    return new Shop({ url: "http://shop.test", transport }) as unknown as Client;
  });
  return { clients, received, transport };
}

async function outcome(call: Promise<unknown> | undefined): Promise<unknown> {
  try {
    return await call;
  } catch (thrown) {
    const { code, name, status, cause } = thrown as Record<string, unknown>;
    return { code, name, status, ...(cause === undefined ? {} : { cause }) };
  }
}

const outdated = { code: -100, name: "WebrpcClientOutdated", status: 410 };

describe("calls of earlier versions", () => {
  test("get responses in their own form", async () => {
    const { clients, received } = serve({ 3: order });
    const [one, two, three] = clients;
    const { place: _new, ...second } = order;
    expect(await outcome(one?.["get"]?.({ id: 3 }))).toEqual({ order: { id: 3, amount: 5, status: "OPEN" } });
    expect(await outcome(two?.["fetch"]?.({ id: 3 }))).toEqual({ order: second });
    expect(await outcome(three?.["fetch"]?.({ id: 3 }))).toEqual({ order });
    expect(received).toEqual(["Fetch", "Fetch", "Fetch"]);
  });

  test("give handlers requests of the current version, with defaults and custom conversions", async () => {
    const { clients, received } = serve({});
    const given = { id: 1, amount: 7, status: "OPEN", note: "soon" };
    expect(await outcome(clients[0]?.["put"]?.({ order: given }))).toEqual({ id: 1 });
    const now = { id: 1, total: 7, status: "OPEN", note: "soon", currency: "EUR", place: "unknown" };
    expect(received).toEqual([now]);
    const { place: _new, ...second } = { ...now, currency: "USD" };
    await clients[1]?.["put"]?.({ order: second });
    expect(received[1]).toEqual({ ...second, place: "unknown" });
  });

  test("are checked by the rules of their own version", async () => {
    const { transport } = serve({});
    const response = await transport("http://shop.test/rpc/Shop/Put", {
      method: "POST",
      headers: { "content-type": "application/json", webrpc: "webrpc@v0.44.0;gen-golang@v1;Shop@v1.0.0" },
      body: JSON.stringify({ order: { id: 1, amount: 2 ** 31, status: "OPEN" } }),
    });
    const { issues } = (await response.json()) as { readonly issues: readonly { readonly path: unknown }[] };
    expect({ status: response.status, paths: issues.map(({ path }) => path) }).toEqual({
      status: 400,
      paths: [["order", "amount"]],
    });
  });

  test("are refused if a value has no place in the other version, with its path", async () => {
    const { clients, received } = serve({ 3: { ...order, total: tooLarge } });
    expect(await outcome(clients[0]?.["get"]?.({ id: 3 }))).toEqual({
      ...outdated,
      cause: `the response of v3.0.0 is not valid in v1.0.0: /order/amount: expected an integer from -2147483648 to 2147483647, found ${tooLarge}`,
    });
    received.length = 0;
    const long = { id: 1, amount: 7, status: "OPEN", note: "longer than ten" };
    expect(await outcome(clients[0]?.["put"]?.({ order: long }))).toMatchObject({
      ...outdated,
      cause: expect.stringContaining("the request of v1.0.0 is not valid in v3.0.0: /order/note"),
    });
    expect(received).toEqual([]);
  });

  test("fail as those of the current version if the handler's response is invalid", async () => {
    const { clients } = serve({ 3: { ...order, total: "many" } as never });
    const failed = { code: -5, name: "WebrpcBadResponse", status: 500 };
    expect(await outcome(clients[0]?.["get"]?.({ id: 3 }))).toMatchObject(failed);
    // Only the current version has the field.
    const misplaced = { 3: { ...order, place: 5 } as never };
    expect(await outcome(serve(misplaced).clients[0]?.["get"]?.({ id: 3 }))).toHaveProperty("order");
    const { clients: checked } = serve(misplaced, { checkResponses: true });
    for (const client of checked)
      expect(await outcome(client["get"]?.({ id: 3 }) ?? client["fetch"]?.({ id: 3 }))).toMatchObject(failed);
  });

  test("are refused if a custom conversion returns nothing", async () => {
    const versions2 = {
      "v2.0.0": { up: { Purchase: { place: () => undefined } }, down: { Status: () => "DONE" } },
    };
    const { clients } = serve({}, { versions: versions2 });
    const given = { id: 1, amount: 7, status: "OPEN" };
    expect(await outcome(clients[0]?.["put"]?.({ order: given }))).toMatchObject({
      ...outdated,
      cause: expect.stringContaining("/order/place"),
    });
  });

  test("fail if a custom conversion throws, and only the log names it", async () => {
    const causes: unknown[] = [];
    const fail = (): never => {
      throw new RangeError("no table of places");
    };
    const { clients, received } = serve(
      { 3: { ...order, status: "LOST" } },
      {
        versions: { "v2.0.0": { up: { Purchase: { place: fail } }, down: { Status: fail } } },
        unexpectedErrors: "endpoint-with-message",
        onResponse: ({ cause }: { cause: unknown }) => causes.push(`${cause}`),
      },
    );
    const failed = { code: -7, name: "WebrpcInternalError", status: 500 };
    const given = { id: 1, amount: 7, status: "OPEN" };
    expect(await outcome(clients[0]?.["put"]?.({ order: given }))).toEqual(failed);
    expect(received).toEqual([]);
    expect(await outcome(clients[1]?.["fetch"]?.({ id: 3 }))).toEqual(failed);
    expect(causes).toEqual([
      'Error: versions["v2.0.0"].up: converting the request of Shop.Put from v2.0.0 to v3.0.0 threw RangeError: no table of places',
      'Error: versions["v2.0.0"].down: converting the response of Shop.Fetch from v3.0.0 to v2.0.0 threw RangeError: no table of places',
    ]);
  });

  test("of removed methods are refused", async () => {
    const { clients } = serve({});
    const cause = "Shop.Gone does not exist in v2.0.0: regenerate the client";
    expect(await outcome(clients[0]?.["gone"]?.())).toEqual({ ...outdated, cause });
  });

  test("get enum values that a function translates", async () => {
    const { clients } = serve({ 3: { ...order, status: "LOST" } });
    expect(await outcome(clients[0]?.["get"]?.({ id: 3 }))).toMatchObject({ order: { status: "DONE" } });
    expect(await outcome(clients[2]?.["fetch"]?.({ id: 3 }))).toMatchObject({ order: { status: "LOST" } });
  });

  test("get errors under their own name or code, and new ones as they are", async () => {
    const { clients } = serve({});
    const [one, two] = clients;
    expect(await outcome(one?.["get"]?.({ id: 4 }))).toEqual({ code: 1, name: "Missing", status: 404 });
    expect(await outcome(two?.["fetch"]?.({ id: 4 }))).toEqual({ code: 1, name: "NotFound", status: 404 });
    expect(await outcome(one?.["get"]?.({ id: 503 }))).toEqual({ code: 6, name: "Busy", status: 503 });
  });

  test("get streams item by item, and the error at their end", async () => {
    const { clients } = serve({ 3: order, 4: { ...order, id: 4 } });
    expect(await itemsOf(clients[0] as Client)).toEqual([
      { order: { id: 3, amount: 5, status: "OPEN" } },
      { order: { id: 4, amount: 5, status: "OPEN" } },
      { code: 2, name: "Closed", status: 409 },
    ]);
  });

  test("end a stream at the first item without a place", async () => {
    const { clients } = serve({ 3: order, 4: { ...order, total: tooLarge }, 5: order });
    expect(await itemsOf(clients[0] as Client)).toMatchObject([{ order: { id: 3 } }, outdated]);
  });
});

describe("the header Webrpc", () => {
  const ask = async (webrpc: string | undefined): Promise<unknown> => {
    const { transport } = serve({ 3: order });
    const headers = { "content-type": "application/json", ...(webrpc === undefined ? {} : { webrpc }) };
    const init = { method: "POST", headers, body: '{"id":3}' };
    const response = await transport("http://shop.test/rpc/Shop/Fetch", init);
    return response.status === 200
      ? Object.keys(((await response.json()) as { order: object }).order)
      : response.json();
  };
  const current = ["id", "total", "status", "currency", "place"];

  test.each([
    ["no header", undefined],
    ["another schema", "webrpc@v0.44.0;x@v1;Store@v0.1.0"],
    ["the current version of another generator", "webrpc@v0.44.0;gen-golang@v1;Shop@v3.0.0"],
    ["the current version without v", "Shop@3.0.0"],
    ["a newer version", "Shop@v3.0.1"],
    ["a version that is no version", "Shop@dev"],
    ["nonsense", ";;@@"],
  ])("%s: the current version", async (_what, header) => {
    expect(await ask(header)).toEqual(current);
  });

  test("a kept version, with or without v and build metadata", async () => {
    const second = ["id", "total", "status", "currency"];
    expect(await ask("webrpc@v0.44.0;gen-golang@v1;Shop@v2.0.0")).toEqual(second);
    expect(await ask("Shop@2.0.0")).toEqual(second);
    expect(await ask("Shop@v2.0.0+abc")).toEqual(second);
  });

  test.each(["v0.9.9", "v2.0.1", "v1.0.0-beta.1", "v3.0.0-rc.1"])(
    "%s is not kept: the call is refused",
    async (version) => {
      expect(await ask(`Shop@${version}`)).toMatchObject({
        error: "WebrpcClientOutdated",
        status: 410,
        cause: `the client was generated from Shop ${version}, but this server speaks only v1.0.0, v2.0.0 and v3.0.0: regenerate the client`,
      });
    },
  );
});

describe("hooks", () => {
  test("see the current version of every call", async () => {
    const seen: unknown[] = [];
    const logs: unknown[] = [];
    const guard = ({
      method,
      errors,
    }: {
      method: { name: string; annotations: object };
      errors: object;
    }): void => {
      seen.push(method.name, method.annotations, Object.keys(errors));
    };
    const { clients } = serve(
      { 3: order },
      {
        guards: [guard],
        context: ({ method }: Context) => ({ called: method.name }),
        checkRequest: (_call: unknown, request: unknown, host: unknown) => {
          seen.push(request, host);
        },
        onResponse: ({ method, error }: { method: { name: string }; error?: { name: string } }) =>
          logs.push(method.name, error?.name),
      },
    );
    await clients[0]?.["get"]?.({ id: 3 });
    const errors = ["NotFound", "Closed", "Busy"];
    expect(seen).toEqual(["Fetch", { auth: "admin" }, errors, { id: 3 }, { called: "Fetch" }]);
    expect(await outcome(clients[0]?.["get"]?.({ id: 4 }))).toHaveProperty("name", "Missing");
    expect(logs).toEqual(["Fetch", undefined, "Fetch", "NotFound"]);
  });

  test("around handlers and for annotations see the current version of every call", async () => {
    const seen: unknown[] = [];
    const { clients } = serve(
      { 3: order },
      {
        annotations: { auth: ({ method }: Context) => ({ role: method.annotations["auth"] }) },
        around: [
          {
            "@auth": async (ctx: Context, req: unknown, next: (host: object) => Promise<object>) => {
              const response = await next({ ...(ctx.context as object), more: true });
              seen.push(ctx.method.name, ctx.context, req, response);
              return response;
            },
          },
        ],
      },
    );
    expect(await outcome(clients[0]?.["get"]?.({ id: 3 }))).toHaveProperty("order.amount", 5);
    expect(seen).toEqual(["Fetch", { role: "admin" }, { id: 3 }, { order }]);
  });

  test("raise errors that callers get under their own name", async () => {
    const guard = ({ header, errors }: Call): unknown =>
      header("x-key") === undefined ? errors["NotFound"]?.() : undefined;
    const { clients } = serve({ 3: order }, { guards: [guard] });
    expect(await outcome(clients[0]?.["get"]?.({ id: 3 }))).toEqual({
      code: 1,
      name: "Missing",
      status: 404,
    });
  });

  test("check requests after their conversion, and only once convert them", async () => {
    const places: unknown[] = [];
    const place = (): string => {
      places.push(0);
      return "there";
    };
    const custom = { "v2.0.0": { up: { Purchase: { place } }, down: { Status: () => "DONE" } } };
    const checked: unknown[] = [];
    const { clients, received } = serve(
      {},
      { versions: custom, checkRequest: (_call: unknown, request: unknown) => void checked.push(request) },
    );
    await clients[0]?.["put"]?.({ order: { id: 1, amount: 7, status: "OPEN" } });
    expect(places).toHaveLength(1);
    expect(checked).toEqual([{ order: received[0] }]);
  });
});

async function itemsOf(client: Client): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  try {
    const stream = client["watch"]?.({ id: 1 }) as unknown;
    for await (const item of stream as AsyncIterable<unknown>) items.push(item);
  } catch (thrown) {
    const { code, name, status } = thrown as Record<string, unknown>;
    items.push({ code, name, status });
  }
  return items;
}

test("a kept version adds code for what differs, whatever the size of the schema", () => {
  const linesFor = (structs: number, field: string): number => {
    const names = Array.from({ length: structs }, (_, index) => `Item${index}`);
    const fields = "  - id: uint64\n  - note?: string\n    + maxLength = 10\n  - tags: []string\n";
    const schema = (version: string, name: string): string => `webrpc = v1
name = Shop
version = ${version}
basepath = /rpc

${names.map((one) => `struct ${one}\n${fields}`).join("\n")}
struct Leaf
  - ${name}: string${name === "old" ? "" : "\n    + renamedFrom = old"}

service Shop
${names.map((one) => `  - Put${one}(item: ${one}) => (item: ${one})\n`).join("")}  - Put(leaf: Leaf) => (leaf: Leaf)
`;
    const { model, ir } = contractOf(schema("v2.0.0", field));
    const files = generate(model, ir, {
      schemaFile: "shop.ridl",
      targets: ["server", "validators"],
      history: [contractOf(schema("v1.0.0", "old"))],
    });
    const texts = [...files].flatMap(([path, text]) => (path.startsWith("versions/") ? [text] : []));
    return texts.join("").split("\n").length - 1;
  };
  expect([linesFor(1, "old"), linesFor(50, "old")]).toEqual([8, 8]);
  const renamed = linesFor(1, "current");
  expect(renamed).toBeLessThan(100);
  expect(linesFor(50, "current")).toBe(renamed);
});

test("the files of kept versions import only files that exist", () => {
  const schema = (version: string, values: readonly string[], more = ""): string => `webrpc = v1
name = Shop
version = ${version}
basepath = /rpc

enum State: string
${values.map((value) => `  - ${value}\n`).join("")}
service Shop
  - Get(id: uint64) => (state: State)
${more}`;
  const { model, ir } = contractOf(schema("v3.0.0", ["OPEN", "NEW"], "  - Count() => (count: uint32)\n"));
  const files = generate(model, ir, {
    schemaFile: "shop.ridl",
    targets: ["types", "server", "validators"],
    history: [contractOf(schema("v1.0.0", ["OPEN"])), contractOf(schema("v2.0.0", ["OPEN", "NEW"]))],
  });
  const imported = [...files].flatMap(([path, text]) =>
    [...text.matchAll(/from "(\..*)";$/gm)].map(([, from = ""]) => join(dirname(path), from)),
  );
  expect(imported.filter((path) => !files.has(path))).toEqual([]);
});

test("conversions read the getters of a class that a handler returns", async () => {
  class Row {
    readonly id = 3;
    readonly #total = 5;
    get total(): number {
      return this.#total;
    }
    get status(): string {
      return "OPEN";
    }
    readonly currency = "USD";
    readonly place = "here";
  }
  class Reply {
    get order(): Row {
      return new Row();
    }
  }
  const newest = versions[2] as LoadedContract;
  const handlers = { Fetch: () => new Reply(), Put: () => ({ id: 1 }), Watch: async function* () {} };
  const custom = { "v2.0.0": { up: {}, down: { Status: () => "DONE" } } };
  const server = newest.createServer({ Shop: handlers }, { versions: custom });
  const Shop = versions[0]?.client["Shop"];
  if (Shop === undefined) throw new Error("no client");
  const first = new Shop({
    url: "http://shop.test",
    transport: transportTo(newest, server),
  }) as unknown as Client;
  expect(await first["get"]?.({ id: 3 })).toEqual({ order: { id: 3, amount: 5, status: "OPEN" } });
});
