import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nodeLimits } from "../../../../server/chain/rpc/node-limits.ts";
import { ChainCheck } from "../../../../server/chain/rpc/nodes/client.ts";
import { ErrorResponse, NodeRpcError } from "../../../../server/chain/rpc/nodes/faults.ts";
import { detailOfBody, openJsonRpc, readBytes } from "../../../../server/chain/rpc/nodes/json-rpc.ts";

describe("the bytes of a response", () => {
  /** A body in two chunks, with or without `content-length`. */
  function responseOf(bytes: number, isAnnounced: boolean): Response {
    const half = bytes >> 1;
    const body = new ReadableStream({
      start(controller) {
        for (const length of [half, bytes - half]) controller.enqueue(new Uint8Array(length));
        controller.close();
      },
    });
    return new Response(body, { headers: isAnnounced ? { "content-length": String(bytes) } : {} });
  }

  test.each([
    [1_048_575, 1_048_575],
    [1_048_576, 1_048_576],
    [1_048_577, undefined],
  ])("are read up to 1 MiB: of %i, %s", async (bytes, read) => {
    for (const isAnnounced of [true, false]) {
      const { signal } = new AbortController();
      const found = await readBytes(
        responseOf(bytes, isAnnounced),
        nodeLimits.calls.maxResponseBytes,
        signal,
      );
      expect(found?.length).toBe(read);
    }
  });

  test.each([
    [299, 299],
    [300, 300],
    [301, 300],
  ])("of a failure message of %i characters %i are stored", (length, kept) => {
    expect(detailOfBody("x".repeat(length))).toHaveLength(kept);
  });
});

const nginx = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>`;

describe("the message of a failed response", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const error = (code: number, message: string): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });

  test.each([
    [429, nginx("429 Too Many Requests"), "HTTP 429: Too Many Requests nginx"],
    [429, "429 Too Many Requests", "HTTP 429: Too Many Requests"],
    [429, "HTTP error 429: slow down", "HTTP 429: slow down"],
    [429, "429", "HTTP 429: 429"],
    [429, "", "HTTP 429: it is empty"],
    [502, "<title>502 Bad Gateway</title>", "HTTP 502: Bad Gateway"],
    [429, "4290 requests", "HTTP 429: 4290 requests"],
    [429, "limit of 429 requests", "HTTP 429: limit of 429 requests"],
    [429, error(429, "429 Too Many Requests"), "HTTP 429: Too Many Requests"],
    [429, error(-32_005, "daily limit"), "HTTP 429, error -32005: daily limit"],
    [200, error(429, "429: compute units exceeded"), "error 429: compute units exceeded"],
    [200, error(-32_000, "header not found"), "error -32000: header not found"],
  ])("HTTP %i with %j: %s", async (status, body, message) => {
    vi.stubGlobal("fetch", async () => new Response(body, { status }));
    const send = openJsonRpc({
      url: "http://node.example/",
      responseTimeoutMs: 10_000,
      maxResponseBytes: 1_000,
    });
    const failure = send({ id: 1, method: "eth_blockNumber", params: [] }).then((responseTo) => {
      throw responseTo(1);
    });
    await expect(failure).rejects.toHaveProperty("message", `http://node.example/: ${message}`);
  });
});

describe("the chain check of a node", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    [9_999, 1],
    [10_000, 2],
    [10_001, 2],
  ])("happens every ten seconds: %i ms after the first check, %i checks were made", async (ms, times) => {
    const check = new ChainCheck({ chainId: 137 });
    let asked = 0;
    const ensure = (): void => {
      if (!check.isDue) return;
      asked++;
      check.start()({ result: "0x89" });
    };
    ensure();
    vi.advanceTimersByTime(ms);
    ensure();
    expect(asked).toBe(times);
  });

  test.each([
    ["0x89", undefined],
    ["0x0089", undefined],
    ["0x88", "it is a node of chain 136, not of 137"],
    ["0x8a", "it is a node of chain 138, not of 137"],
    ["0xfffffffffffff", "it is a node of chain 4503599627370495, not of 137"],
    ["0x", "it does not report its chain id"],
    [`0x${"0".repeat(14)}`, "it does not report its chain id"],
    [137, "it does not report its chain id"],
  ])("of the response %j: %s", (result, fault) => {
    const read = new ChainCheck({ chainId: 137 }).start();
    if (fault === undefined) expect(() => read({ result })).not.toThrow();
    else expect(() => read({ result })).toThrow(fault);
  });

  test("of before a failure does not count", () => {
    const check = new ChainCheck({ chainId: 137 });
    const read = check.start();
    check.invalidate();
    read({ result: "0x89" });
    expect(check.isDue).toBe(true);
  });

  test("rejected by the node is no response to the requests that were sent with it", () => {
    const error = new NodeRpcError({
      code: 3,
      detail: "execution reverted",
      data: undefined,
      status: 200,
      node: "http://node.example/",
      refusal: undefined,
    });
    expect(() => new ChainCheck({ chainId: 137 }).start()(error)).toThrow(ErrorResponse);
  });
});

describe("credentials in the URL of a node are sent in a header", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    ["http://node.example/", undefined],
    ["http://user@node.example/", "user:"],
    ["http://:password@node.example/", ":password"],
    ["http://user:password@node.example/", "user:password"],
    ["http://us%3Aer:p%40ss@node.example/", "us:er:p@ss"],
  ])("%s: %s", async (url, user) => {
    const fetched = vi.fn(async () => Response.json({ jsonrpc: "2.0", id: 1, result: "0x1" }));
    vi.stubGlobal("fetch", fetched);
    const ask = openJsonRpc({ url, responseTimeoutMs: 10_000, maxResponseBytes: 1_000 });
    const answerOf = await ask({ id: 1, method: "eth_blockNumber", params: [] });
    expect(answerOf(1)).toEqual({ result: "0x1" });
    const authorization = user && `Basic ${Buffer.from(user).toString("base64")}`;
    expect(fetched).toHaveBeenCalledExactlyOnceWith(
      "http://node.example/",
      expect.objectContaining({
        headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      }),
    );
  });
});

describe("the status of a response", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    [200, undefined],
    [299, undefined],
    [300, "HTTP 300"],
  ])("%i: failure %s", async (status, failure) => {
    vi.stubGlobal("fetch", async () => Response.json({ jsonrpc: "2.0", id: 1, result: "0x1" }, { status }));
    const ask = openJsonRpc({
      url: "http://node.example/",
      responseTimeoutMs: 10_000,
      maxResponseBytes: 1_000,
    });
    const asked = ask({ id: 1, method: "eth_blockNumber", params: [] });
    if (failure !== undefined) await expect(asked).rejects.toThrow(failure);
    else expect((await asked)(1)).toEqual({ result: "0x1" });
  });
});

describe("a single call", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const revert = { code: 3, message: "execution reverted", data: "0x" };

  test.each([
    ["a revert with its id", { id: 1, error: revert }, NodeRpcError],
    ["a revert without an id, which may be of another request", { error: revert }, ErrorResponse],
    ["a revert with the id null", { id: null, error: revert }, ErrorResponse],
    ["a result with its id", { id: 1, result: "0x1" }, "0x1"],
    ["a result without an id", { result: "0x1" }, "0x1"],
    ["a result with the id null", { id: null, result: "0x1" }, "0x1"],
  ])("has for a response: %s", async (_what, body, expected) => {
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ jsonrpc: "2.0", ...body })));
    const ask = openJsonRpc({
      url: "http://127.0.0.1:1/",
      responseTimeoutMs: 1_000,
      maxResponseBytes: 1_000,
    });
    const reply = await ask({ id: 1, method: "eth_call", params: [] }).then(
      (responseTo) => responseTo(1),
      (err: unknown) => err,
    );
    if (typeof expected === "string") expect(reply).toEqual({ result: expected });
    else expect((reply as Error).constructor).toBe(expected);
  });
});
