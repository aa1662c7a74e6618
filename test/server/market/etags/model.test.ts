/** Random writes and time steps: a version that is the same promises that a read shows the same. */
import { expect, test } from "vitest";
import { MarketVersions, type Transition } from "../../../../server/market/etags/market-versions.ts";
import { freshSeed, type Random, seededRandom } from "../../../support/random.ts";

/** `MODEL_STEPS=10000000` for a longer run. */
const steps = Number(process.env["MODEL_STEPS"] ?? 40_000);
const runs = 5;
const collections = 6;
const ratesKey = "1 currency";

/** Orders that start and end, and a rate that hosts cache for a second. */
class World {
  now = 0;
  clockOffset = 1_000_000;
  readonly orders = new Map<number, { collection: number; from: number; until: number }>();
  rate = { value: 1, until: 60_000 };
  #cached = { at: Number.NEGATIVE_INFINITY, rate: 0 };
  #lastOrder = 0;

  get databaseNow(): number {
    return this.now + this.clockOffset;
  }

  addOrder(collection: number, random: Random): void {
    const at = (): number => this.databaseNow + random.below(30_000) - 3_000;
    this.orders.set(++this.#lastOrder, { collection, from: at(), until: at() });
  }

  /** What a read shows. */
  read(collection: number): string {
    if (this.now - this.#cached.at >= 1_000)
      this.#cached = { at: this.now, rate: this.rate.until > this.databaseNow ? this.rate.value : 0 };
    const live = [...this.orders].filter(
      ([, order]) =>
        order.collection === collection && order.from <= this.databaseNow && order.until > this.databaseNow,
    );
    return `${live.map(([id]) => id).join(" ")} at ${this.#cached.rate}`;
  }

  transitions(): readonly Transition[] {
    const times = [...this.orders.values()].flatMap(({ collection, from, until }) =>
      [from, until].map((at) => ({ key: keyOf(collection), inMs: at - this.databaseNow })),
    );
    const all = [...times, { key: ratesKey, inMs: this.rate.until - this.databaseNow }];
    return all.filter(({ inMs }) => inMs > -3_000 && inMs <= 4_000);
  }
}

function keyOf(collection: number): string {
  return `1 0x${collection} market_order`;
}

interface Outcome {
  readonly allowed: number;
  readonly wrong: readonly string[];
}

function run(seed: number): Outcome {
  const random = seededRandom(seed);
  const world = new World();
  const versions = new MarketVersions({ now: () => world.now, maxKeys: random.chance(50) ? 5 : 100 });
  /** What callers have, by collection and version. */
  const seen = new Map<string, string>();
  /** Sweeps in flight. */
  const inFlight: { readonly startedAt: number; readonly sweep: Parameters<MarketVersions["swept"]>[0] }[] =
    [];
  const wrong: string[] = [];
  let allowed = 0;

  function write(): void {
    const collection = random.below(collections);
    const [first] = world.orders.keys();
    const kind = random.below(20);
    if (kind === 0) {
      world.rate = { value: random.below(100), until: world.databaseNow + random.below(20_000) };
      versions.changed(ratesKey);
    } else if (kind < 8 && first !== undefined) {
      const gone = world.orders.get(first);
      world.orders.delete(first);
      versions.changed(keyOf(gone?.collection ?? 0));
    } else {
      world.addOrder(collection, random);
      versions.changed(keyOf(collection));
    }
  }

  for (let step = 0; step < steps; step++) {
    const kind = random.below(1_000);
    if (kind < 300) world.now += random.below(100);
    else if (kind < 301) world.now += random.below(random.chance(10) ? 15_000 : 1_500);
    else if (kind < 303) write();
    else if (kind < 340) {
      const isComplete = !random.chance(1);
      const transitions = world.transitions().filter(() => isComplete || random.chance(50));
      inFlight.push({
        startedAt: world.now,
        sweep: { databaseNow: world.databaseNow, transitions, isComplete },
      });
    } else if (kind < 380) {
      const done = inFlight.shift();
      if (done !== undefined) versions.swept(done.sweep, done.startedAt);
    } else if (kind === 380 && random.chance(5)) versions.missed();
    else {
      const collection = random.below(collections);
      const version = versions.versionOf([ratesKey, keyOf(collection)]);
      // A write between the version and the data is harmless.
      if (random.chance(1)) write();
      const shown = world.read(collection);
      const stillIs = versions.versionOf([ratesKey, keyOf(collection)]) === version;
      if (version === undefined) continue;
      const name = `${collection} ${version}`;
      const before = seen.get(name);
      seen.set(name, shown);
      if (before === undefined || !stillIs) continue;
      allowed++;
      if (before !== shown) wrong.push(`step ${step}: "${before}" has become "${shown}"`);
    }
  }
  return { allowed, wrong };
}

test("no version is the same for two responses", () => {
  const first = Number(process.env["SEED"] ?? freshSeed());
  for (let seed = first; seed < first + runs; seed++) {
    const { allowed, wrong } = run(seed);
    console.log(`seed ${seed}: ${allowed} responses not modified, ${wrong.length} of them wrong`);
    expect(wrong).toEqual([]);
    expect(allowed).toBeGreaterThan(steps / 100);
  }
});
