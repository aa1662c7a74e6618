/** What clients do with enum values that their schema does not know. */
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import { compile } from "../../../generator/language/compile.ts";
import { isOneOf } from "../../../generator/runtime/src/shapes.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

enum Kind: uint8
  - cat
  - dog
  - bird
    + json = BIRD
enum None: string
enum Pets: uint8
${Array.from({ length: 41 }, (_, index) => `  - v${index}`).join("\n")}

type Sort: Kind

struct Pet
  - kind?: Kind
  - sort?: Sort
  - none?: None
  - pets?: Pets
  - isNull?: Kind
    + nullable = always
  - list?: []Kind
  - keys?: map<Sort,string>
  - values?: map<string,Kind>
  - both?: map<Kind,[]Kind>
  - next?: Pet
  - id?: int64

struct Wanted
  - name?: string

service Pets
  - Get(Wanted) => (Pet)
  - Put(Pet) => (Wanted)
  - Watch(Wanted) => stream (Pet)
`;

interface Service {
  get(req: object): Promise<unknown>;
  put(req: object): Promise<unknown>;
  watch(req: object): AsyncIterable<unknown>;
}

const forms = ["number", "bigint"] as const;
const clients = new Map<string, LoadedContract>();

beforeAll(async () => {
  const { result, diagnostics } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  const { model, ir } = result;
  clients.set("open", await loadInMemory({ model, ir }));
  for (const int64 of forms) clients.set(int64, await loadInMemory({ model, ir, int64, enums: "closed" }));
});

/** Returns a client that receives `body`. */
function receiving(name: string, body: unknown): Service {
  const text = JSON.stringify(body);
  const transport = async () => {
    const own = new Response(`${text}\n`, { headers: { "Content-Type": "application/json" } });
    return { status: 200, headers: own.headers, text: async () => text, body: own.body };
  };
  const ServiceOf = clients.get(name)?.client["Pets"];
  if (ServiceOf === undefined) throw new Error("There is no client.");
  return new ServiceOf({ url: "http://memory", transport }) as unknown as Service;
}

const known = {
  kind: "cat",
  sort: "BIRD",
  pets: "v40",
  isNull: null,
  list: ["cat", "dog"],
  keys: { cat: "", BIRD: "" },
  values: { any: "dog" },
  both: { dog: ["cat"] },
  next: { kind: "dog", isNull: "cat" },
};

const expected = "one of cat, dog, BIRD";

/** A response with an unknown value, and its path. */
const unknown: readonly (readonly [string, object, readonly (string | number)[], string, string])[] = [
  ["a field", { kind: "axolotl" }, ["kind"], expected, '"axolotl"'],
  ["another case", { kind: "Cat" }, ["kind"], expected, '"Cat"'],
  ["a name that is not the text in JSON", { kind: "bird" }, ["kind"], expected, '"bird"'],
  ["a number", { kind: 0 }, ["kind"], expected, "0"],
  ["an alias", { sort: "axolotl" }, ["sort"], expected, '"axolotl"'],
  ["an enum without values", { none: "axolotl" }, ["none"], "one of ", '"axolotl"'],
  ["a nullable field", { isNull: "axolotl" }, ["isNull"], expected, '"axolotl"'],
  ["an item", { list: ["cat", "axolotl"] }, ["list", 1], expected, '"axolotl"'],
  ["a key", { keys: { axolotl: "" } }, ["keys", "axolotl"], expected, '"axolotl"'],
  [
    "a property of every object",
    { keys: { constructor: "" } },
    ["keys", "constructor"],
    expected,
    '"constructor"',
  ],
  ["a value of a map", { values: { "a/b": "axolotl" } }, ["values", "a/b"], expected, '"axolotl"'],
  ["an item in a map", { both: { dog: ["axolotl"] } }, ["both", "dog", 0], expected, '"axolotl"'],
  [
    "a nested field",
    { next: { next: { kind: "axolotl" } } },
    ["next", "next", "kind"],
    expected,
    '"axolotl"',
  ],
  [
    "an enum of 41 values",
    { pets: "v41" },
    ["pets"],
    `one of ${Array.from({ length: 40 }, (_, index) => `v${index}`).join(", ")} and 1 more`,
    '"v41"',
  ],
];

describe.each(forms)("closed, with int64 as %s", (int64) => {
  test("known values are passed on", async () => {
    expect(await receiving(int64, known).get({})).toEqual(known);
    for await (const item of receiving(int64, known).watch({})) {
      expect(item).toEqual(known);
      break;
    }
  });

  test("null for a map with keys of an enum is an empty map or absent, as for every map", async () => {
    expect(await receiving(int64, { keys: null, kind: null }).get({})).toEqual({ kind: null });
  });

  test.each(unknown)("%s is rejected", async (_, body, path, wanted, found) => {
    const message = `expected ${wanted}, found ${found}`;
    const rejection = {
      name: "WebrpcBadResponse",
      side: "response",
      issues: [{ path, expected: wanted, found, message }],
    };
    await expect(receiving(int64, body).get({})).rejects.toMatchObject(rejection);
  });

  test("an item of a stream is rejected", async () => {
    const items = receiving(int64, { kind: "axolotl" }).watch({})[Symbol.asyncIterator]();
    await expect(items.next()).rejects.toMatchObject({ issues: [{ path: ["kind"], found: '"axolotl"' }] });
  });
});

test.each(unknown)("closed: %s is sent, and the server checks it", async (_, body) => {
  let sent: unknown;
  const transport = async (_url: string, init: { readonly body: string }) => {
    sent = JSON.parse(init.body);
    return { status: 200, headers: new Headers(), text: async () => "{}" };
  };
  const ServiceOf = clients.get("number")?.client["Pets"];
  if (ServiceOf === undefined) throw new Error("There is no client.");
  await (new ServiceOf({ url: "http://memory", transport }) as unknown as Service).put(body);
  expect(sent).toEqual(body);
});

test.each(unknown)("open: %s is passed on", async (_, body) => {
  expect(await receiving("open", body).get({})).toEqual(body);
});

test("open enums and schemas without enums add no conversions to a client", () => {
  const plain =
    "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nservice S\n  - M(x: string) => (y: []string)\n";
  const withEnum = plain.replace("service", "enum E: string\n  - a\nservice").replace("y: []string", "y: E");
  const clientOf = (text: string, enums: "open" | "closed") => {
    const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
    if (result === undefined) throw new Error("refused");
    const files = generate(result.model, result.ir, { schemaFile: "t.ridl", targets: ["client"], enums });
    return [...files.values()].join("");
  };
  expect(clientOf(plain, "closed")).toBe(clientOf(plain, "open"));
  expect(clientOf(withEnum, "open")).not.toContain("shapeOfMResponse");
  expect(clientOf(withEnum, "closed")).toContain("asEnum(E)");
});

test.each<[unknown, boolean]>([
  ["cat", true],
  ["bird", true],
  ["BIRD", false],
  ["constructor", false],
  [undefined, false],
  [null, false],
  [0, false],
])("isOneOf(…, %j) is %s", (value, isKnown) => {
  expect(isOneOf({ A: "cat", BIRD: "bird" }, value)).toBe(isKnown);
});
