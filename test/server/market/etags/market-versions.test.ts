import { expect, test } from "vitest";
import { MarketVersions, type Transition } from "../../../../server/market/etags/market-versions.ts";

/** Versions on a clock that the test sets. The database's clock differs by `offset`. */
function openVersions(maxKeys = 100) {
  const clock = { now: 1_000_000, offset: 5_000_000 };
  const versions = new MarketVersions({ maxKeys, now: () => clock.now });
  function sweep(transitions: readonly Transition[] = [], isComplete = true): void {
    versions.swept({ databaseNow: clock.now + clock.offset, transitions, isComplete }, clock.now);
  }
  /** Sweeps every second, as a host does. */
  function pass(ms: number, transitionAt?: number): void {
    const end = clock.now + ms;
    while (clock.now < end) {
      clock.now = Math.min(end, clock.now + 1_000);
      const inMs = (transitionAt ?? 0) - clock.now;
      sweep(transitionAt === undefined || inMs <= -3_000 || inMs > 4_000 ? [] : [{ key, inMs }]);
    }
  }
  return { clock, versions, sweep, pass };
}

const key = "137 0x1 market_order";
const other = "137 0x2 market_order";

function openCertain(maxKeys?: number) {
  const opened = openVersions(maxKeys);
  opened.sweep();
  opened.pass(3_000);
  expect(opened.versions.versionOf([key])).toBeDefined();
  return opened;
}

test("a version is known after two sweeps, and stays the same while nothing changes", () => {
  const { versions, sweep, pass } = openVersions();
  expect(versions.versionOf([key])).toBeUndefined();
  sweep();
  expect(versions.versionOf([key])).toBeUndefined();
  pass(2_000);
  const version = versions.versionOf([key]);
  expect(version).toBeDefined();
  pass(60_000);
  expect(versions.versionOf([key])).toBe(version);
  expect(versions.versionOf([])).toBe(version);
});

test("two processes have different versions of the same state", () => {
  expect(openCertain().versions.versionOf([key])).not.toBe(openCertain().versions.versionOf([key]));
});

test("a change leads to another version of its key only", () => {
  const { versions, pass } = openCertain();
  const [before, ofOther] = [versions.versionOf([key, other]), versions.versionOf([other])];
  versions.changed(key);
  expect(versions.versionOf([other, key])).toBeUndefined();
  expect(versions.versionOf([other])).toBe(ofOther);
  pass(2_000);
  const after = versions.versionOf([key, other]);
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
  expect(versions.versionOf([key])).toBe(after);
  expect(versions.versionOf([other])).toBe(ofOther);
});

test.each([
  [1_199, false],
  [1_200, true],
  [1_201, true],
])("%i ms after a change, its version is certain: %s", (ms, isCertain) => {
  const { clock, versions, sweep } = openCertain();
  versions.changed(key);
  clock.now += 1;
  sweep();
  clock.now += ms - 1;
  expect(versions.versionOf([key]) !== undefined).toBe(isCertain);
});

test.each([
  [-1, false],
  [0, false],
  [1, true],
])("a sweep that started %i ms after a change was learned makes it certain: %s", (ms, isCertain) => {
  const { clock, versions } = openCertain();
  versions.changed(key);
  const startedAt = clock.now + ms;
  clock.now += 2_000;
  const databaseNow = startedAt + clock.offset;
  versions.swept({ databaseNow, transitions: [], isComplete: true }, startedAt);
  expect(versions.versionOf([key]) !== undefined).toBe(isCertain);
});

test.each([
  [1_199, false],
  [1_200, true],
  [1_201, true],
])("%i ms after a transition, its version is certain: %s, and another one", (ms, isCertain) => {
  const { clock, versions, pass } = openCertain();
  const before = versions.versionOf([key]);
  const at = clock.now + 3_000;
  pass(1_000, at);
  expect(versions.versionOf([key])).toBeUndefined();
  expect(versions.versionOf([other])).toBe(before);
  pass(2_000, at);
  expect(versions.versionOf([key])).toBeUndefined();
  pass(ms, at);
  expect(versions.versionOf([key]) !== undefined).toBe(isCertain);
  expect(versions.versionOf([key])).not.toBe(before);
  pass(8_000, at);
  const after = versions.versionOf([key]);
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
  expect(versions.versionOf([other])).toBe(before);
});

test.each([
  [3_799, true],
  [3_800, false],
  [3_801, false],
])("%i ms after the last sweep, versions are known: %s", (ms, isKnown) => {
  const { clock, versions } = openCertain();
  clock.now += ms;
  expect(versions.versionOf([key]) !== undefined).toBe(isKnown);
});

test("after a time without sweeps, everything has another version", () => {
  const { clock, versions, sweep, pass } = openCertain();
  const before = versions.versionOf([key]);
  clock.now += 3_801;
  sweep();
  pass(2_000);
  expect(versions.versionOf([key])).toBeDefined();
  expect(versions.versionOf([key])).not.toBe(before);
});

test("a missed message makes everything uncertain until a sweep proves that the connection works", () => {
  const { clock, versions, sweep } = openCertain();
  const before = versions.versionOf([key]);
  versions.missed();
  expect(versions.versionOf([key])).toBeUndefined();
  clock.now += 1_200;
  expect(versions.versionOf([key])).toBeUndefined();
  sweep();
  expect(versions.versionOf([key])).toBeDefined();
  expect(versions.versionOf([key])).not.toBe(before);
});

test("a sweep that had to stop makes everything uncertain until a complete one", () => {
  const { clock, versions, sweep, pass } = openCertain();
  const before = versions.versionOf([key]);
  for (let second = 0; second < 10; second++) {
    clock.now += 1_000;
    sweep([], false);
    expect(versions.versionOf([key])).toBeUndefined();
  }
  pass(2_000);
  expect(versions.versionOf([key])).toBeDefined();
  expect(versions.versionOf([key])).not.toBe(before);
});

test.each([
  [-201, true],
  [-200, false],
  [200, false],
  [201, true],
])("a database clock that moved by %i ms changes everything: %s", (ms, isChange) => {
  const { clock, versions, pass } = openCertain();
  const before = versions.versionOf([key]);
  clock.offset += ms;
  pass(3_000);
  expect(versions.versionOf([key])).toBeDefined();
  expect(versions.versionOf([key]) !== before).toBe(isChange);
});

test.each([
  [0, false],
  [1_500, false],
  [1_700, false],
  [1_701, true],
  [-200, false],
  [-201, true],
])(
  "a database clock that is %i ms ahead after a sweep of 1,500 ms changes everything: %s",
  (ms, isChange) => {
    const { clock, versions, pass } = openCertain();
    const before = versions.versionOf([key]);
    const startedAt = clock.now + 500;
    clock.now = startedAt + 1_500;
    const databaseNow = startedAt + clock.offset + ms;
    versions.swept({ databaseNow, transitions: [], isComplete: true }, startedAt);
    // Within the tolerance of what the slow sweep has measured.
    clock.offset += Math.max(-1_500, Math.min(0, ms - 1_500));
    pass(3_000);
    expect(versions.versionOf([key])).toBeDefined();
    expect(versions.versionOf([key]) !== before).toBe(isChange);
  },
);

test.each([
  [9, false],
  [10, false],
  [11, true],
])("%i changed keys of at most 10 change everything: %s", (changes, isChange) => {
  const { versions, pass } = openCertain(10);
  const before = versions.versionOf([key]);
  for (let each = 0; each < changes; each++) versions.changed(`137 0x${each}f collectible`);
  // A key that is known already takes no more room.
  versions.changed("137 0x8f collectible");
  pass(2_000);
  expect(versions.versionOf([key])).toBeDefined();
  expect(versions.versionOf([key]) !== before).toBe(isChange);
});

test("a change during an earlier transition stays uncertain until the transition has passed", () => {
  const { clock, versions, pass } = openCertain();
  const at = clock.now + 3_500;
  pass(1_000, at);
  versions.changed(key);
  pass(2_000, at);
  expect(versions.versionOf([key])).toBeUndefined();
  pass(1_699, at);
  expect(versions.versionOf([key])).toBeUndefined();
  pass(1, at);
  expect(versions.versionOf([key])).toBeDefined();
});

test("a transition that has passed does not shorten the time of a change", () => {
  const { clock, versions, sweep } = openCertain();
  const before = versions.versionOf([key]);
  versions.changed(key);
  clock.now += 100;
  sweep([{ key, inMs: -1_000 }]);
  clock.now += 1_099;
  expect(versions.versionOf([key])).toBeUndefined();
  clock.now += 1;
  expect(versions.versionOf([key])).toBeDefined();
  expect(versions.versionOf([key])).not.toBe(before);
});
