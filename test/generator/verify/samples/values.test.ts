import { expect, test } from "vitest";
import { unconstrained } from "../../../../generator/language/model/meta/read.ts";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";
import { satisfies } from "../../../../generator/verify/samples/satisfies.ts";
import { Samples } from "../../../../generator/verify/samples/values.ts";
import { planOf } from "../../../support/sample-plan.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const float32Max = 3.4028234663852886e38;

test.each([
  ["uint8", [], [0, 1, 127, 255]],
  ["int8", ["minimum = -3", "maximum = 3"], [-3, 0, 1, 3]],
  ["float32", [], [-float32Max, 0.5, float32Max]],
  ["float32", ["minimum = 2"], [2, float32Max]],
  ["float32", ["maximum = -2"], [-float32Max, -2]],
])("the edges of %s with %j are %j", (type, meta, edges) => {
  const field = `struct T\n - n: ${type}\n${meta.map((line) => `   + ${line}\n`).join("")}`;
  const plan = planOf({ "m.ridl": `${header}${field}service S\n - M(t: T)\n` }, "m.ridl");
  const random = seededRandom(1);
  const samples = new Samples(plan, { side: "request", style: "edges", optional: "all", random });
  const found = new Set(Array.from({ length: 200 }, () => samples.body("T")["n"] as number));
  expect([...found].sort((a, b) => a - b)).toEqual(edges);
});

test.each([
  [
    ["minimum = 5", "maximum = 9007199254740995"],
    ["5", "9007199254740993", "9007199254740995"],
  ],
  [["maximum = -0.5"], ["-1", "-123456789012345678901234567890"]],
])("bigints with %j have the edges %j, and plain values within the limits", (meta, edges) => {
  const field = `struct T\n - n: bigint\n${meta.map((line) => `   + ${line}\n`).join("")}`;
  const plan = planOf({ "m.ridl": `${header}${field}service S\n - M() => (t: T)\n` }, "m.ridl");
  const valuesOf = (style: "edges" | "plain") => {
    const samples = new Samples(plan, { side: "response", style, optional: "all", random: seededRandom(1) });
    return new Set(Array.from({ length: 200 }, () => samples.body("T")["n"] as string));
  };
  expect([...valuesOf("edges")].sort()).toEqual([...edges].sort());
  expect(edges).toContain([...valuesOf("plain")][0]);
});

test.each([
  ["^a{3}$", 3],
  ["^a{2,3}$", 3],
  ["^a{4}$", 4],
])("texts of %s with %i characters match it", (pattern, length) => {
  const meta = `   + pattern = "${pattern}"\n   + minLength = ${length}\n   + maxLength = ${length}\n`;
  const plan = planOf(
    { "m.ridl": `${header}struct T\n - n: string\n${meta}service S\n - M(t: T)\n` },
    "m.ridl",
  );
  const options = { side: "request", style: "plain", optional: "all", random: seededRandom(1) } as const;
  expect(new Samples(plan, options).body("T")["n"]).toBe("a".repeat(length));
});

test.each([
  ['pattern = "^(?=.*[A-Z])(?=.*[0-9]).{8,20}$"'],
  ['pattern = "^(?!admin$)[a-z]+$"'],
  ['pattern = "^(?:a|b)(?<rest>[a-f-]+?)[0-9]$"'],
  ['pattern = "[A-Z]"', "minLength = 8"],
  ['pattern = "@acme[.]com$"', "format = email"],
  ["format = email", "maxLength = 12"],
  ["format = email", "minLength = 150"],
  ["format = uri", "maxLength = 30"],
  ["format = uri", "maxLength = 10"],
  ["format = hostname", "minLength = 40"],
  ["format = hostname", "minLength = 200"],
  ["format = decimal", "maxLength = 4"],
  ["format = ipv4", "maxLength = 7"],
  ["format = ipv6", "maxLength = 4"],
  ['pattern = "^(?=x{9})[a-z]{9}$"', "example = xxxxxxxxx"],
])("texts with %j are valid", (...meta) => {
  const lines = meta.map((line) => `   + ${line}\n`).join("");
  const plan = planOf(
    { "m.ridl": `${header}struct T\n - n: string\n${lines}service S\n - M(t: T)\n` },
    "m.ridl",
  );
  const constraints = plan.finder.struct("T").fields[0]?.constraints ?? unconstrained;
  for (const style of ["plain", "edges"] as const) {
    const options = { side: "request", style, optional: "all", random: seededRandom(1) } as const;
    const samples = new Samples(plan, options);
    for (let count = 0; count < 50; count++)
      expect(samples.body("T")["n"]).toSatisfy((text) => satisfies(text, constraints));
    expect(samples.invalid.size).toBe(0);
  }
});

test.each([
  ["string", "n", `   + pattern = "^(?=b)a$"\n`],
  ["[]Code", "codes", ""],
])("a text of %s %s that cannot be generated is reported", (type, field, meta) => {
  const code = 'type Code: string\n + pattern = "^(?=b)a$"\n';
  const plan = planOf(
    { "m.ridl": `${header}${code}struct T\n - ${field}: ${type}\n${meta}service S\n - M(t: T)\n` },
    "m.ridl",
  );
  for (const style of ["plain", "edges"] as const) {
    const samples = new Samples(plan, { side: "request", style, optional: "all", random: seededRandom(1) });
    while (samples.invalid.size === 0) samples.body("T");
    expect([...samples.invalid]).toEqual([`T.${field}`]);
  }
});

test.each([
  ["string", "plain", 6],
  ["string", "plain", 12],
  ["string", "edges", 12],
  ["uint8", "plain", 12],
  ["int8", "edges", 12],
] as const)("a map with keys of %s has its minimum of entries: %s, %i", (key, style, minItems) => {
  const map = `struct T\n - m: map<${key},string>\n   + minItems = ${minItems}\n   + maxItems = ${minItems}\n`;
  const plan = planOf({ "m.ridl": `${header}${map}service S\n - M(t: T)\n` }, "m.ridl");
  const options = { side: "request", style, optional: "all", random: seededRandom(1) } as const;
  const keys = Object.keys(new Samples(plan, options).body("T")["m"] as object);
  expect(keys).toHaveLength(minItems);
  if (minItems === 6) expect(keys.slice(4)).toEqual(["fifth", "sixth"]);
});

test("of limited samples, structs contain themselves only if they must, and what follows the limit is short", () => {
  const fields = Array.from({ length: 12 }, (_, at) => ` - a${at}?: bool\n`).join("");
  const struct = "struct T\n - n: int8\n - t?: T\n - all: []T\n - byName: map<string,T>\n - u: U\nstruct U\n";
  const plan = planOf({ "m.ridl": `${header}${struct}${fields}service S\n - M(t: T)\n` }, "m.ridl");
  const options = { side: "request", style: "plain", optional: "all", maxValues: 10 } as const;
  const { n, u, ...others } = new Samples(plan, { ...options, random: seededRandom(1) }).body("T");
  expect(n).toBeTypeOf("number");
  expect(others).toEqual({ all: [], byName: {} });
  // n, all, byName and u come before.
  expect(Object.keys(u as object)).toEqual(["a0", "a1", "a2", "a3", "a4", "a5", "a6"]);
});

test("lists have the chosen number of entries, within their limits", () => {
  const lists = "struct T\n - a: []string\n - b: []string\n   + minItems = 3\n";
  const plan = planOf({ "m.ridl": `${header}${lists}service S\n - M(t: T)\n` }, "m.ridl");
  const options = { side: "request", style: "plain", optional: "all", entries: 1 } as const;
  const { a, b } = new Samples(plan, { ...options, random: seededRandom(1) }).body("T");
  expect(a).toHaveLength(1);
  expect(b).toHaveLength(3);
});

test.each([
  ["A", "struct A\n - a: A\n"],
  [
    "A",
    "struct A\n - a?: B\n  + oneOf = k\n - b?: B\n  + oneOf = k\nstruct B\n - as: []A\n  + minItems = 2\n",
  ],
  ["B", "type A: []A\n + minItems = 2\nstruct B\n - a: A\n"],
])("values of %s end in: %j", (name, schema) => {
  const plan = planOf({ "m.ridl": `${header}${schema}service S\n - M(v: ${name})\n` }, "m.ridl");
  for (const style of ["plain", "edges"] as const)
    for (const optional of ["all", "none"] as const)
      expect(
        new Samples(plan, { side: "request", style, optional, random: seededRandom(1) }).body(name),
      ).toBeTypeOf("object");
});

test.each(["plain", "edges"] as const)("%s values set one field of each group, and end", (style) => {
  const expression = [
    "struct Not\n - of: Expression",
    "struct Expression\n - not?: Not\n  + oneOf = kind\n - and?: []Expression\n  + oneOf = kind\n  + minItems = 2",
    " - name?: Name\n  + oneOf = kind\n - from?: int\n  + oneOf = start\n - now?: bool\n  + oneOf = start",
    "struct Name\n - text?: string\n  + oneOf = form\n - inner?: Expression\n  + oneOf = form",
  ].join("\n");
  const plan = planOf({ "m.ridl": `${header}${expression}\nservice S\n - M(e: Expression)\n` }, "m.ridl");
  for (const side of ["request", "response"] as const)
    for (const optional of ["all", "none", "some"] as const) {
      const samples = new Samples(plan, { side, style, optional, random: seededRandom(1) });
      const found = Array.from({ length: 100 }, () => samples.body("Expression"));
      for (const value of found) {
        const set = Object.keys(value).filter((name) => value[name] !== null);
        expect(set.filter((name) => ["not", "and", "name"].includes(name))).toHaveLength(1);
        expect(set.filter((name) => ["from", "now"].includes(name))).toHaveLength(1);
      }
      expect(new Set(found.flatMap((value) => Object.keys(value)))).toEqual(
        new Set(["not", "and", "name", "from", "now"]),
      );
    }
});

test.each(["plain", "edges"] as const)("%s values set the fields of their kind, and end", (style) => {
  const shape = [
    "enum K: uint8\n - dot\n - pair = 9\n - many",
    "struct Shape\n - kind: K\n - at?: int\n  + when = kind.dot\n - left?: Shape\n  + when = kind.pair",
    " - right?: Shape\n  + when = kind.pair\n - all?: []Shape\n  + when = kind.many\n  + minItems = 2",
    " - name?: string\n  + when = kind.many?\n  + when = kind.pair?",
  ].join("\n");
  const plan = planOf({ "m.ridl": `${header}${shape}\nservice S\n - M(s: Shape)\n` }, "m.ridl");
  const allowed: Readonly<Record<string, readonly string[]>> = {
    dot: ["kind", "at"],
    pair: ["kind", "left", "right", "name"],
    many: ["kind", "all", "name"],
  };
  for (const side of ["request", "response"] as const)
    for (const optional of ["all", "none", "some"] as const) {
      const found = Array.from({ length: 60 }, (_, unionCase) =>
        new Samples(plan, { side, style, optional, random: seededRandom(unionCase), unionCase }).body(
          "Shape",
        ),
      );
      for (const value of found) {
        const kind = { 0: "dot", 9: "pair", 2: "many" }[Number(value["kind"])] ?? String(value["kind"]);
        const set = Object.keys(value).filter((name) => value[name] !== null);
        const names = allowed[kind]?.filter((name) => optional === "all" || name !== "name");
        expect(set.filter((name) => optional === "all" || name !== "name")).toEqual(names);
      }
      expect(new Set(found.slice(0, 3).map(({ kind }) => String(kind))).size).toBe(3);
    }
});
