/** Structs with groups of fields, as callers and handlers write them, on the way from one to the other. */
import { describe, expect, test } from "vitest";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import { book, pay, prove, search, watch } from "../../fixtures/groups/generated/client.ts";
import { createServer, type Handlers } from "../../fixtures/groups/generated/server.ts";
import type { Filter, Payment, PaymentInput } from "../../fixtures/groups/generated/types.ts";
import { pay as payExactly } from "../../fixtures/groups/generated-bigint/client.ts";
import { createServer as createExactServer } from "../../fixtures/groups/generated-bigint/server.ts";

const handlers: Handlers = {
  Bank: {
    Pay: (_ctx, payment) => ({ ...payment, tags: payment.tags ?? null }) as Payment,
    Book: (_ctx, { ledger }) => ({ ledger: ledger as Record<string, Payment[]> }),
    Watch: async function* (_ctx, { payment }) {
      yield { payment: payment as Payment };
    },
    Prove: (_ctx, { picture, ...proof }) =>
      proof.note === undefined
        ? { text: proof.scan.kind }
        : { ids: [picture.size], limit: proof.note.length },
    Search: (_ctx, filter) => filter,
  },
};

function clientOf(server: ReturnType<typeof createServer>) {
  return { url: "http://memory", transport: memoryTransport(fetchHandler(server)) };
}

const client = clientOf(createServer(handlers, { checkResponses: true }));
const at = new Date("2026-01-31T12:00:00Z");

test("a union narrows by its fields", () => {
  const describe = (payment: Payment): string => {
    if (payment.card !== undefined)
      return `card ${payment.card.number}, not ${payment.iban satisfies undefined}`;
    if (payment.iban) return `account ${payment.iban}`;
    return `${payment.parts?.length} parts at ${payment.at ? payment.at.toISOString() : payment.due_block}`;
  };
  const amounts = { amount: 5, tags: null };
  expect(describe({ ...amounts, card: { number: "1", kind: "debit" }, at })).toBe("card 1, not undefined");
  expect(describe({ ...amounts, iban: "DE1", due_block: 7 })).toBe("account DE1");
  expect(describe({ ...amounts, parts: [], due_block: 7 })).toBe("0 parts at 7");
});

test("none or two fields of a group do not compile", () => {
  const wrong: readonly PaymentInput[] = [
    // @ts-expect-error: no method
    { amount: 1, at },
    // @ts-expect-error: no date
    { amount: 1, iban: "DE1" },
    // @ts-expect-error: two methods
    { amount: 1, iban: "DE1", parts: [], at },
    // @ts-expect-error: two dates
    { amount: 1, iban: "DE1", at, due_block: 1 },
  ];
  expect(wrong).toHaveLength(4);
});

describe("values arrive as they were sent", () => {
  test("with defaults, dates and nested groups", async () => {
    const parts: PaymentInput[] = [
      { amount: 2, iban: "DE1", at },
      { amount: 3, card: { number: "4242" }, due_block: 9, tags: ["a"] },
    ];
    expect(await pay(client, { amount: 5, parts, at })).toEqual({
      amount: 5,
      tags: null,
      parts: [
        { amount: 2, iban: "DE1", at, tags: null },
        { amount: 3, card: { number: "4242", kind: "debit" }, due_block: 9, tags: ["a"] },
      ],
      at,
    });
  });

  test("undefined fields of a group are absent", async () => {
    const { card, ...payment } = await pay(client, { amount: 5, card: undefined, iban: "DE1", at });
    expect([card, payment]).toEqual([undefined, { amount: 5, iban: "DE1", at, tags: null }]);
  });

  test("64-bit integers keep their digits", async () => {
    const server = createExactServer({
      Bank: { ...handlers.Bank, Pay: (_ctx: unknown, payment: object) => payment } as never,
    });
    const big = 2n ** 63n;
    const paid = await payExactly(clientOf(server), { amount: 1n, iban: "DE1", due_block: big });
    expect(paid.due_block).toBe(big);
  });

  test("in maps of lists, streams, queries and forms", async () => {
    const payment = { amount: 5, iban: "DE1", at };
    expect(await book(client, { ledger: { a: [payment] } })).toEqual({
      ledger: { a: [{ ...payment, tags: null }] },
    });
    for await (const item of watch(client, { payment })) expect(item.payment.iban).toBe("DE1");
    expect(await search(client, { ids: [1, 2], limit: 3 })).toEqual({ ids: [1, 2], limit: 3 });
    const picture = new Blob(["12345"]);
    expect(await prove(client, { note: "abc", picture })).toEqual({ ids: [5], limit: 3 });
    expect(await prove(client, { scan: { number: "1" }, picture })).toEqual({ text: "debit" });
  });
});

test("null in a response means absent, because Go writes absent fields that way", async () => {
  const nulls = { card: null, iban: "DE1", parts: null, at: "2026-01-31T12:00:00Z", due_block: null };
  const body = JSON.stringify({ amount: 1, tags: null, ...nulls });
  const transport = async () => ({ status: 200, headers: { get: () => null }, text: async () => body });
  const paid = await pay({ url: "http://go", transport: transport as never }, { amount: 1, iban: "DE1", at });
  expect(paid).toEqual({ amount: 1, tags: null, iban: "DE1", at });
  expect(Object.keys(paid)).not.toContain("card");
  const exact = { url: "http://go", transport: transport as never };
  expect(await payExactly(exact, { amount: 1n, iban: "DE1", due_block: 1n })).toMatchObject({ iban: "DE1" });
});

describe("a server rejects", () => {
  const issuesOf = async (call: Promise<unknown>) => {
    const { issues = [] } = (await call.catch((err: unknown) => err)) as RpcError;
    return issues.map(({ path, message }) => `/${path.join("/")} ${message}`);
  };

  test("none and several", async () => {
    const card = { number: "4242" };
    const wrong = { amount: 1, card, iban: "DE1", parts: [] } as never;
    expect(await issuesOf(pay(client, wrong))).toEqual([
      '/iban expected nothing, because "card" is set, found text',
      '/parts expected nothing, because "card" is set, found a list',
      "/ expected one of at, due_block, found nothing",
    ]);
    expect(await issuesOf(search(client, { limit: 1 } as never))).toEqual([
      "/ expected one of text, ids, found nothing",
    ]);
    expect(await issuesOf(search(client, { text: "a", ids: [1] } as never))).toEqual([
      '/ids expected nothing, because "text" is set, found a list',
    ]);
    expect(await issuesOf(prove(client, { picture: new Blob([]) } as never))).toEqual([
      "/ expected one of note, scan, found nothing",
    ]);
  });

  test("responses of its handlers, if it checks them", async () => {
    const empty = { ...handlers.Bank, Search: () => ({}) as Filter };
    const server = createServer({ Bank: empty }, { checkResponses: true });
    await expect(search(clientOf(server), { text: "a" })).rejects.toMatchObject({ status: 500 });
  });
});
