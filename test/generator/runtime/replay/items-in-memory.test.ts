import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type MemoryReplayStoreOptions,
  memoryReplayStore,
} from "../../../../generator/runtime/src/server-streams.ts";

interface Item {
  readonly id: string;
  readonly text: string;
}

function store(options?: MemoryReplayStoreOptions) {
  const items = memoryReplayStore<Item>(options);
  return {
    ...items,
    /** Publishes and returns the id. */
    add: async (text: string, topic = "t") => (await items.publish(topic, (id) => ({ id, text }))).id,
    textsAfter: async (position: string, topic = "t", max = 1_000_000) => {
      const found = await items.itemsAfter(topic, position, max);
      return found === "gap" ? found : found.map(({ item }) => item.text).join("");
    },
  };
}

test("items have ids, and follow the position of each id in order", async () => {
  const { add, textsAfter, position, itemsAfter } = store();
  const start = await position("t");
  const [a, b, c] = [await add("a"), await add("b"), await add("c")];
  expect(new Set([start, a, b, c]).size).toBe(4);
  expect(await Promise.all([start, a, b, c].map((id) => textsAfter(id)))).toEqual(["abc", "bc", "c", ""]);
  expect(await position("t")).toBe(c);
  expect(await itemsAfter("t", b, 10)).toMatchObject([{ id: c, item: { id: c, text: "c" } }]);
  for (const id of [start, a]) expect(id).toMatch(/^[!-~]{1,64}$/);
});

test.each([
  [1, "a"],
  [2, "ab"],
  [3, "abc"],
  [4, "abc"],
])("at most %d items are returned", async (max, texts) => {
  const { add, textsAfter, position } = store();
  const start = await position("t");
  for (const text of "abc") await add(text);
  expect(await textsAfter(start, "t", max)).toBe(texts);
});

describe("the number of items", () => {
  test.each([
    [2, "ab"],
    [3, "abc"],
    [4, "gap"],
  ])("%d items in a window of 3", async (count, expected) => {
    const { add, textsAfter, position } = store({ maxItems: 3 });
    const start = await position("t");
    for (const text of "abcd".slice(0, count)) await add(text);
    expect(await textsAfter(start)).toBe(expected);
  });

  test("1,000 by default", async () => {
    const { add, textsAfter, position } = store();
    const start = await position("t");
    for (let index = 0; index < 1_000; index++) await add("x");
    expect(await textsAfter(start)).toHaveLength(1_000);
    await add("x");
    expect(await textsAfter(start)).toBe("gap");
  });

  test("the items of one topic do not drop those of another", async () => {
    const { add, textsAfter, position } = store({ maxItems: 1 });
    const start = await position("t");
    await add("a", "t");
    for (const text of "bcd") await add(text, "u");
    expect(await textsAfter(start, "t")).toBe("a");
    expect(await textsAfter(start, "u")).toBe("gap");
  });
});

describe("the age of items", () => {
  const hour = 60 * 60 * 1_000;

  function clock(): (ms: number) => void {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    return (ms) => vi.setSystemTime(Date.now() + ms);
  }

  test.each<[MemoryReplayStoreOptions, number, string]>([
    [{}, hour - 1, "ab"],
    [{}, hour, "ab"],
    [{}, hour + 1, "gap"],
    [{ maxAgeMs: 50 }, 49, "ab"],
    [{ maxAgeMs: 50 }, 50, "ab"],
    [{ maxAgeMs: 50 }, 51, "gap"],
  ])("%j after %d ms", async (options, ms, expected) => {
    const pass = clock();
    const { add, textsAfter, position } = store(options);
    const start = await position("t");
    await add("a");
    const b = await add("b");
    pass(ms);
    expect(await textsAfter(start)).toBe(expected);
    expect(await textsAfter(b)).toBe("");
  });
});

test("old items of topics without new items are freed", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { publish } = memoryReplayStore<Item>({ maxAgeMs: 1 });
  const item = new WeakRef(await publish("quiet", (id) => ({ id, text: "a" })));
  const isFreed = async (): Promise<boolean> => {
    await publish("busy", (id) => ({ id, text: "b" }));
    collect();
    return item.deref() === undefined;
  };
  await expect.poll(isFreed).toBe(true);
});

describe("the number of topics", () => {
  test.each([
    [2, "a"],
    [3, "a"],
    [4, "gap"],
  ])("%d topics with at most 3", async (count, expected) => {
    const { add, textsAfter, position } = store({ maxTopics: 3 });
    const start = await position("0");
    for (let topic = 0; topic < count; topic++) await add("a", `${topic}`);
    expect(await textsAfter(start, "0")).toBe(expected);
    expect(await textsAfter(start, "1")).toBe("a");
  });

  test("the topic with the oldest last item is dropped, and its later items are read without a gap", async () => {
    const { add, textsAfter } = store({ maxTopics: 2 });
    const a = await add("a", "t");
    const b = await add("b", "u");
    await add("c", "t");
    const d = await add("d", "v");
    expect(await textsAfter(a, "t")).toBe("c");
    expect(await textsAfter(a, "u")).toBe("gap");
    expect(await textsAfter(b, "u")).toBe("");
    await add("e", "u");
    expect(await textsAfter(d, "u")).toBe("e");
    expect(await textsAfter(a, "u")).toBe("gap");
  });
});

describe("a position is a gap", () => {
  test("if it is of another store, such as that of an earlier process", async () => {
    const [before, after] = [store(), store()];
    const ids = [await before.position("t"), await before.add("a")];
    for (const text of "abc") await after.add(text);
    for (const id of ids) expect(await after.textsAfter(id)).toBe("gap");
  });

  test("before the store has made an id", async () => {
    for (const id of ["undefined-0", "-0", "0"]) expect(await store().textsAfter(id)).toBe("gap");
  });

  test.each<[name: string, change: (id: string) => string]>([
    ["in the future", (id) => id.replace(/\d+$/, (digits) => `${Number(digits) + 1}`)],
    ["with a leading zero", (id) => id.replace("-", "-0")],
    ["with more parts", (id) => `${id}-1`],
    ["negative", (id) => id.replace("-", "--")],
    ["with a fraction", (id) => `${id}.5`],
    ["without a number", (id) => id.replace(/\d+$/, "")],
    ["without an epoch", (id) => id.replace(/^\d+/, "")],
    ["with a space", (id) => `${id} `],
  ])("if it is %s", async (_, change) => {
    const { add, textsAfter } = store();
    await add("a");
    const id = await add("b");
    expect(await textsAfter(id)).toBe("");
    expect(await textsAfter(change(id))).toBe("gap");
  });
});

test("an item that cannot be made is not published", async () => {
  const { publish, textsAfter, position } = store();
  const start = await position("t");
  expect(() =>
    publish("t", () => {
      throw new Error("no item");
    }),
  ).toThrow("no item");
  expect([await position("t"), await textsAfter(start)]).toEqual([start, ""]);
});

test("listeners are called for their topic until they leave", async () => {
  const { add, onPublish } = store();
  const calls: string[] = [];
  const first = onPublish("t", () => calls.push("first"));
  const second = onPublish("t", () => calls.push("second"));
  onPublish("u", () => calls.push("other"));
  await add("a");
  first();
  first();
  await add("b");
  second();
  await add("c");
  expect(calls).toEqual(["first", "second", "second"]);
});

test.each(["maxItems", "maxAgeMs", "maxTopics"] as const)("%s must be positive", (name) => {
  for (const limit of [0, -1, Number.NaN])
    expect(() => memoryReplayStore({ [name]: limit })).toThrow(
      new RangeError(`${name}: expected a positive number, found ${limit}`),
    );
  expect(() => memoryReplayStore({ [name]: 1 })).not.toThrow();
});
