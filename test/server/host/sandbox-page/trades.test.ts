/** When the sandbox trades, and what it shows of it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Trades } from "../../../../server/host/sandbox-page/live.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"], now: 0 }));
afterEach(() => void vi.useRealTimers());

test("trades at once while a page watches, and then when the time has passed", async () => {
  const makeTrade = vi.fn(async () => "Ada listed token 1 for 40 USD.");
  const trades = new Trades({ makeTrade, everySeconds: 10 });
  expect(trades.shown()).toEqual({ everySeconds: 10, last: null });
  const beats = async (): Promise<number> => {
    trades.beat();
    await new Promise(setImmediate);
    return makeTrade.mock.calls.length;
  };
  expect(await beats()).toBe(1);
  expect(trades.shown().last).toEqual({
    at: "1970-01-01T00:00:00.000Z",
    text: "Ada listed token 1 for 40 USD.",
    isFault: false,
  });
  vi.advanceTimersByTime(9_999);
  expect(await beats()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await beats()).toBe(2);
  vi.advanceTimersByTime(1);
  expect(await beats()).toBe(2);
});

test("waits as long after a trade that was asked for", async () => {
  const makeTrade = vi.fn(async () => "");
  const trades = new Trades({ makeTrade, everySeconds: 10 });
  await trades.make();
  trades.beat();
  expect(makeTrade).toHaveBeenCalledTimes(1);
});

test("trades only when asked if it has no interval", async () => {
  const makeTrade = vi.fn(async () => "Eve sold token 2.");
  const trades = new Trades({ makeTrade, everySeconds: null });
  trades.beat();
  vi.advanceTimersByTime(1_000_000);
  trades.beat();
  expect(makeTrade).not.toHaveBeenCalled();
  expect(await trades.make()).toBe("Eve sold token 2.");
});

test("makes one trade at a time, also after a failure", async () => {
  const results = [Promise.reject(new Error("no")), Promise.resolve("yes")];
  const makeTrade = vi.fn(() => results.shift() as Promise<string>);
  const trades = new Trades({ makeTrade, everySeconds: 10 });
  const [first, second] = await Promise.allSettled([trades.make(), trades.make()]);
  expect([first.status, second.status]).toEqual(["rejected", "rejected"]);
  expect(makeTrade).toHaveBeenCalledTimes(1);
  expect(trades.shown().last).toMatchObject({ isFault: true });
  expect(await trades.make()).toBe("yes");
  expect(trades.shown().last).toMatchObject({ text: "yes", isFault: false });
});
