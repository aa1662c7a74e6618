import { createServer as createHttpServer } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { clientErrorListener, nodeListener } from "../../../generator/runtime/src/node.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import { createServer } from "../../fixtures/shop/generated/server.ts";
import { adapterNames, listen, serveWith } from "../../support/adapters.ts";
import { parseAnswer, rawExchange } from "../../support/raw-http.ts";
import { shopHandlers, shopWith } from "./shop.ts";

const head = (length: number | string): string =>
  `POST /v2/rpc/Shop/GetItem HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;

test("a middleware that responds before the handler ends is the one that is heard", async () => {
  const logs: CallLog[] = [];
  let respond = (): void => {};
  const late = shopWith(() => {
    respond();
    return { item: { id: 1, name: "pen" } };
  });
  const listener = nodeListener(createServer(late, { onResponse: (log) => logs.push(log) }));
  await using running = await listen(
    createHttpServer((req, res) => {
      respond = () => void res.writeHead(503).end("timed out");
      listener(req, res);
    }),
  );
  const response = await fetch(`${running.url}/v2/rpc/Shop/GetItem`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"id":1}',
  });
  expect([response.status, await response.text()]).toEqual([503, "timed out"]);
  await until(() => logs.length > 0);
  expect(logs.map(({ error }) => error?.name)).toEqual(["WebrpcClientAborted"]);
});

describe.each(adapterNames)("callers that misbehave, over %s", (adapter) => {
  test("the server waits for a slow body", async () => {
    await using running = await serveWith(adapter, createServer(shopHandlers));
    const socket = await open(running.port);
    socket.write(`${head(8)}Connection: close\r\n\r\n`);
    for (const letter of '{"id":1}') {
      await sleep(5);
      socket.write(letter);
    }
    expect(parseAnswer(await readAll(socket))).toMatchObject({
      status: 200,
      body: '{"item":{"id":1,"name":"item 1"}}',
    });
  });

  test("a caller that disconnects during the body runs no handler and is logged", async () => {
    let count = 0;
    const logs: CallLog[] = [];
    const counting = shopWith(() => {
      count++;
      return { item: { id: 1, name: "pen" } };
    });
    await using running = await serveWith(
      adapter,
      createServer(counting, { onResponse: (log) => logs.push(log) }),
    );
    const socket = await open(running.port);
    socket.write(`${head(8)}\r\n{"id"`);
    await sleep(50);
    socket.destroy();
    await until(() => logs.length === 1);
    expect(logs[0]).toMatchObject({
      error: { code: -8 },
      cause: "the connection closed before the body was complete",
    });
    expect(count).toBe(0);
  });

  test("a caller that disconnects during the handler aborts its signal and is logged", async () => {
    const logs: CallLog[] = [];
    let reason: unknown;
    const waiting = shopWith(async (ctx: { signal: AbortSignal }) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      reason = ctx.signal.reason;
      throw new Error("gave up");
    });
    await using running = await serveWith(
      adapter,
      createServer(waiting, { onResponse: (log) => logs.push(log) }),
    );
    const socket = await open(running.port);
    socket.write(`${head(8)}\r\n{"id":1}`);
    await sleep(50);
    socket.destroy();
    await until(() => logs.length === 1);
    expect(reason).toMatchObject({ name: "AbortError" });
    expect(logs[0]).toMatchObject({ status: 499, error: { code: -8, name: "WebrpcClientAborted" } });
  });

  test("the signal is aborted if the caller disconnected before its first use", async () => {
    let isRunning = false;
    let wasAborted: boolean | undefined;
    const late = shopWith(async (ctx: { signal: AbortSignal }) => {
      isRunning = true;
      while ((await running.connections()) > 0) await sleep(10);
      await sleep(10);
      wasAborted = ctx.signal.aborted;
      return { item: { id: 1, name: "pen" } };
    });
    await using running = await serveWith(adapter, createServer(late));
    const socket = await open(running.port);
    socket.write(`${head(8)}\r\n{"id":1}`);
    await until(() => isRunning);
    socket.destroy();
    await until(() => wasAborted !== undefined);
    expect(wasAborted).toBe(true);
  });

  test("the signal of a finished call does not abort", async () => {
    let signal: AbortSignal | undefined;
    const keeping = shopWith((ctx: { signal: AbortSignal }) => {
      signal = ctx.signal;
      return { item: { id: 1, name: "pen" } };
    });
    await using running = await serveWith(adapter, createServer(keeping));
    await rawExchange(running.port, `${head(8)}Connection: close\r\n\r\n{"id":1}`);
    await sleep(20);
    expect(signal?.aborted).toBe(adapter === "fetch");
  });

  test.each([
    [["application/json", "text/plain"], 400],
    [["text/plain", "application/json"], 400],
    [["application/json", "application/json; charset=latin1"], 400],
    [["application/json; charset=utf-8"], 200],
  ])("Content-Type %j is %d", async (types, status) => {
    await using running = await serveWith(adapter, createServer(shopHandlers));
    const lines = types.map((type) => `Content-Type: ${type}\r\n`).join("");
    const bytes = `${head(8).replace(/Content-Type.*\r\n/i, "")}${lines}Connection: close\r\n\r\n{"id":1}`;
    const answer = parseAnswer(await rawExchange(running.port, bytes));
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(JSON.parse(answer.body)).toMatchObject({
        code: -4,
        cause: "Content-Type must be application/json",
      });
  });

  test("a chunked body above the limit is not read completely", async () => {
    await using running = await serveWith(
      adapter,
      createServer(shopHandlers, { limits: { bodyMaxBytes: 1_000 } }),
    );
    const socket = await open(running.port);
    socket.write(`${head("").replace(/Content-Length.*\r\n/, "")}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(`800\r\n${"x".repeat(2_048)}\r\n`);
    const answer = parseAnswer(await readAll(socket));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: -4,
      status: 413,
      cause: "the body is larger than 1000 bytes",
    });
  });
});

describe("invalid HTTP and request smuggling", () => {
  const rows: readonly (readonly [fact: string, bytes: string, status?: number])[] = [
    ["two lengths", `${head(8)}Content-Length: 9\r\n\r\n{"id":1}`],
    ["a length and chunks", `${head(8)}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a length with a sign", `${head("+8")}\r\n{"id":1}`],
    ["a negative length", `${head("-8")}\r\n{"id":1}`],
    ["a hexadecimal length", `${head("0x8")}\r\n{"id":1}`],
    [
      "chunks by another name",
      `${head("").replace(/Content-Length.*\r\n/, "")}Transfer-Encoding: xchunked\r\n\r\n`,
    ],
    ["a blank before the colon", `${head(8).replace("Host:", "Host :")}\r\n{"id":1}`],
    ["a folded header", `${head(8)}X-A: b\r\n c\r\n\r\n{"id":1}`],
    ["a bare line feed", `${head(8)}X-A: b\nX-B: c\r\n\r\n{"id":1}`],
    ["NUL in a header", `${head(8)}X-A: b\0\r\n\r\n{"id":1}`],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
    ["headers past the limit", `${head(8)}X-A: ${"b".repeat(20_000)}\r\n\r\n{"id":1}`, 431],
    [
      "a bad chunk",
      `${head("").replace(/Content-Length.*\r\n/, "")}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ];

  test.each(rows.map((row) => [row[0], row] as const))(
    "%s: WebrpcBadRequest, and the connection is closed",
    async (_fact, [, bytes, status = 400]) => {
      const server = createServer(shopHandlers);
      const http = createHttpServer(nodeListener(server)).on("clientError", clientErrorListener(server));
      await using running = await listen(http);
      const answer = parseAnswer(await rawExchange(running.port, bytes));
      expect(answer.status).toBe(status);
      expect(answer.headers["connection"]).toBe("close");
      expect(answer.headers["webrpc"]).toMatch(/^webrpc@/);
      expect(JSON.parse(answer.body)).toMatchObject({ error: "WebrpcBadRequest", code: -4, status });
    },
  );

  test("a body that is never sent times out", async () => {
    const server = createServer(shopHandlers);
    const http = createHttpServer(
      { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 },
      nodeListener(server),
    );
    http.on("clientError", clientErrorListener(server));
    await using running = await listen(http);
    expect(parseAnswer(await rawExchange(running.port, `${head(8)}\r\n{"id"`)).status).toBe(400);
  });
});

function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.on("error", () => {});
  });
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      text += part;
    });
    socket.on("close", () => resolve(text));
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 3_000) throw new Error("it did not happen within half a minute");
    await sleep(10);
  }
}
