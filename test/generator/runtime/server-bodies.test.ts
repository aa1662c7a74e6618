/** Watches bodies while they arrive, over every adapter, on real sockets. */
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { ArrivingBody } from "../../../generator/runtime/src/options.ts";
import { createServer as createFileServer, type Handlers } from "../../fixtures/files/generated/server.ts";
import { createServer, rpcError } from "../../fixtures/shop/generated/server.ts";
import { adapterNames, serveWith } from "../../support/adapters.ts";
import { parseAnswer } from "../../support/raw-http.ts";
import { shopHandlers, shopWith } from "./shop.ts";

/** Stores each watched body. */
function watcher(onBytes: (body: ArrivingBody, bytes: number) => void = () => {}) {
  const seen: { hasFiles: boolean; bytes: number; ends: number; refuse: ArrivingBody["refuse"] }[] = [];
  return {
    seen,
    watchBody: (body: ArrivingBody) => {
      const entry = { hasFiles: body.hasFiles, bytes: 0, ends: 0, refuse: body.refuse };
      seen.push(entry);
      return {
        arrived: (bytes: number) => {
          entry.bytes += bytes;
          onBytes(body, entry.bytes);
        },
        ended: () => void entry.ends++,
      };
    },
  };
}

const head = (path: string, length: number, type = "application/json"): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const item = "/v2/rpc/Shop/GetItem";

describe.each(adapterNames)("watched bodies, over %s", (adapter) => {
  test("are counted byte by byte and end once, even if they are cut off", async () => {
    const { seen, watchBody } = watcher();
    await using running = await serveWith(adapter, createServer(shopHandlers, { watchBody }));
    const whole = await open(running.port);
    whole.write(`${head(item, 8)}{"id":1}`);
    expect(parseAnswer(await nextAnswer(whole))).toMatchObject({ status: 200 });
    const broken = await open(running.port);
    broken.write(`${head(item, 8)}{"id`);
    await expect.poll(() => seen[1]?.bytes).toBe(4);
    broken.destroy();
    await expect
      .poll(() => seen.map(({ bytes, ends, hasFiles }) => ({ bytes, ends, hasFiles })))
      .toEqual([
        { bytes: 8, ends: 1, hasFiles: false },
        { bytes: 4, ends: 1, hasFiles: false },
      ]);
    whole.destroy();
  });

  test("can be rejected with a reason while they arrive; no handler runs", async () => {
    let handled = 0;
    const counting = shopWith(() => {
      handled++;
      return { item: { id: 1, name: "pen" } };
    });
    const { seen, watchBody } = watcher((body, bytes) => bytes === 4 && body.refuse("too slow"));
    await using running = await serveWith(adapter, createServer(counting, { watchBody }));
    const socket = await open(running.port);
    socket.write(`${head(item, 8)}{"id`);
    const answer = parseAnswer(await nextAnswer(socket));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: -4, cause: "too slow" });
    socket.write('":1}');
    expect(seen).toMatchObject([{ ends: 1 }]);
    expect(handled).toBe(0);
    socket.destroy();
  });

  test("can be rejected with an error of the schema while stalled", async () => {
    const { seen, watchBody } = watcher();
    await using running = await serveWith(adapter, createServer(shopHandlers, { watchBody }));
    const socket = await open(running.port);
    socket.write(`${head(item, 8)}{"id`);
    await expect.poll(() => seen[0]?.bytes).toBe(4);
    seen[0]?.refuse(rpcError.SoldOut({ headers: { "Retry-After": "1" } }));
    const answer = parseAnswer(await nextAnswer(socket));
    expect(JSON.parse(answer.body)).toMatchObject({ error: "SoldOut" });
    expect(answer.headers["retry-after"]).toBe("1");
    await expect.poll(() => seen[0]?.ends).toBe(1);
    socket.destroy();
  });

  test("of forms can be rejected while stalled", async () => {
    const { seen, watchBody } = watcher();
    const handlers = new Proxy({}, { get: () => new Proxy({}, { get: () => () => ({}) }) }) as Handlers;
    await using running = await serveWith(adapter, createFileServer(handlers, { watchBody }));
    const socket = await open(running.port);
    socket.write(`${head("/rpc/Depot/Store", 1_000, "multipart/form-data; boundary=x")}--x\r\n`);
    await expect.poll(() => seen[0]).toMatchObject({ bytes: 5, hasFiles: true });
    seen[0]?.refuse("too slow");
    expect(JSON.parse(parseAnswer(await nextAnswer(socket)).body)).toMatchObject({
      code: -4,
      cause: "too slow",
    });
    expect(seen[0]?.ends).toBe(1);
    socket.destroy();
  });
});

function open(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.setEncoding("utf8").on("error", () => {});
  });
}

/** Waits for the complete response. */
function nextAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (part: string) => {
      text += part;
      const { body, headers } = parseAnswer(text);
      if (headers["content-length"] !== undefined && body.length >= Number(headers["content-length"]))
        resolve(text);
      else if (headers["transfer-encoding"] !== undefined && text.endsWith("0\r\n\r\n")) {
        resolve(text.replace(/\r\n\r\n[0-9a-f]+\r\n/, "\r\n\r\n").replace(/\r\n0\r\n\r\n$/, ""));
      }
    });
    socket.on("close", () => resolve(text));
  });
}
