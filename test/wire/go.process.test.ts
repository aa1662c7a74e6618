/** Interop with programs of gen-golang in both directions: extreme values of every type, errors and streams. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RpcError } from "../../generator/runtime/src/errors.ts";
import { parseInt64Json, printInt64Json } from "../../generator/runtime/src/json.ts";
import { readKnownDifferences, type WireDifference } from "../conformance/cases.ts";
import * as asNumber from "../fixtures/wire/generated/client.ts";
import { BrokenError, DeclinedError, NoSuchFeedError } from "../fixtures/wire/generated/errors.ts";
import { createServer as serverWithNumbers } from "../fixtures/wire/generated/server.ts";
import type { Charge, Payment } from "../fixtures/wire/generated/types.ts";
import * as asBigint from "../fixtures/wire/generated-bigint/client.ts";
import { createServer as serverWithBigints } from "../fixtures/wire/generated-bigint/server.ts";
import { adapterNames, serveWith } from "../support/adapters.ts";
import { type Echo, echoOnce } from "../support/echo-extremes.ts";
import { type Extreme, type ExtremesFile, extremes } from "../support/extremes.ts";
import { amountOf, echoHandlers, watched, wireHandlers } from "../support/feed.ts";
import { isGoBuilt, startGoClient, startGoServer } from "../support/go-peer.ts";

const file = JSON.parse(readFileSync(new URL("extremes.json", import.meta.url), "utf8")) as ExtremesFile;
const known = new Map<string, string>(readKnownDifferences().map(({ name, kind }) => [name, kind]));
const at = "2024-02-29T12:00:00.123456789Z";

const forms = {
  number: { echo: asNumber.echo as Echo, server: serverWithNumbers(echoHandlers, { checkResponses: true }) },
  bigint: { echo: asBigint.echo as Echo, server: serverWithBigints(echoHandlers, { checkResponses: true }) },
} as const;

const nils = { counts: null, named: null, bytes: null, amounts: { a: null }, sides: null, texts: null };
const empties = { counts: [], named: {}, bytes: "", amounts: { a: [] }, sides: {}, texts: [] };

/** The base of the rows, with Go's zero values. */
const withNils = JSON.stringify({
  ...Object.fromEntries(Object.entries(file.base).map(([name, text]) => [name, JSON.parse(text)])),
  ...nils,
});

/** Payments, whose method is a group of fields. */
const payments: readonly Payment[] = [
  { amount: 1, card: { number: "4242" } },
  { amount: 2, iban: "DE1" },
  { amount: 3, side: "buy" },
  { amount: 4, parts: [] },
  {
    amount: 5,
    parts: [
      { amount: 6, iban: "" },
      { amount: 7, side: "sell" },
    ],
  },
];

test("each known difference from Go belongs to a row", () => {
  const names = extremes(file, "bigint").map(({ name }) => name);
  const listed = [...known].filter(([, kind]) => kind.startsWith("go-")).map(([name]) => name);
  expect(listed.filter((name) => !names.includes(name))).toEqual([]);
  expect(listed.length).toBeGreaterThan(0);
});

const charges: readonly Charge[] = [
  { level: "open" },
  { level: "capped", limit: 5 },
  { level: "capped", limit: 0, until_time: at },
  { level: "dated", until_time: at },
];

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

describe.runIf(isGoBuilt)("a server of gen-golang", () => {
  test("handles every body like our server, except for known differences", async () => {
    await using go = await startGoServer();
    const rows = extremes(file, "bigint");
    const seen = await Promise.all(
      rows.map(async (row) => [row.name, await difference(row, go.url)] as const),
    );
    expect(Object.fromEntries(seen.filter(([, kind]) => kind !== undefined))).toEqual(knownOf(rows));
  });

  test.each(["number", "bigint"] as const)("echoes what our client sends, int64 as %s", async (form) => {
    await using go = await startGoServer();
    const rows = extremes(file, form).filter(({ answer }) => answer !== undefined);
    const differing: string[] = [];
    for (const { name, answer = "" } of rows) {
      const { value, returned } = await echoOnce(forms[form].echo, { url: go.url }, answer);
      if (canonical(returned) !== canonical(value)) differing.push(name);
    }
    expect(differing).toEqual(lostOf(rows, form));
  });

  test.each(["number", "bigint"] as const)(
    "writes nil lists, maps and bytes as null, which our client reads as empty, int64 as %s",
    async (form) => {
      await using go = await startGoServer();
      const response = await fetch(`${go.url}/api/v2/Wire/Echo`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: withNils,
      });
      expect(await response.json()).toMatchObject(nils);
      expect(await forms[form].echo({ url: go.url }, parseInt64Json(withNils) as never)).toMatchObject(
        empties,
      );
    },
  );

  test("echoes groups of fields, which our client reads as unions, and errors without their data", async () => {
    await using go = await startGoServer();
    for (const pay of [asNumber.pay, asBigint.pay]) {
      for (const payment of payments) expect(await pay({ url: go.url }, payment)).toStrictEqual(payment);
      const [none] = [{ amount: 8 }] as unknown as typeof payments;
      expect(await pay({ url: go.url }, none as Payment)).toStrictEqual(none);
    }
    const { error } = await asNumber.result(asNumber.pay({ url: go.url }, { amount: 1_001, iban: "DE1" }));
    expect(error).toBeInstanceOf(DeclinedError);
    expect(error).toMatchObject({ code: 102, status: 402, data: undefined });
  });

  test("reads and writes fields of kinds", async () => {
    await using go = await startGoServer();
    for (const charge of charges) expect(await asNumber.choose({ url: go.url }, charge)).toEqual(charge);
  });

  test("streams items, errors and megabytes to our client", async () => {
    await using go = await startGoServer();
    const items: unknown[] = [];
    const query = { feed: "plain", from: 2n ** 63n, count: 300n };
    for await (const item of asBigint.watch({ url: go.url }, query)) items.push(item);
    expect(items.length).toBe(300);
    expect(items[299]).toEqual({ sequence: 2n ** 63n + 299n, amount: 2n ** 64n + 2n ** 63n + 299n, at });
    const none = await failureOf(asNumber.watch({ url: go.url }, { feed: "none", from: 0, count: 1 }));
    expect(none.error).toBeInstanceOf(NoSuchFeedError);
    expect(none).toMatchObject({ items: 0, error: { code: 100, status: 404, cause: "try another" } });
    const broken = await failureOf(asNumber.watch({ url: go.url }, { feed: "broken", from: 5, count: 9 }));
    expect(broken.error).toBeInstanceOf(BrokenError);
    expect(broken).toMatchObject({ items: 2, error: { code: 101, status: 502 } });
    const lengths: number[] = [];
    for await (const { line } of asNumber.tail({ url: go.url }, { lines: 3 })) lengths.push(line.length);
    expect(lengths).toEqual([1_000_000, 1_000_000, 1_000_000]);
  });
});

describe.runIf(isGoBuilt).each(adapterNames)("a client of gen-golang and our server, over %s", (adapter) => {
  test.each(["number", "bigint"] as const)("echoes every body, int64 as %s", async (form) => {
    await using running = await serveWith(adapter, forms[form].server);
    await using client = startGoClient(running.url);
    const rows = extremes(file, form).filter(({ answer }) => answer !== undefined);
    const differing: string[] = [];
    for (const { name, answer = "" } of rows) {
      const outcome = parseInt64Json(await client.call(`{"echo":${answer}}`)) as {
        readonly answer?: unknown;
      };
      if (canonical(outcome.answer) !== canonical(parseInt64Json(answer))) differing.push(name);
    }
    expect(differing).toEqual(lostOf(rows, form));
  });

  test.each(["number", "bigint"] as const)(
    "sends nil lists, maps and bytes as null, which we read as empty, int64 as %s",
    async (form) => {
      await using running = await serveWith(adapter, forms[form].server);
      await using client = startGoClient(running.url);
      const outcome = JSON.parse(await client.call(`{"echo":${withNils}}`)) as { readonly answer?: unknown };
      expect(outcome.answer).toMatchObject(empties);
    },
  );

  test("writes and reads groups of fields, and ignores the data of errors", async () => {
    await using running = await serveWith(adapter, serverWithNumbers(echoHandlers, { checkResponses: true }));
    await using client = startGoClient(running.url);
    const call = async (payment: object): Promise<unknown> =>
      JSON.parse(await client.call(JSON.stringify({ pay: payment })));
    for (const payment of payments)
      expect(await call(payment)).toEqual({ answer: JSON.parse(JSON.stringify(payment), nullsOfGo) });
    expect(await call({ amount: 1_001, iban: "DE1" })).toEqual({
      answer: null,
      error: { error: "Declined", code: 102, msg: "declined", status: 402 },
    });
    const response = await asNumber.result(asNumber.pay({ url: running.url }, { amount: 1_001, iban: "" }));
    expect(response.error).toMatchObject({ code: 102, data: { left: 1_000, side: "sell" } });
    for (const invalid of [{ amount: 8 }, { amount: 9, iban: "DE1", side: "buy" }])
      expect(await call(invalid)).toMatchObject({ error: { code: -4, status: 400 } });
  });

  test("reads and writes fields of kinds", async () => {
    await using running = await serveWith(adapter, forms.number.server);
    await using client = startGoClient(running.url);
    for (const charge of charges) {
      const { answer } = JSON.parse(await client.call(JSON.stringify({ choose: charge })));
      expect(withoutNulls(answer)).toEqual(charge);
    }
    expect(JSON.parse(await client.call('{"choose":{"level":"open","limit":5}}'))).toMatchObject({
      error: { error: "WebrpcBadRequest", cause: expect.stringContaining('because "level" is "open"') },
    });
  });

  test("reads items, errors and megabytes", async () => {
    await using running = await serveWith(adapter, serverWithNumbers(wireHandlers(watched())));
    await using client = startGoClient(running.url);
    const call = async (text: string): Promise<unknown> => parseInt64Json(await client.call(text));
    const { items } = (await call('{"watch":{"feed":"plain","from":7,"count":300}}')) as { items: unknown[] };
    expect(items.length).toBe(300);
    expect(items[299]).toEqual({ sequence: 306, amount: String(amountOf(306)), at });
    expect(await call('{"watch":{"feed":"none","from":0,"count":1}}')).toEqual({
      error: { error: "NoSuchFeed", code: 100, msg: "no such feed", cause: "try another", status: 404 },
    });
    expect(await call('{"watch":{"feed":"broken","from":0,"count":9}}')).toMatchObject({
      items: [{ sequence: 0 }, { sequence: 1 }],
      error: { error: "Broken", code: 101, status: 502 },
    });
    const line = { at: "2024-02-29T12:00:00Z", length: 1_000_000 };
    expect(await call('{"tail":3}')).toEqual({ items: [line, line, line] });
  });
});

function knownOf(rows: readonly Extreme[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rows.flatMap(({ name }) => {
      const kind = known.get(name);
      return kind === undefined ? [] : [[name, kind] as const];
    }),
  );
}

/** Rows that Go changes. */
function lostOf(rows: readonly Extreme[], form: keyof typeof forms): readonly string[] {
  const names = rows.map(({ name }) => name).filter((name) => known.get(name) === "go-loses");
  // As a number, it has lost its digits before Go receives it.
  return names.filter((name) => form === "bigint" || name !== "anything-a-long-integer-for-anything");
}

/** Describes how Go's server handles a body differently from ours. Undefined if it does not. */
async function difference({ sent, answer }: Extreme, url: string): Promise<WireDifference | undefined> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${url}/api/v2/Wire/Echo`, { method: "POST", headers, body: sent });
  const value = parseInt64Json(await response.text());
  if (response.status !== 200) {
    expect(value).toMatchObject({ error: "WebrpcBadRequest", code: -4, status: 400 });
    return answer === undefined ? undefined : "go-strict";
  }
  if (answer === undefined) return "go-lenient";
  if (canonical(value) === canonical(parseInt64Json(answer))) return undefined;
  // Go keeps values as sent, while our server converts them to one form.
  return canonical(value) === canonical(parseInt64Json(sent)) ? "go-form" : "go-loses";
}

/** Go writes null for absent members of a payment. */
function nullsOfGo(_key: string, value: unknown): unknown {
  const isPayment = typeof value === "object" && value !== null && "amount" in value;
  return isPayment ? { card: null, iban: null, side: null, parts: null, ...value } : value;
}

const optional: ReadonlySet<string> = new Set(["maybeText", "maybeBig", "maybeAt", "maybePoint", "next"]);

/** Converts a value to text, regardless of field order. Go writes null for an absent optional field. */
function canonical(value: unknown): string {
  return printInt64Json(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, part]) => part !== null || !optional.has(key));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]),
  );
}

async function failureOf(
  stream: AsyncIterable<unknown>,
): Promise<{ readonly items: number; readonly error?: RpcError }> {
  let items = 0;
  try {
    for await (const _item of stream) items++;
  } catch (error) {
    return { items, error: error as RpcError };
  }
  return { items };
}
