/** Request bodies that a host or a middleware has read before the server, in every form in which they are handed over. */
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import Koa from "koa";
import { describe, expect, test } from "vitest";
import { type FetchHandler, fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { koaMiddleware } from "../../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../../generator/runtime/src/node.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import type { RpcServer } from "../../../generator/runtime/src/server.ts";
import { createServer as createFiles } from "../../fixtures/files/generated-in-memory/server.ts";
import { createServer as createShop } from "../../fixtures/shop/generated/server.ts";
import { listen } from "../../support/adapters.ts";
import { rawRequest } from "../../support/raw-http.ts";
import { shopHandlers } from "./shop.ts";

/** What a middleware leaves of the bytes that it has read. */
type Leave = (bytes: Buffer) => Readonly<Record<string, unknown>>;

const forms: Readonly<Record<string, Leave>> = {
  "a parsed object": (bytes) => ({ body: JSON.parse(`${bytes}`) }),
  "a Buffer": (bytes) => ({ body: bytes }),
  "a Uint8Array": (bytes) => ({ body: new Uint8Array(bytes) }),
  "an ArrayBuffer": (bytes) => ({ body: new Uint8Array(bytes).buffer }),
  "a DataView": (bytes) => ({ body: new DataView(new Uint8Array([0, ...bytes]).buffer, 1) }),
  text: (bytes) => ({ body: `${bytes}` }),
  "bytes beside an empty object": (bytes) => ({ rawBody: null, body: bytes }),
  "rawBody as bytes": (bytes) => ({ rawBody: bytes, body: {} }),
  "rawBody as text": (bytes) => ({ rawBody: `${bytes}`, body: {} }),
};
const bytesForms = ["a Buffer", "a Uint8Array", "an ArrayBuffer", "a DataView", "rawBody as bytes"];

async function drain(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Mounts a server behind a middleware that reads all bodies. */
const mounts: Readonly<Record<string, (server: RpcServer, leave: Leave) => RequestListener>> = {
  "node-http": (server, leave) => {
    const listener = nodeListener(server);
    return async (req, res) => {
      Object.assign(req, leave(await drain(req)));
      listener(req, res);
    };
  },
  koa: (server, leave) => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      Object.assign(ctx.request, leave(await drain(ctx.req)));
      await next();
    });
    return app.use(koaMiddleware(server)).callback();
  },
  "koa, read by its host": (server, leave) => {
    const handle = new Koa().use(koaMiddleware(server)).callback();
    return async (req, res) => {
      Object.assign(req, leave(await drain(req)));
      handle(req, res);
    };
  },
};

function shop(logs: CallLog[] = []): RpcServer {
  return createShop(shopHandlers, { onResponse: (log) => logs.push(log), limits: { bodyMaxBytes: 100 } });
}

/** Returns the text of the only file of a form. */
function files(logs: CallLog[] = []): RpcServer {
  const names = ["Store", "StoreMany", "Submit", "Attach", "Fetch", "Export", "Read"];
  const Depot = {
    ...Object.fromEntries(names.map((name) => [name, () => {}])),
    Turn: (_ctx: unknown, { source }: { readonly source: File }) => source,
  };
  return createFiles({ Depot } as never, { onResponse: (log) => logs.push(log) });
}

const item = "/v2/rpc/Shop/GetItem";
const form = {
  path: "/rpc/Depot/Turn",
  headers: { "Content-Type": "multipart/form-data; boundary=b" },
  body: '--b\r\nContent-Disposition: form-data; name="source"; filename="a"\r\n\r\ntext\xff\r\n--b--\r\n',
};

/** An error of the API that does not blame the caller. */
function expectServerFault(
  { status, body }: { readonly status: number; readonly body: string },
  logs: readonly CallLog[],
) {
  expect(status).toBe(500);
  expect(JSON.parse(body)).toEqual({
    error: "WebrpcInternalError",
    code: -7,
    msg: "internal error",
    status: 500,
  });
  expect(`${logs[0]?.cause}`).toMatch(/^Error: a middleware has read the body of the request: /);
  expect(logs).toHaveLength(1);
}

describe.each(Object.entries(mounts))("over %s", (_name, mount) => {
  test.each(Object.entries(forms))("%s is used, within the limits", async (_form, leave) => {
    await using running = await listen(createHttpServer(mount(shop(), leave)));
    const ask = async (body: string) => {
      const answer = await rawRequest(running.port, { path: item, body });
      return [answer.status, JSON.parse(answer.body).cause ?? JSON.parse(answer.body).item.id];
    };
    expect(await ask('{"id":1}')).toEqual([200, 1]);
    expect(await ask('{"id":"x"}')).toEqual([400, expect.stringMatching(/^\/id: /)]);
    expect(await ask('{"id":1,"x":"\\u0000"}')).toEqual([400, "NUL in a key or a string"]);
    const text = '{"id":1,"x":"é"}';
    const sized = (bytes: number): string => text + " ".repeat(bytes - Buffer.byteLength(text));
    expect(await ask(sized(99))).toEqual([200, 1]);
    expect(await ask(sized(100))).toEqual([200, 1]);
    expect(await ask(sized(101))).toEqual([413, "the body is larger than 100 bytes"]);
  });

  test("a chunked body that was parsed has the limit, too", async () => {
    const leave = forms["a parsed object"] as Leave;
    await using running = await listen(createHttpServer(mount(shop(), leave)));
    const ask = async (length: number) => {
      const body = JSON.stringify({ id: 1, x: "x".repeat(length - 15) });
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const headers = { "Transfer-Encoding": "chunked" };
      return (await rawRequest(running.port, { path: item, headers, body: chunk })).status;
    };
    expect([await ask(99), await ask(100), await ask(101)]).toEqual([200, 200, 413]);
  });

  test("bytes that are not UTF-8 are the caller's fault", async () => {
    const leave = forms["a Buffer"] as Leave;
    await using running = await listen(createHttpServer(mount(shop(), leave)));
    const answer = await rawRequest(running.port, { path: item, body: new Uint8Array([0x7b, 0xff, 0x7d]) });
    expect([answer.status, JSON.parse(answer.body).cause]).toEqual([400, "the body is not UTF-8"]);
  });

  test.each<[string, Leave]>([
    ["nothing", () => ({})],
    ["null", () => ({ body: null })],
    ["an empty object", () => ({ body: {} })],
    ["an empty text", () => ({ body: "" })],
    ["no bytes", () => ({ body: Buffer.alloc(0) })],
    ["a Blob", (bytes) => ({ body: new Blob([new Uint8Array(bytes)]) })],
    ["a Map", () => ({ body: new Map() })],
    ["a stream", (bytes) => ({ body: Readable.from([bytes]) })],
    ["a function", () => ({ body: () => "" })],
  ])("a body of which %s is left is the server's fault", async (_left, leave) => {
    const logs: CallLog[] = [];
    await using running = await listen(createHttpServer(mount(shop(logs), leave)));
    expectServerFault(await rawRequest(running.port, { path: item, body: '{"id":1}' }), logs);
  });

  test.each([
    ["{}", {}],
    ["{  }", {}],
    ["null", null],
  ])("%s may be parsed before", async (body, value) => {
    await using running = await listen(createHttpServer(mount(shop(), () => ({ body: value }))));
    const answer = await rawRequest(running.port, { path: "/v2/rpc/Shop/Ping", body });
    expect([answer.status, answer.body]).toEqual([200, "{}"]);
  });

  test("an empty body may be read before", async () => {
    await using running = await listen(createHttpServer(mount(shop(), () => ({}))));
    const answer = await rawRequest(running.port, { path: "/v2/rpc/Shop/Ping" });
    expect([answer.status, answer.body]).toEqual([200, "{}"]);
  });

  test.each(bytesForms)("a form as %s is used", async (name) => {
    await using running = await listen(createHttpServer(mount(files(), forms[name] as Leave)));
    const answer = await rawRequest(running.port, { ...form, body: Buffer.from(form.body, "latin1") });
    expect([answer.status, answer.body]).toEqual([200, "text\ufffd"]);
  });

  test.each<[string, Leave]>([
    ["nothing", () => ({})],
    ["its fields", () => ({ body: { source: "text" } })],
    ["text", forms["text"] as Leave],
  ])("a form of which %s is left is the server's fault", async (_left, leave) => {
    const logs: CallLog[] = [];
    await using running = await listen(createHttpServer(mount(files(logs), leave)));
    expectServerFault(await rawRequest(running.port, form), logs);
  });
});

describe.each<[string, (server: RpcServer, encoding: BufferEncoding) => RequestListener]>([
  [
    "node-http",
    (server, encoding) => {
      const listener = nodeListener(server);
      return (req, res) => listener(req.setEncoding(encoding), res);
    },
  ],
  [
    "koa",
    (server, encoding) => {
      const handle = new Koa().use(koaMiddleware(server)).callback();
      return (req, res) => handle(req.setEncoding(encoding), res);
    },
  ],
])("setEncoding before %s", (_name, mount) => {
  const value = "é😀".repeat(40_000);
  const body = JSON.stringify({ value });
  const path = "/v2/rpc/Shop/Echo";

  test("with UTF-8 keeps the text", async () => {
    await using running = await listen(createHttpServer(mount(createShop(shopHandlers), "utf8")));
    const answer = await rawRequest(running.port, { path, body });
    expect([answer.status, JSON.parse(answer.body).value === value]).toEqual([200, true]);
  });

  test.each<[BufferEncoding, Uint8Array]>([
    ["latin1", Buffer.from(body)],
    ["hex", Buffer.from(body)],
    ["utf8", Buffer.from('{"value":"\xff"}', "latin1")],
  ])("with %s that loses bytes is the server's fault", async (encoding, sent) => {
    const logs: CallLog[] = [];
    const server = createShop(shopHandlers, { onResponse: (log) => logs.push(log) });
    await using running = await listen(createHttpServer(mount(server, encoding)));
    const { status } = await rawRequest(running.port, { path, body: sent });
    expect(status).toBe(500);
    expect(`${logs[0]?.cause}`).toMatch(/^Error: a middleware has changed the body of the request to text/);
  });
});

describe("over fetch", () => {
  const readers: Readonly<Record<string, (request: Request) => unknown>> = {
    "was read": (request) => request.text(),
    "was partly read": async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      reader?.releaseLock();
    },
    "is locked": (request) => request.body?.getReader(),
  };

  async function ask(
    handle: FetchHandler,
    read: (request: Request) => unknown,
    path = item,
    init: RequestInit = {},
  ) {
    const headers = { "Content-Type": "application/json" };
    const request = new Request(`http://a${path}`, { method: "POST", headers, body: '{"id":1}', ...init });
    await read(request);
    const response = await handle(request);
    return { status: response.status, body: await response.text() };
  }

  test.each(Object.entries(readers))("a body that %s is the server's fault", async (_state, read) => {
    const logs: CallLog[] = [];
    expectServerFault(await ask(fetchHandler(shop(logs)), read), logs);
    logs.length = 0;
    expectServerFault(await ask(fetchHandler(files(logs)), read, form.path, form), logs);
  });

  test("a body of which a clone was read is used", async () => {
    const { status } = await ask(fetchHandler(shop()), (request) => request.clone().text());
    expect(status).toBe(200);
  });

  test("a body that fails is not reported as text that is not UTF-8", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
    const { body: text } = await ask(fetchHandler(shop()), () => {}, item, {
      body,
      duplex: "half",
    } as RequestInit);
    expect(JSON.parse(text).cause).toBe("the connection closed before the body was complete");
  });

  test("a stream of bytes in any form is read, and a stream of text is the server's fault", async () => {
    const logs: CallLog[] = [];
    const send = (chunk: unknown) => {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(chunk);
          controller.close();
        },
      });
      return ask(fetchHandler(shop(logs)), () => {}, item, { body, duplex: "half" } as RequestInit);
    };
    const bytes = new TextEncoder().encode('{"id":1}');
    expect([(await send(bytes)).status, (await send(bytes.buffer)).status]).toEqual([200, 200]);
    logs.length = 0;
    expect((await send('{"id":1}')).status).toBe(500);
    expect(`${logs[0]?.cause}`).toMatch(
      /^Error: a middleware has changed the body of the request to a stream/,
    );
  });
});
