/** Structs whose fields depend on a kind, as callers and handlers write them, on the way from one to the other. */
import { describe, expect, expectTypeOf, test } from "vitest";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import { book, draw, find, keep, pay, search, watch } from "../../fixtures/kinds/generated/client.ts";
import { createServer, type Handlers } from "../../fixtures/kinds/generated/server.ts";
import {
  type Charge,
  type ChargeInput,
  type Filter,
  type Shape,
  ShapeKind,
  ShapeKindNumber,
} from "../../fixtures/kinds/generated/types.ts";
import { pay as payExactly } from "../../fixtures/kinds/generated-bigint/client.ts";
import { createServer as createExactServer } from "../../fixtures/kinds/generated-bigint/server.ts";

const handlers: Handlers = {
  Till: {
    Pay: (_ctx, charge) => charge,
    Book: (_ctx, { charges }) => ({ charges }),
    Draw: (_ctx, { shape }) => ({ shape }),
    Watch: async function* (_ctx, { charge }) {
      yield { charge };
    },
    Keep: (_ctx, photo) =>
      photo.kind === "circle"
        ? { kind: photo.kind, radius: photo.radius + photo.picture.size }
        : { kind: "group" },
    Search: (_ctx, filter) => filter,
    Find: (_ctx, filter) => filter,
  },
};

function clientOf(server: ReturnType<typeof createServer>) {
  return { url: "http://memory", transport: memoryTransport(fetchHandler(server)) };
}

const client = clientOf(createServer(handlers, { checkResponses: true }));
const due = new Date("2026-01-31T12:00:00Z");
const card = { number: "4242", brand: "visa" };

describe("in TypeScript", () => {
  test("a value of an integer enum has its number, whatever its name in JSON", () => {
    const numberOf = (kind: ShapeKind): number => ShapeKindNumber[kind];
    expect(Object.values(ShapeKind).map(numberOf)).toEqual([0, 7, 2]);
  });

  test("a switch narrows, and knows all kinds", () => {
    const describe = (charge: Charge): string => {
      switch (charge.type) {
        case "credit-card":
          expectTypeOf(charge.card.number).toEqualTypeOf<string>();
          expectTypeOf(charge.holder_name).toEqualTypeOf<string | undefined>();
          expectTypeOf(charge.iban).toEqualTypeOf<undefined>();
          return charge.card.number;
        case "transfer":
          expectTypeOf(charge.holder_name).toEqualTypeOf<string>();
          expectTypeOf(charge.due).toEqualTypeOf<Date | undefined>();
          return charge.iban;
        case "cash":
        case "voucher":
          expectTypeOf(charge.card).toEqualTypeOf<undefined>();
          return "";
        default:
          return charge satisfies never;
      }
    };
    expect(describe({ type: "credit-card", amount: 5, card, day: 1 })).toBe("4242");
    expect(describe({ type: "transfer", amount: 5, iban: "DE1", holder_name: "A", month: 1 })).toBe("DE1");
    expect(describe({ type: "cash", amount: 5, day: 1 })).toBe("");
  });

  test("a field selects its kind as well", () => {
    const areaOf = (shape: Shape): number =>
      shape.radius === undefined ? (shape.points?.length ?? 0) : shape.radius ** 2;
    expect(areaOf({ kind: "circle", radius: 2 })).toBe(4);
  });

  test("missing and surplus fields do not compile", () => {
    const wrong: readonly ChargeInput[] = [
      // @ts-expect-error: no card
      { type: "credit-card", amount: 1, day: 1 },
      // @ts-expect-error: the account of another kind
      { type: "credit-card", amount: 1, card, iban: "DE1", day: 1 },
      // @ts-expect-error: the card of another kind
      { type: "cash", amount: 1, card, day: 1 },
      // @ts-expect-error: no holder
      { type: "transfer", amount: 1, iban: "DE1", day: 1 },
      // @ts-expect-error: no kind
      { amount: 1, day: 1 },
      // @ts-expect-error: an unknown kind
      { type: "coupon", amount: 1, day: 1 },
      // @ts-expect-error: none of a group
      { type: "cash", amount: 1 },
    ];
    expect(wrong).toHaveLength(7);
  });
});

describe("values arrive as they were sent", () => {
  test("with defaults and dates", async () => {
    expect(await pay(client, { type: "credit-card", amount: 5, card: { number: "4242" }, day: 1 })).toEqual({
      type: "credit-card",
      amount: 5,
      card,
      day: 1,
    });
    const transfer = { type: "transfer", amount: 5, iban: "DE1", holder_name: "A", due, month: 2 } as const;
    expect(await pay(client, transfer)).toEqual(transfer);
    expect(await pay(client, { type: "voucher", amount: 5, card: undefined, day: 1 })).toEqual({
      type: "voucher",
      amount: 5,
      day: 1,
    });
  });

  test("in maps of lists, nested, in streams, queries, paths and forms", async () => {
    const charge = { type: "cash", amount: 5, day: 1 } as const;
    expect(await book(client, { charges: { a: [charge] } })).toEqual({ charges: { a: [charge] } });
    const shape: Shape = {
      kind: "group",
      shapes: [
        { kind: "circle", radius: 1 },
        { kind: "LINE", points: [] },
      ],
    };
    expect(await draw(client, { shape })).toEqual({ shape });
    for await (const item of watch(client, { charge })) expect(item.charge).toEqual(charge);
    expect(await find(client, { kind: "LINE", points: [1, 2] })).toEqual({ kind: "LINE", points: [1, 2] });
    expect(await search(client, { kind: "circle", radius: 2 })).toEqual({ kind: "circle", radius: 2 });
    const picture = new Blob(["12345"]);
    expect(await keep(client, { kind: "circle", radius: 2, picture })).toEqual({ kind: "circle", radius: 7 });
  });

  test("64-bit integers keep their digits", async () => {
    const server = createExactServer({
      Till: { ...handlers.Till, Pay: (_ctx: unknown, charge: object) => charge } as never,
    });
    const month = 2n ** 63n;
    expect(await payExactly(clientOf(server), { type: "cash", amount: 1n, month })).toMatchObject({ month });
  });
});

describe("of another server", () => {
  const answering = (body: object) => ({
    url: "http://go",
    transport: (async () => ({
      status: 200,
      headers: { get: () => null },
      text: async () => JSON.stringify(body),
    })) as never,
  });
  const cash = { type: "cash", amount: 1, day: 1 } as const;

  test("null means absent, because Go writes absent fields that way", async () => {
    const nulls = { card: null, iban: null, holder_name: null, due: null, month: null };
    const paid = await pay(answering({ ...cash, ...nulls }), cash);
    expect(paid).toEqual(cash);
    expect(Object.keys(paid)).not.toContain("card");
  });

  test("an unknown kind arrives with all its fields", async () => {
    const coupon = { type: "coupon", amount: 1, code: "X1", day: 1 };
    expect(await pay(answering(coupon), cash)).toEqual(coupon);
  });
});

describe("a server rejects", () => {
  const issuesOf = async (call: Promise<unknown>) => {
    const { issues = [] } = (await call.catch((err: unknown) => err)) as RpcError;
    return issues.map(({ path, message, code }) => `/${path.join("/")} ${message} (${code})`);
  };

  test("missing and surplus fields", async () => {
    const wrong = { type: "transfer", amount: 1, card, day: 1 } as never;
    expect(await issuesOf(pay(client, wrong))).toEqual([
      '/iban expected a value, because "type" is "transfer", found nothing (required)',
      '/holder_name expected a value, because "type" is "transfer", found nothing (required)',
      '/card expected nothing, because "type" is "transfer", found an object (when)',
    ]);
    expect(await issuesOf(pay(client, { type: "coupon", amount: 1, iban: "DE1", day: 1 } as never))).toEqual([
      expect.stringMatching(/^[/]type expected one of /),
    ]);
    expect(await issuesOf(search(client, { kind: "circle" } as never))).toEqual([
      '/radius expected a value, because "kind" is "circle", found nothing (required)',
    ]);
  });

  test("responses of its handlers, if it checks them", async () => {
    const wrong = { ...handlers.Till, Find: () => ({ kind: "circle" }) as Filter };
    const server = createServer({ Till: wrong }, { checkResponses: true });
    await expect(find(clientOf(server), { kind: "group" })).rejects.toMatchObject({ status: 500 });
  });
});
