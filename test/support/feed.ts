/** Handlers of `test/fixtures/wire`, and what is known of their streams. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Handlers } from "../fixtures/wire/generated/server.ts";
import type { Query, Tick } from "../fixtures/wire/generated/types.ts";

/** What has become of the streams of one server. */
export interface Watched {
  /** Iterators that have begun, and those that ended. */
  begun: number;
  freed: number;
  /** Items that were asked for, of all streams. */
  made: number;
  /** In the order in which they happened. */
  readonly events: string[];
}

export function watched(): Watched {
  return { begun: 0, freed: 0, made: 0, events: [] };
}

/** The largest amount that is not declined. */
const amountMax = 1_000;

const pay: Handlers["Wire"]["Pay"] = (ctx, payment) =>
  payment.amount > amountMax ? ctx.errors.Declined({ left: amountMax, side: "sell" }) : payment;

/** Answers what it is asked, and one item: in either form of integers of 64 bits. */
export const echoHandlers = {
  Wire: {
    Echo: <Value>(_ctx: unknown, req: Value): Value => req,
    EchoText: <Value>(_ctx: unknown, req: Value): Value => req,
    Pay: pay as Handlers["Wire"]["Pay"],
    Choose: <Value>(_ctx: unknown, req: Value): Value => req,
    Watch: async function* <Integer>(
      _ctx: unknown,
      { from }: { readonly from: Integer },
    ): AsyncGenerator<{ sequence: Integer; amount: bigint; at: string }, void> {
      yield { sequence: from, amount: amountOf(0), at: "2024-02-29T12:00:00.123456789Z" };
    },
    Tail: async function* (): AsyncGenerator<never, void> {},
    Beat: async function* (): AsyncGenerator<never, void> {},
  },
};

/** `feed` says what a stream does: see the cases of `Watch`. */
export function wireHandlers(watch: Watched): Handlers {
  return {
    Wire: {
      Echo: (_ctx, req) => req,
      EchoText: (_ctx, req) => req,
      Pay: pay,
      Choose: (_ctx, req) => req,
      Watch: async function* (ctx, { feed, from, count }: Query) {
        ctx.signal.addEventListener("abort", () => watch.events.push("aborted"));
        watch.begun++;
        try {
          if (feed === "none") return ctx.errors.NoSuchFeed({ cause: "try another", expose: true });
          if (feed === "silent") await sleep(60_000, undefined, { signal: ctx.signal });
          for (let sequence = from; count === 0 || sequence < from + count; sequence++) {
            if (feed === "paced" && sequence > from) await sleep(2, undefined, { signal: ctx.signal });
            if (feed === "pausing" && sequence === from + 4)
              await sleep(60_000, undefined, { signal: ctx.signal });
            if (feed === "broken" && sequence === from + 2) return ctx.errors.Broken();
            if (feed === "throwing" && sequence === from + 2) throw new Error("the secret is 42");
            watch.made++;
            yield tick(sequence, feed === "bad" && sequence === from + 1);
          }
          return undefined;
        } finally {
          watch.events.push("freed");
          watch.freed++;
        }
      },
      Tail: async function* (ctx, { lines }) {
        for (let line = 0; line < lines; line++) {
          if (ctx.signal.aborted) return;
          watch.made++;
          yield { line: "x".repeat(1_000_000), at: "2024-02-29T12:00:00Z" };
        }
      },
      Beat: async function* () {
        yield;
        yield {};
      },
    },
  };
}

/** Larger than a number can be. */
export const amountOf = (sequence: number): bigint => 2n ** 64n + BigInt(sequence);

function tick(sequence: number, isBad: boolean): Tick {
  const at = isBad ? "yesterday" : "2024-02-29T12:00:00.123456789Z";
  return { sequence, amount: amountOf(sequence), at };
}
