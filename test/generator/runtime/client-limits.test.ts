import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Call, Client } from "../../../generator/runtime/src/client.ts";
import { retries } from "../../../generator/runtime/src/client.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { sendBefore } from "../../../generator/runtime/src/exchange.ts";
import type { Reply } from "../../../generator/runtime/src/reply.ts";
import { getOrders, ping } from "../../fixtures/market/generated/client.ts";
import { watch } from "../../fixtures/wire/generated/client.ts";
import { errorOfStream } from "../../support/stream-error.ts";
import { stubTransport } from "../../support/stub-transport.ts";

describe("retries share one timeout", () => {
  // Half of 200, 400 and 800 ms, the random part of each wait.
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Returns the timeouts of the attempts. Each fails immediately. */
  async function timeoutsOf(timeoutMs: number, most: number): Promise<number[]> {
    const seen: number[] = [];
    const lost = new RpcError({ code: -1, name: "", message: "", status: 0, cause: "" });
    const method = { ...getOrders.info, idempotent: true };
    const call: Call = { client: { url: "" }, method, req: {}, timeoutMs };
    const ended = retries(most)(call, async (tried) => {
      seen.push(tried.timeoutMs);
      throw lost;
    }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await ended).toBe(lost);
    return seen;
  }

  test.each([
    ["whose first wait would end past it", 99, [99]],
    ["whose first wait would end with it", 100, [100]],
    ["whose first wait ends before it", 101, [101, 1]],
    ["whose second wait would end with it", 300, [300, 200]],
    ["whose second wait ends before it", 301, [301, 201, 1]],
    ["of none", 0, [0, 0, 0, 0]],
  ])("%s: %i ms", async (_, timeoutMs, seen) => {
    expect(await timeoutsOf(timeoutMs, 3)).toEqual(seen);
  });

  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])("%i tries more are %i", async (most, count) => {
    expect(await timeoutsOf(0, most)).toHaveLength(count);
  });
});

test.each([
  [0, false],
  [1, true],
  [2 ** 31 - 1, true],
  [2 ** 31, false],
  [2 ** 31 + 1, false],
])("a timeout of %i ms is within the range of timers: %j", async (timeoutMs, isTimed) => {
  let signal: AbortSignal | null | undefined;
  const transport: Client["transport"] = async (_url, init) => {
    ({ signal } = init);
    return { status: 200, headers: new Headers(), text: async () => "{}" };
  };
  await ping({ url: "", transport, timeoutMs });
  expect(signal !== null).toBe(isTimed);
});

describe("the deadline of a handler", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([
    [999, "its own answer", []],
    [1_000, "the deadline", ["body"]],
    [1_001, "the deadline", ["body"]],
  ])("of 1,000 ms: after %i ms %s is sent, and dropped are %j", (ms, sent, dropped) => {
    const left: string[] = [];
    const own = { outgoing: { cancel: () => void left.push("body") } } as unknown as Reply;
    const expired = {} as Reply;
    const seen: Reply[] = [];
    const send = sendBefore(
      1_000,
      (reply) => void seen.push(reply),
      () => expired,
    );
    vi.advanceTimersByTime(ms);
    send(own);
    vi.runAllTimers();
    expect(seen).toEqual([sent === "the deadline" ? expired : own]);
    expect(left).toEqual(dropped);
  });
});

describe("the longest item of a stream", () => {
  const empty = '{"sequence":1,"amount":"1","note":""}';
  const item = (length: number): string => empty.replace('""', `"${"x".repeat(length - empty.length)}"`);

  test.each([
    ["at once", (line: string) => [`${line}\n`]],
    ["before its line break", (line: string) => [line, "\n"]],
    ["in halves", (line: string) => [line.slice(0, 500), `${line.slice(500)}\n`]],
    ["behind another one", (line: string) => [`${item(100)}\n${line}\n`]],
  ])("of 1,000 is read if it comes %s", async (_, chunksOf) => {
    const outcomes = [999, 1_000, 1_001].map(async (length) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunksOf(item(length))) controller.enqueue(Buffer.from(chunk));
          controller.enqueue(Buffer.from('{"webrpcError":{"error":"End","code":7,"msg":"end"}}\n'));
          controller.close();
        },
      });
      const transport = stubTransport(async () => ({ status: 200, body }));
      const options = { itemMaxLength: 1_000, reconnect: false };
      const stream = watch({ url: "http://memory", transport }, { feed: "", from: 0, count: 0 }, options);
      return await errorOfStream(stream);
    });
    expect(await Promise.all(outcomes)).toMatchObject([{ code: 7 }, { code: 7 }, { code: -5 }]);
  });
});
