/** The async context of a request (`AsyncLocalStorage`) reaches every hook and handler, over every adapter, on real sockets. */
import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { createServer as createHttpServer, request as send } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import Koa from "koa";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { koaMiddleware } from "../../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../../generator/runtime/src/node.ts";
import type { ServerOptions } from "../../../generator/runtime/src/options.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import type { LoadedContract } from "../../../generator/verify/in-memory/load.ts";
import { createServer as createFeeds } from "../../fixtures/feeds/generated/server.ts";
import { createServer as createFiles } from "../../fixtures/files/generated/server.ts";
import { createServer as createKeys, memoryIdempotencyStore } from "../../fixtures/keys/generated/server.ts";
import { createServer as createShop } from "../../fixtures/shop/generated/server.ts";
import { mounts, serveMounted } from "../../stacks/mounts.ts";
import { isInstalled } from "../../stacks/packages.ts";
import { bridge, listen, type RunningServer } from "../../support/adapters.ts";
import { loadVersions } from "../../support/versions.ts";
import { shopHandlers } from "./shop.ts";

const span = new AsyncLocalStorage<string>();

/** Each serves an API within the span of a request. */
const adapters: Readonly<Record<string, (server: RpcServer) => Promise<RunningServer>>> = {
  "node-http": (server) => {
    const listener = nodeListener(server);
    return listen(
      createHttpServer((req, res) => span.run(`${req.headers["x-span"]}`, () => listener(req, res))),
    );
  },
  fetch: (server) => {
    const handle = fetchHandler(server);
    return listen(
      createHttpServer(
        bridge((request) => span.run(`${request.headers.get("x-span")}`, () => handle(request))),
      ),
    );
  },
  ...Object.fromEntries(
    Object.entries(mounts)
      .filter(
        ([name, { prefix, parsesBodies }]) =>
          prefix === "" && !parsesBodies && (isInstalled || name === "Koa"),
      )
      .map(([name, mount]) => [
        name,
        (server: RpcServer) => serveMounted(mount, server, (own, next) => span.run(own, next)),
      ]),
  ),
};

type Options = ServerOptions<unknown, string, unknown>;
type Look = (place: string) => void;

interface Kind {
  readonly server: (look: Look, options: Options) => RpcServer;
  readonly path: string;
  readonly body: string;
  readonly type?: string;
  readonly headers?: (name: string) => Readonly<Record<string, string>>;
  /** Hooks that run. Default: all. */
  readonly hooks?: readonly string[];
  /** How often each caller sends the call. Default 1. */
  readonly times?: number;
  /** Where the span must be, besides the hooks that each kind runs. */
  readonly places: readonly string[];
  /** The caller leaves after the first bytes of its response, or as soon as its span has been at this place. */
  readonly leaves?: "response" | "handler" | "arrived";
}

const json = "application/json";
const hooks = ["guard", "context", "requestId", "onResponse"];

function shop(look: Look, options: Options, run: () => unknown = () => undefined): RpcServer {
  const GetItem = async (ctx: { readonly signal: AbortSignal }) => {
    look("handler");
    ctx.signal.addEventListener("abort", () => look("signal"));
    await sleep(1);
    look("handler, later");
    await run();
    return { item: { id: 1, name: "pen" } };
  };
  return createShop({ ...shopHandlers, Shop: { ...shopHandlers.Shop, GetItem } } as never, options as never);
}

function files(look: Look, options: Options): RpcServer {
  const unused = ["Store", "StoreMany", "Submit", "Attach", "Fetch", "Read"].map((name) => [name, () => {}]);
  async function* content() {
    try {
      for (let count = 0; count < 3; count++) {
        look("file");
        yield new Uint8Array(1_000_000);
        await sleep(1);
      }
    } finally {
      look("file, end");
    }
  }
  const Depot = {
    ...Object.fromEntries(unused),
    Export: () => {
      look("handler");
      return { body: content() };
    },
    Turn: (_ctx: unknown, { source }: { readonly source: { readonly path: string } }) => {
      look("handler");
      return { body: new TextEncoder().encode(source.path) };
    },
  };
  return createFiles({ Depot } as never, options as never);
}

function feeds(look: Look, options: Options, onBeat: (beat: number) => void = () => {}): RpcServer {
  async function* Beat(ctx: { readonly signal: AbortSignal }) {
    ctx.signal.addEventListener("abort", () => look("signal"));
    try {
      for (let beat = 0; beat < 5; beat++) {
        look("generator");
        onBeat(beat);
        yield { beat };
        await sleep(20);
      }
    } finally {
      look("generator, end");
    }
  }
  return createFeeds({ Feeds: { Watch: Beat, Count: Beat, Beat } } as never, options as never);
}

/** Handlers of orders, whose second run for a key would be seen. */
function keys(look: Look, options: Options): RpcServer {
  const store = memoryIdempotencyStore();
  const AddOrder = async (_ctx: unknown, { item }: { readonly item: string }) => {
    look("handler");
    await sleep(1);
    look("handler, later");
    return { order: { id: 1, item } };
  };
  return createKeys(
    {
      Shop: { AddOrder, AddNote: AddOrder, Clear() {}, Plain: AddOrder, List() {} },
      Desk: { Put: AddOrder },
    } as never,
    {
      ...options,
      idempotency: {
        scope: () => {
          look("scope");
          return "caller";
        },
        store: {
          run: (...call: Parameters<typeof store.run>) => {
            look("store");
            return store.run(...call);
          },
        },
      },
    } as never,
  );
}

const version = (number: number, more = ""): string =>
  `webrpc = v1\nname = pets\nversion = v${number}.0.0\nbasepath = /rpc\n\nstruct Pet\n  - id: uint32\n${more}\nservice Pets\n  - Get(pet: Pet) => (pet: Pet)\n  - Watch(pet: Pet) => stream (pet: Pet)\n`;

let versions: readonly LoadedContract[] = [];
beforeAll(async () => {
  versions = await loadVersions([version(1), version(2, "  - name?: string\n    + default = Rex\n")]);
});

/** Serves the second version. */
function pets(look: Look, options: Options): RpcServer {
  const pet = { id: 1, name: "Rex" };
  const Pets = {
    Get: async () => {
      look("handler");
      await sleep(1);
      look("handler, later");
      return { pet };
    },
    async *Watch() {
      try {
        for (let count = 0; count < 3; count++) {
          look("generator");
          yield { pet };
          await sleep(1);
        }
      } finally {
        look("generator, end");
      }
    },
  };
  return versions[1]?.createServer({ Pets }, options) as unknown as RpcServer;
}

/** Callers of the first version. */
const ofFirstVersion = () => ({ webrpc: "webrpc@v0.31.0;gen-typescript@v0.1.0;pets@v1.0.0" });

const form = (name: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\ntext\r\n--b--\r\n`;

const kinds: Readonly<Record<string, Kind>> = {
  "small JSON": {
    server: shop,
    path: "/v2/rpc/Shop/GetItem",
    body: '{"id":1}',
    places: ["watchBody", "arrived", "ended", "checkRequest", "handler", "handler, later"],
  },
  "300 KB of JSON": {
    server: shop,
    path: "/v2/rpc/Shop/GetItem",
    body: JSON.stringify({ id: 1, text: "x".repeat(300_000) }),
    places: ["watchBody", "arrived", "ended", "checkRequest", "handler", "handler, later"],
  },
  "a thrown error": {
    server: (look, options) => shop(look, options, () => Promise.reject(new Error("failed"))),
    path: "/v2/rpc/Shop/GetItem",
    body: '{"id":1}',
    places: ["handler, later", "mapError"],
  },
  "an invalid body": { server: shop, path: "/v2/rpc/Shop/GetItem", body: "{", places: ["ended"] },
  "a guard that rejects": {
    server: (look, options) => {
      const reject = async ({ errors }: Parameters<NonNullable<Options["guards"]>[number]>[0]) => {
        await sleep(1);
        look("last guard");
        return errors["WebrpcBadRequest"]?.();
      };
      return shop(look, { ...options, guards: [...(options.guards ?? []), reject as never] });
    },
    path: "/v2/rpc/Shop/GetItem",
    body: '{"id":1}',
    hooks: ["guard", "requestId", "onResponse"],
    places: ["last guard"],
  },
  "a body that is too long": {
    server: (look, options) => shop(look, { ...options, limits: { bodyMaxBytes: 1_000 } }),
    path: "/v2/rpc/Shop/GetItem",
    body: JSON.stringify({ id: 1, text: "x".repeat(300_000) }),
    places: [],
  },
  "a body of another type": {
    server: shop,
    path: "/v2/rpc/Shop/GetItem",
    body: "id=1",
    type: "application/x-www-form-urlencoded",
    places: [],
  },
  "an unknown method": {
    server: shop,
    path: "/v2/rpc/Shop/Nothing",
    body: "{}",
    hooks: ["requestId", "onResponse"],
    places: [],
  },
  "a call with a key": {
    server: keys,
    path: "/rpc/Shop/AddOrder",
    body: '{"item":"pen"}',
    headers: (name) => ({ "idempotency-key": `"${name}"` }),
    places: ["scope", "store", "handler", "handler, later"],
  },
  "a repeated call with a key": {
    server: keys,
    path: "/rpc/Shop/AddOrder",
    body: '{"item":"pen"}',
    headers: (name) => ({ "idempotency-key": `"${name}"` }),
    times: 2,
    places: ["scope", "store", "handler", "handler, later"],
  },
  "a call of a kept version": {
    server: pets,
    path: "/rpc/Pets/Get",
    body: '{"pet":{"id":1}}',
    headers: ofFirstVersion,
    places: ["watchBody", "arrived", "ended", "checkRequest", "handler", "handler, later"],
  },
  "a stream of a kept version": {
    server: pets,
    path: "/rpc/Pets/Watch",
    body: '{"pet":{"id":1}}',
    headers: ofFirstVersion,
    places: ["checkRequest", "generator", "generator, end"],
  },
  "an aborted call": {
    server: (look, options) => shop(look, options, () => sleep(200)),
    path: "/v2/rpc/Shop/GetItem",
    body: '{"id":1}',
    places: ["handler", "signal"],
    leaves: "handler",
  },
  "an aborted body": {
    server: shop,
    path: "/v2/rpc/Shop/GetItem",
    body: '{"id":1}',
    places: ["watchBody", "arrived", "ended"],
    leaves: "arrived",
  },
  "an upload": {
    server: files,
    path: "/rpc/Depot/Turn",
    type: "multipart/form-data; boundary=b",
    body: form("source"),
    places: ["watchBody", "arrived", "ended", "handler"],
  },
  "a file": {
    server: files,
    path: "/rpc/Depot/Export",
    body: '{"lines":1,"wide":true}',
    places: ["handler", "file", "file, end"],
  },
  "an aborted file": {
    server: files,
    path: "/rpc/Depot/Export",
    body: '{"lines":1,"wide":true}',
    places: ["file", "file, end"],
    leaves: "response",
  },
  "a stream": { server: feeds, path: "/rpc/Feeds/Beat", body: "{}", places: ["generator", "generator, end"] },
  "an aborted stream": {
    server: feeds,
    path: "/rpc/Feeds/Beat",
    body: "{}",
    places: ["generator", "signal", "generator, end"],
    leaves: "response",
  },
  "a drained stream": {
    server: (look, options) => {
      let started = 0;
      const server: RpcServer = feeds(look, options, (beat) => {
        // Without the span of either call.
        if (beat === 0 && ++started === 2) span.exit(() => setTimeout(() => server.drain(), 30));
      });
      return server;
    },
    path: "/rpc/Feeds/Beat",
    body: "{}",
    places: ["generator", "signal", "generator, end"],
  },
};

describe.each(Object.entries(adapters))("over %s", (_adapter, serve) => {
  test.each(Object.entries(kinds))("in every hook of %s", async (_kind, kind) => {
    const seen = new Map<string, Set<string | undefined>>();
    const leaving = new EventEmitter();
    const look: Look = (place) => {
      seen.set(place, (seen.get(place) ?? new Set()).add(span.getStore()));
      if (place === kind.leaves) leaving.emit(`${span.getStore()}`);
    };
    const server = kind.server(look, {
      guards: [() => look("guard"), async () => look("guard")],
      context: async () => look("context"),
      requestId: () => void look("requestId"),
      onResponse: () => look("onResponse"),
      checkRequest: () => void look("checkRequest"),
      mapError: () => void look("mapError"),
      watchBody: () => {
        look("watchBody");
        return { arrived: () => look("arrived"), ended: () => look("ended") };
      },
    });
    await using running = await serve(server);
    for (let time = 0; time < (kind.times ?? 1); time++)
      await Promise.all(["first", "second"].map((name) => call(running.port, kind, name, leaving)));
    const expected = new Set(["first", "second"]);
    const all = Object.fromEntries(
      [...(kind.hooks ?? hooks), ...kind.places].map((place) => [place, expected]),
    );
    await expect.poll(() => Object.fromEntries(seen)).toMatchObject(all);
    for (const [place, spans] of seen) expect([place, spans]).toEqual([place, expected]);
  });
});

test("Koa's own currentContext is that of the call", async () => {
  const app = new Koa({ asyncLocalStorage: true });
  const paths: unknown[] = [];
  app.use(koaMiddleware(shop(() => void paths.push(app.currentContext?.["path"]), {})));
  await using running = await listen(createHttpServer(app.callback()));
  const kind = kinds["small JSON"] as Kind;
  await call(running.port, kind, "first");
  expect(paths).toEqual([kind.path, kind.path]);
});

/** Settles when the response is complete, or the caller has left. */
function call(
  port: number,
  { path, body, type = json, headers: more, leaves }: Kind,
  name: string,
  leaving?: EventEmitter,
): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      "content-type": type,
      "content-length": Buffer.byteLength(body),
      "accept-encoding": "gzip",
      "x-span": name,
      ...more?.(name),
    };
    const sent = send({ port, host: "127.0.0.1", method: "POST", path, headers }, (res) => {
      res.on("data", () => {
        if (leaves === "response") sent.destroy();
      });
      res.on("error", () => {});
      res.on("close", resolve);
    });
    sent.on("error", () => resolve());
    leaving?.once(name, () => sent.destroy());
    if (leaves === "arrived") sent.write(body.slice(0, 3));
    else sent.end(body);
  });
}
