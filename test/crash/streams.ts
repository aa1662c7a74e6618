/**
 * Readers follow a feed through a proxy that cuts connections, while its hosts are killed. Each reader must get each item once and
 * in order, or the error for a gap.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { watch } from "../fixtures/feeds/generated/client.ts";
import { type ChaosProxy, startChaosProxy } from "../support/chaos-proxy.ts";
import { makeDatabase } from "../support/make-database.ts";
import type { Random } from "../support/random.ts";
import { documentedStore, loadStore } from "./news-store.ts";

export interface StreamsOptions {
  readonly items: number;
  readonly kills: number;
  readonly readers: number;
  /** Address of a Postgres server. */
  readonly postgres: string;
  readonly random: Random;
  readonly onProgress?: (line: string) => void;
}

export interface StreamsReport {
  readonly items: number;
  readonly readers: number;
  /** Over all readers. */
  readonly lost: number;
  readonly twice: number;
  readonly unordered: number;
  /** Connections of all readers. */
  readonly connections: number;
  readonly kills: number;
  readonly proxy: ChaosProxy["done"];
  /** Of this process, with clients, proxy and publishers: after a tenth of the items, and at the end. */
  readonly heapMiB: readonly [number, number];
  readonly ms: number;
}

export interface NewsHost extends AsyncDisposable {
  readonly port: number;
  kill(): Promise<void>;
}

/** Starts `news-host.ts`. */
export async function startNewsHost(...args: readonly string[]): Promise<NewsHost> {
  const script = fileURLToPath(new URL("news-host.ts", import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const line = child.stdout ? once(child.stdout, "data") : undefined;
  const [port] = (await Promise.race([line, ended.then(() => ["0"])])) ?? [];
  if (!(Number(port) > 0)) throw new Error("the host did not start");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { port: Number(port), kill, [Symbol.asyncDispose]: kill };
}

/** Two hosts share a window in Postgres. This process publishes, as a third one would. */
export async function chaosOfStreams({
  items,
  kills,
  readers,
  postgres,
  random,
  onProgress = () => {},
}: StreamsOptions): Promise<StreamsReport> {
  using documented = documentedStore();
  const database = await makeDatabase(postgres);
  const pool = new pg.Pool({ connectionString: database.url, max: publishers + 2 });
  await pool.query(documented.sql);
  const store = (await loadStore(documented.path))(pool, { maxItems: items });
  const start = (): Promise<NewsHost> => startNewsHost(documented.path, database.url);
  const hosts = await Promise.all([start(), start()]);
  let connections = 0;
  const startedAt = Date.now();
  await using proxy = await startChaosProxy({
    target: () => hosts[connections++ % hosts.length]?.port ?? 0,
    random,
  });
  const received: string[][] = [];
  let isOpen = 0;
  const reading = Array.from({ length: readers }, async (_, reader) => {
    const own: string[] = [];
    received[reader] = own;
    let wasOpen = false;
    const stream = watch(
      { url: proxy.url },
      { feed: "x" },
      {
        reconnect: { firstMs: 5, mostMs: 100, tries: Number.POSITIVE_INFINITY },
        onState: ({ kind }) => {
          if (kind !== "open" || wasOpen) return;
          wasOpen = true;
          isOpen++;
        },
      },
    );
    for await (const { id } of stream) {
      own.push(id);
      if (own.length >= items) break;
    }
  });
  const all = Promise.all(reading);
  while (isOpen < readers) await Promise.race([sleep(5), all]);
  proxy.isOn = true;

  const published: string[] = [];
  let killed = 0;
  let heapEarly = 0;
  let next = 0;
  const cutsSoFar = (): number => proxy.done.resets + proxy.done.ends;
  const publish = async (): Promise<void> => {
    while (next < items) {
      const number = next++;
      const { id } = await store.publish("x", (own) => ({ id: own, text: `${number}`.padEnd(20, "x") }));
      published.push(id);
      if (published.length === Math.ceil(items / 10)) heapEarly = heapMiB();
      // A part of the items is published while a host is down, and the others while all hosts run.
      while (published.length >= (items * (killed + 2)) / (kills + 1)) await sleep(2);
    }
  };
  const killing = (async () => {
    while (killed < kills) {
      while (published.length < (items * (killed + 1)) / (kills + 1)) await sleep(2);
      const index = killed % hosts.length;
      await hosts[index]?.kill();
      hosts[index] = await start();
      killed++;
      onProgress(`${killed} kills, ${published.length} items, ${cutsSoFar()} cuts`);
    }
  })();
  await Promise.all([killing, ...Array.from({ length: publishers }, publish)]);
  await all;
  const heapLate = heapMiB();
  const numberOf = (id: string): number => Number(id.split("-").at(-1));
  const expected = published.toSorted((a, b) => numberOf(a) - numberOf(b));
  const sum = (count: (own: readonly string[]) => number): number =>
    received.reduce((total, own) => total + count(own), 0);
  const report: StreamsReport = {
    items,
    readers,
    lost: sum((own) => expected.length - new Set(own).size),
    twice: sum((own) => own.length - new Set(own).size),
    unordered: sum(
      (own) => own.filter((id, at) => at > 0 && numberOf(own[at - 1] ?? "") >= numberOf(id)).length,
    ),
    connections,
    kills: killed,
    proxy: proxy.done,
    heapMiB: [heapEarly, heapLate],
    ms: Date.now() - startedAt,
  };
  store.close();
  await Promise.all(hosts.map((host) => host.kill()));
  await pool.end();
  await database.drop();
  return report;
}

const publishers = 4;

function heapMiB(): number {
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
}
