/** Sends a stream of many items through a proxy that breaks it off repeatedly. Every item must arrive once, without leaks. */
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Client } from "../../../generator/runtime/src/client.ts";
import type { StreamState } from "../../../generator/runtime/src/client-streams.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { watch } from "../../fixtures/wire/generated/client.ts";
import { createServer } from "../../fixtures/wire/generated/server.ts";
import type { Query, Tick } from "../../fixtures/wire/generated/types.ts";
import { type AdapterName, serveWith } from "../../support/adapters.ts";
import { amountOf, type Watched, watched, wireHandlers } from "../../support/feed.ts";
import type { Random } from "../../support/random.ts";
import { type Harm, startProxy } from "./proxy.ts";

export interface StreamTrial {
  readonly adapter: AdapterName;
  /** Default: `fetch`. */
  readonly transport?: Client["transport"];
  readonly items: number;
  readonly random: Random;
}

export interface StreamVerdict {
  /** Description of the failure; undefined if there is none. */
  readonly complaint?: string;
  /** Number of lost connections. */
  readonly lost: number;
  readonly harms: Readonly<Partial<Record<Harm, number>>>;
  /** Open sockets of the proxy, both sides, after the last item. A keep-alive connection counts twice. */
  readonly socketsLeft: number;
  /** Handlers that are still running. */
  readonly handlersLeft: number;
  /** Heap in use after a garbage collection, in bytes: after a tenth of the items, and after the last. */
  readonly heap: { readonly before: number; readonly after: number };
  readonly seconds: number;
}

/**
 * Longest wait for one item, in milliseconds. A longer wait counts as stuck. A stall takes `silenceMs`, and several in a row are likely.
 */
const hangMs = 30_000;

/** Maximum number of items per request: more than any connection transfers, and few enough to be cheap to create. */
const onceMost = 300;

/** Heap difference in bytes between two garbage collections that is not a leak. */
const heapSlack = 8 * 1024 * 1024;

export async function tryStreams({ adapter, transport, items, random }: StreamTrial): Promise<StreamVerdict> {
  const feed = watched();
  await using running = await serveWith(adapter, createServer(wireHandlers(feed)));
  await using proxy = await startProxy(running.port, random);
  const startedAt = performance.now();
  const reading = new Reading({ url: proxy.url, ...(transport && { transport }) }, items);
  const complaint =
    (await reading.readAll()) ?? (await settled(feed, proxy)) ?? memoryComplaint(reading.heap);
  const { lost, heap } = reading;
  return {
    ...(complaint !== undefined && { complaint }),
    lost,
    harms: Object.fromEntries(proxy.tally),
    socketsLeft: proxy.open(),
    handlersLeft: feed.begun - feed.freed,
    heap,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  };
}

/** One reader. It opens its stream again if the first connection failed. */
class Reading {
  lost = 0;
  readonly heap = { before: 0, after: 0 };
  readonly #client: Client;
  readonly #items: number;
  #next = 0;

  constructor(client: Client, items: number) {
    this.#client = client;
    this.#items = items;
  }

  async readAll(): Promise<string | undefined> {
    while (this.#next < this.#items) {
      const complaint = await this.#readOnce();
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }

  async #readOnce(): Promise<string | undefined> {
    const stream = watch(this.#client, this.#rest(), {
      timeoutMs: 2_000,
      silenceMs: 200,
      reconnect: { tries: 1_000, firstMs: 1, mostMs: 5 },
      resume: () => this.#rest(),
      onState: (state) => this.#note(state),
    });
    try {
      for (;;) {
        const result = await Promise.race([stream.next(), sleep(hangMs, "hang" as const, { ref: false })]);
        if (result === "hang")
          return `no item ${this.#next} for ${hangMs} ms, in the state ${stream.state.kind}`;
        if (result.done) return undefined;
        const complaint = this.#take(result.value);
        if (complaint !== undefined) return complaint;
      }
    } catch (error) {
      // The client does not retry a stream that was never open.
      if (error instanceof RpcError && error.side === "request") return undefined;
      return `item ${this.#next}: ${error}`;
    }
  }

  #rest(): Query {
    return { feed: "plain", from: this.#next, count: Math.min(this.#items - this.#next, onceMost) };
  }

  #take({ sequence, amount }: Tick): string | undefined {
    if (sequence !== this.#next || amount !== amountOf(sequence))
      return `item ${this.#next} came as ${sequence}`;
    this.#next++;
    if (this.#next === Math.ceil(this.#items / 10)) this.heap.before = heapInUse();
    if (this.#next === this.#items) this.heap.after = heapInUse();
    return undefined;
  }

  #note({ kind }: StreamState): void {
    if (kind === "waiting") this.lost++;
  }
}

/** Waits until handlers have ended and connections are closed, with a generous timeout. */
async function settled(feed: Watched, proxy: { open(): number }): Promise<string | undefined> {
  for (let tries = 0; tries < 100; tries++) {
    if (feed.begun === feed.freed && proxy.open() <= keptAlive) return undefined;
    await sleep(50);
  }
  return `${feed.begun - feed.freed} of ${feed.begun} handlers have not ended, ${proxy.open()} sockets are open`;
}

/** The keep-alive connection of the last response. */
const keptAlive = 2;

function memoryComplaint({ before, after }: StreamVerdict["heap"]): string | undefined {
  const growth = after - before;
  return growth > heapSlack ? `the heap has grown by ${growth} bytes` : undefined;
}

function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
