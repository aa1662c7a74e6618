/** Renamed fields: what handlers and old clients get, and how much code a rename adds. */
import { describe, expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import type { Contract } from "../../../../generator/codegen/plan/build.ts";
import { type LoadedContract, loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { contractOf, transportTo } from "../../../support/versions.ts";

type Fields = Readonly<Record<string, unknown>>;

const schema = (version: string, parts: string): string =>
  `webrpc = v1\nname = Api\nversion = ${version}\nbasepath = /rpc\n${parts}`;

/** A struct with one method that takes and returns it. The last version is the current one. */
async function echoOf(...versions: readonly string[]): Promise<LoadedContract> {
  const contracts = versions.map((fields, index) =>
    contractOf(
      schema(
        `v${index + 1}.0.0`,
        `struct Item\n${fields}\nservice Api\n  - Put(item: Item) => (item: Item)\n`,
      ),
    ),
  );
  return loadInMemory({ ...(contracts.at(-1) as (typeof contracts)[0]), history: contracts.slice(0, -1) });
}

/** Calls `Put` as a client of a version. The handler returns `returned`, or what it received. */
async function put(
  live: LoadedContract,
  version: number,
  sent: Fields,
  returned?: object,
): Promise<{ readonly received: unknown; readonly status: number; readonly body: unknown }> {
  let received: unknown;
  const Put = (_ctx: unknown, { item }: { readonly item: object }): unknown => {
    received = item;
    return { item: returned ?? item };
  };
  const transport = transportTo(live, live.createServer({ Api: { Put } }));
  const response = await transport("http://api.test/rpc/Api/Put", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      webrpc: `webrpc@v0.44.0;gen-golang@v1;Api@v${version}.0.0`,
    },
    body: JSON.stringify({ item: sent }),
  });
  const { item, ...failure } = (await response.json()) as { readonly item?: unknown };
  return { received, status: response.status, body: item ?? failure };
}

const renamed = (name: string, from: string): string => `  - ${name}\n    + renamedFrom = ${from}\n`;

describe("names", () => {
  test("of fields that two structs share until the current version", async () => {
    const version = (number: number, row: string, item: string) =>
      contractOf(
        schema(
          `v${number}.0.0`,
          `struct Row\n  - a: string\n${row}struct Item\n  - a: string\n${item}service Api\n  - One(row: Row)\n  - Two(item: Item)\n`,
        ),
      );
    const current = version(3, "  - b?: string\n", "  - c?: string\n");
    const live = await loadInMemory({
      ...current,
      history: [version(1, "", "    + minLength = 2\n"), version(2, "", "")],
    });
    const received: unknown[] = [];
    const keep = (_ctx: unknown, request: unknown): void => {
      received.push(request);
    };
    const transport = transportTo(live, live.createServer({ Api: { One: keep, Two: keep } }));
    for (const [number, path, body] of [
      [1, "One", { row: { a: "1", b: "2" } }],
      [1, "Two", { item: { a: "12", c: "3" } }],
      [2, "Two", { item: { a: "1", c: "3" } }],
    ] as const) {
      const response = await transport(`http://api.test/rpc/Api/${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          webrpc: `webrpc@v0.44.0;gen-golang@v1;Api@v${number}.0.0`,
        },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
    }
    expect(received).toEqual([{ row: { a: "1" } }, { item: { a: "12" } }, { item: { a: "1" } }]);
  });

  test("a new field with the name that another one had", async () => {
    const live = await echoOf("  - a: string\n", `${renamed("b: string", "a")}  - a?: string\n`);
    const { received, body } = await put(live, 1, { a: "1" });
    expect(received).toStrictEqual({ b: "1" });
    expect(body).toEqual({ a: "1" });
    expect((await put(live, 1, { a: "1" }, { a: "new", b: "1" })).body).toEqual({ a: "1" });
  });

  test("a field that is renamed in each version, and a new one with its first name", async () => {
    const live = await echoOf(
      "  - a: string\n  - z: string\n",
      `${renamed("b: string", "a")}  - z: string\n`,
      `${renamed("c: string", "b")}  - z: string\n  - a?: string\n`,
    );
    expect(await put(live, 1, { a: "1", z: "2" })).toEqual({
      received: { c: "1", z: "2" },
      status: 200,
      body: { a: "1", z: "2" },
    });
    const returned = { c: "1", z: "2", a: "new" };
    expect((await put(live, 1, { a: "1", z: "2" }, returned)).body).toEqual({ a: "1", z: "2" });
    expect((await put(live, 2, { b: "1", z: "2" }, returned)).body).toEqual({ b: "1", z: "2" });
    expect((await put(live, 3, returned, returned)).body).toEqual(returned);
  });

  test.each(["constructor", "toString"])("%s", async (name) => {
    const live = await echoOf(
      `  - ${name}: string\n  - z: string\n`,
      `${renamed("a: string", name)}  - z: string\n`,
    );
    const sent = Object.fromEntries([
      [name, "1"],
      ["z", "2"],
    ]);
    const { received, body } = await put(live, 1, JSON.parse(`{"${name}":"1","z":"2"}`));
    expect(received).toStrictEqual({ a: "1", z: "2" });
    expect(JSON.stringify(body)).toBe(JSON.stringify(sent));
  });
});

describe("properties that the contract does not declare", () => {
  test("never replace a renamed field", async () => {
    const live = await echoOf(
      "  - old?: string\n  - z: string\n",
      `${renamed("new?: string", "old")}  - z: string\n`,
    );
    const secret = { z: "2", old: "secret" };
    expect((await put(live, 1, { z: "2" }, secret)).body).toEqual({ z: "2" });
    expect((await put(live, 1, { z: "2" }, { ...secret, new: "1" })).body).toEqual({ z: "2", old: "1" });
    const { received } = await put(live, 1, { z: "2", new: "unknown", old: "1" });
    expect(received).toStrictEqual({ z: "2", new: "1" });
  });

  test.each([
    ["an optional field", "  - gone?: string\n", {}],
    ["a field with a default", "  - gone?: string\n    + default = none\n", {}],
    ["a field that may be null", "  - gone?: string\n    + nullable = always\n", { gone: null }],
  ])("never replace %s that was removed", async (_, gone, absent) => {
    const live = await echoOf(`${gone}  - z: string\n`, "  - z: string\n");
    expect((await put(live, 1, { z: "2" }, { z: "2", gone: "secret" })).body).toEqual({ z: "2", ...absent });
  });

  test("never come back in an older version", async () => {
    const live = await echoOf(
      "  - x?: string\n  - z: string\n",
      "  - z: string\n",
      "  - z: string\n  - more?: string\n",
    );
    const returned = { z: "2", x: "secret", more: "3" };
    expect((await put(live, 1, { z: "2" }, returned)).body).toEqual({ z: "2" });
  });
});

test.each([
  ["optional", "old?: string", "", { old: "1" }, { new: "1" }, { old: "1" }],
  ["optional, absent", "old?: string", "", {}, {}, {}],
  ["nullable", "old?: string", "nullable = always", { old: null }, { new: null }, { old: null }],
  ["nullable, absent", "old?: string", "nullable = always", {}, {}, { old: null }],
  ["with a default", "old?: string", "default = none", { old: "1" }, { new: "1" }, { old: "1" }],
  ["with a default, absent", "old?: string", "default = none", {}, { new: "none" }, { old: "none" }],
  ["a list", "old: []string", "", { old: ["1"] }, { new: ["1"] }, { old: ["1"] }],
])("a renamed field: %s", async (_, field, meta, sent, received, body) => {
  const line = meta === "" ? "" : `    + ${meta}\n`;
  const now = renamed(field.replace("old", "new"), "old");
  const live = await echoOf(`  - ${field}\n${line}  - z: string\n`, `${now}${line}  - z: string\n`);
  const outcome = await put(live, 1, { z: "2", ...sent });
  expect(outcome.received).toStrictEqual({ z: "2", ...received });
  expect(outcome).toMatchObject({ status: 200, body: { z: "2", ...body } });
  expect(Object.keys(outcome.body as object).length).toBe(1 + Object.keys(body).length);
});

test("an instance of a class with getters", async () => {
  const live = await echoOf(
    "  - old: string\n  - z: string\n",
    `${renamed("new: string", "old")}  - z: string\n`,
  );
  class Row {
    readonly #name = "1";
    get new(): string {
      return this.#name;
    }
    get old(): string {
      throw new Error("no field of the current version");
    }
    get z(): string {
      return "2";
    }
    get relation(): never {
      throw new Error("no field of any version");
    }
  }
  expect((await put(live, 1, { old: "1", z: "2" }, new Row())).body).toEqual({ old: "1", z: "2" });
});

test("fields with the names of functions, constants and imports of the code", async () => {
  const names = [
    "itemFields",
    "putRequestFields",
    "current",
    "newer",
    "faultsInLeaf",
    "isCount",
    "toWay",
    "v",
  ];
  const others = `${names.map((name) => `  - ${name}?: string\n`).join("")}  - leaf?: Leaf\n`;
  const leaf = `struct Leaf
  - count: Count
  - way: Way
type Count: uint8
  + maximum = 5
enum Way: string
  - up
`;
  const live = await echoOf(
    `  - old: string\n${others}${leaf}`,
    `${renamed("new: string", "old")}${others}${leaf}`,
  );
  const same = { ...Object.fromEntries(names.map((name) => [name, name])), leaf: { count: 3, way: "up" } };
  expect(await put(live, 1, { old: "1", ...same })).toEqual({
    received: { new: "1", ...same },
    status: 200,
    body: { old: "1", ...same },
  });
  expect((await put(live, 2, { new: "1", ...same })).body).toEqual({ new: "1", ...same });
  expect(await put(live, 1, { old: "1", leaf: { count: 6, way: "up" } })).toMatchObject({ status: 400 });
});

test("items of streams and data of errors", async () => {
  const parts = (field: string): string =>
    `struct Row\n${field}  - z: string\nerror 1 Taken "taken" HTTP 409\ntype TakenData: Row\n  + errorData = Taken\nservice Api\n  - Watch() => stream (row: Row)\n  - Take() => (row: Row)\n`;
  const live = await loadInMemory({
    ...contractOf(schema("v2.0.0", parts(renamed("new: string", "old")))),
    history: [contractOf(schema("v1.0.0", parts("  - old: string\n")))],
  });
  const row = { new: "1", z: "2", old: "secret" };
  const handlers = {
    Watch: async function* () {
      yield { row };
      yield { row };
    },
    Take: (ctx: { readonly errors: Readonly<Record<string, (data: object) => Error>> }) => {
      throw ctx.errors["Taken"]?.(row);
    },
  };
  const transport = transportTo(live, live.createServer({ Api: handlers }));
  const call = async (method: string): Promise<string> => {
    const headers = { "content-type": "application/json", webrpc: "webrpc@v0.44.0;gen-golang@v1;Api@v1.0.0" };
    return (
      await transport(`http://api.test/rpc/Api/${method}`, { method: "POST", headers, body: "{}" })
    ).text();
  };
  const lines = (await call("Watch")).split("\n").filter((line) => line.includes("row"));
  expect(lines.map((line) => JSON.parse(line))).toEqual(Array(2).fill({ row: { old: "1", z: "2" } }));
  expect(JSON.parse(await call("Take"))).toMatchObject({ error: "Taken", data: { old: "1", z: "2" } });
});

/** The code of the folder of v1.0.0. */
function codeFor(before: string, now: string): string {
  const contract = contractOf(schema("v2.0.0", now));
  const files = generate(contract.model, contract.ir, {
    schemaFile: "api.ridl",
    targets: ["server", "validators"],
    history: [contractOf(schema("v1.0.0", before))],
  });
  return [...files].flatMap(([path, text]) => (path.startsWith("versions/") ? [text] : [])).join("");
}

describe("the code of a kept version", () => {
  test("has at most 200 lines for one renamed field of 44, in 12 responses and one more struct", () => {
    const fields = Array.from(
      { length: 43 },
      (_, index) => `  - field${index}${index < 35 ? "" : "?"}: string\n`,
    );
    const parts = (field: string): string => `struct Order
${field}${fields.join("")}
struct Entry
  - order?: Order
  - listing?: Order
  - offer?: Order
struct Page
  - page: uint32
service Api
  - List() => (orders: []Order, page: Page)
  - ListEntries() => (entries: []Entry, page: Page)
  - ListAllEntries() => (entries: []Entry, page: Page)
  - Floor() => (entry?: Entry)
${["Lowest", "Highest", "First", "Last"].map((name) => `  - ${name}() => (order?: Order)\n`).join("")}${[
  "One",
  "All",
]
  .map(
    (of) =>
      `  - Listings${of}() => (listings: []Order, page: Page)\n  - Offers${of}() => (offers: []Order, page: Page)\n`,
  )
  .join("")}`;
    const code = codeFor(parts("  - old: string\n"), parts(renamed("new: string", "old")));
    expect(code.split("\n").length - 1).toBeLessThanOrEqual(200);
  });

  test.each([
    ["a renamed field", 3, "  - old: string\n", renamed("new: string", "old")],
    ["another enum value, whose responses are checked", 2, "  - way: Way1\n", "  - way: Way2\n"],
  ])("has few lines for each method that a change concerns: %s", (_change, lines, before, now) => {
    const linesFor = (methods: number): number => {
      const parts = (field: string): string => `enum Way: string
  - up
${field.includes("Way2") ? "  - down\n" : ""}struct SortBy
${field.replace(/Way\d/, "Way")}struct Page
  - size?: uint32
  - sort?: []SortBy
service Api
${Array.from({ length: methods }, (_, index) => `  - List${index}(id${index}: uint32, at: timestamp, page?: Page) => (ids${index}: []uint32, page: Page, at: timestamp)\n`).join("")}`;
      return codeFor(parts(before), parts(now)).split("\n").length;
    };
    expect(linesFor(30) - linesFor(10)).toBe(20 * lines);
  });

  test("prints functions with the same code once, whatever their texts and keys contain", () => {
    const parts = (field: string): string => `struct Row
${field}  - writeRow: string
  - downFirstResponse: string
service Api
  - First(row: Row) => (row: Row)
  - Second(row: Row) => (row: Row)
  - Third(rows: []Row) => (rows: []Row)
`;
    const code = codeFor(parts("  - old: string\n"), parts(renamed("new: string", "old")));
    const functions = [...code.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
    expect(functions).toEqual([
      "faultsInRow",
      "faultsInRowList",
      "writeRow",
      "upFirstRequest",
      "upThirdRequest",
      "upRow",
      "downFirstResponse",
      "downThirdResponse",
      "downRow",
    ]);
    expect(code).toContain('writeRow: v.writeScalar(value["writeRow"]),');
  });
});

describe("an older version gives its own functions to those of a newer kept version", () => {
  const [a, b] = [renamed("b: string", "a"), "  - b: string\n"];

  test("in a recursive struct", async () => {
    const item = (leaf: string, more = ""): string =>
      `  - leaf: Leaf\n  - next?: Item\n  - text: string\n${more}struct Leaf\n${leaf}`;
    const live = await echoOf(item("  - a: string\n"), item(a), item(b, "  - more?: string\n"));
    const now = { leaf: { b: "1" }, text: "x", next: { leaf: { b: "2" }, text: "y" } };
    const first = { leaf: { a: "1" }, text: "x", next: { leaf: { a: "2" }, text: "y" } };
    expect(await put(live, 1, first)).toEqual({ received: now, status: 200, body: first });
    expect(await put(live, 2, now)).toEqual({ received: now, status: 200, body: now });
    expect(await put(live, 1, now)).toMatchObject({ status: 400 });
    expect(await put(live, 2, first)).toMatchObject({ status: 400 });
  });

  test("in a request", async () => {
    const parts = (leaf: string, more = ""): string =>
      `struct Leaf\n${leaf}struct Body\n  - item: Leaf\n  - text?: string\n${more}service Api\n  - Put(Body) => (Body)\n`;
    const [v1, v2, v3] = [parts("  - a: string\n"), parts(a), parts(b, "  - more?: string\n")].map(
      (text, index) => contractOf(schema(`v${index + 1}.0.0`, text)),
    ) as [Contract, Contract, Contract];
    const live = await loadInMemory({ ...v3, history: [v1, v2] });
    const now = { b: "1" };
    expect(await put(live, 1, { a: "1" })).toEqual({ received: now, status: 200, body: { a: "1" } });
    expect(await put(live, 2, now)).toEqual({ received: now, status: 200, body: now });
    expect(await put(live, 1, now)).toMatchObject({ status: 400 });
    expect(await put(live, 2, { a: "1" })).toMatchObject({ status: 400 });
  });
});

test("an older version uses functions that the next version prints once", async () => {
  const parts = (row: string, other: string): string =>
    `struct Row\n${row}struct Other\n${other}service Api\n  - First() => (row: Row)\n  - Second() => (row: Row)\n  - Third() => (row: Row, other: Other)\n  - Fourth() => (row: Row, other?: Other)\n`;
  const versions = [
    schema(
      "v1.0.0",
      parts("  - a: string\n", "  - x: string\n").replace("First() => (row: Row)", "First() => (row?: Row)"),
    ),
    schema("v2.0.0", parts("  - a: string\n", renamed("y: string", "x"))),
    schema("v3.0.0", parts(renamed("b: string", "a"), "  - y: string\n")),
  ].map(contractOf);
  const live = await loadInMemory({
    ...(versions[2] as (typeof versions)[0]),
    history: versions.slice(0, 2),
  });
  const both = { row: { b: "1" }, other: { y: "2" } };
  const methods = ["First", "Second", "Third", "Fourth"];
  const handlers = Object.fromEntries(
    methods.map((name, index) => [name, () => (index < 2 ? { row: both.row } : both)]),
  );
  const transport = transportTo(live, live.createServer({ Api: handlers }));
  const call = async (version: string, method: string): Promise<unknown> => {
    const headers = {
      "content-type": "application/json",
      webrpc: `webrpc@v0.44.0;gen-golang@v1;Api@${version}`,
    };
    return (
      await transport(`http://api.test/rpc/Api/${method}`, { method: "POST", headers, body: "{}" })
    ).json();
  };
  const outcomes = (version: string): Promise<readonly unknown[]> =>
    Promise.all(methods.map((method) => call(version, method)));
  const [v1, v2] = [
    { row: { a: "1" }, other: { x: "2" } },
    { row: { a: "1" }, other: { y: "2" } },
  ];
  expect(await outcomes("v1.0.0")).toEqual([{ row: v1.row }, { row: v1.row }, v1, v1]);
  expect(await outcomes("v2.0.0")).toEqual([{ row: v2.row }, { row: v2.row }, v2, v2]);
  expect(await outcomes("v3.0.0")).toEqual([{ row: both.row }, { row: both.row }, both, both]);
});
