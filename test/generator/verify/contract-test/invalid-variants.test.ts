import { expect, test } from "vitest";
import { createPlan } from "../../../../generator/codegen/generate.ts";
import type { Json } from "../../../../generator/codegen/plan/json.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { invalidVariants } from "../../../../generator/verify/contract-test/invalid-variants.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";

test.each(["int8", "int64", "uint64", "uint32"])(
  "the invalid variant of %s has a fraction, however large the limits are",
  (type) => {
    const text = `${head}struct Ask\n  - at: ${type}\nservice S\n  - Do(Ask) => (Ask)\n`;
    const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
    if (result === undefined) throw new Error("invalid schema");
    const plan = createPlan(result.model, result.ir, { schemaFile: "t.ridl" });
    const broken = [...invalidVariants(plan, "Ask", { at: 1 })].filter(({ description }) =>
      description.includes("not an integer"),
    );
    expect(broken).toHaveLength(1);
    for (const { body } of broken) expect(Number.isInteger((body as { at: number }).at)).toBe(false);
  },
);

test("the invalid variants of a group have none of its fields, or two", () => {
  const fields = "- card?: string\n   + oneOf = method\n - iban?: string\n   + oneOf = method\n";
  const text = `${head}struct Ask\n - pay: Pay\nstruct Pay\n ${fields}service S\n  - Do(Ask) => (Ask)\n`;
  const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
  if (result === undefined) throw new Error("invalid schema");
  const plan = createPlan(result.model, result.ir, { schemaFile: "t.ridl" });
  const variants = invalidVariants(plan, "Ask", { pay: { card: null, iban: "DE1" } });
  expect(variants.filter(({ description }) => /none|next to/.test(description))).toEqual([
    { body: { pay: { card: null } }, description: "/pay has none of card, iban" },
    {
      body: { pay: { card: expect.any(String), iban: "DE1" } },
      description: "/pay/card is set next to iban",
    },
  ]);
});

test("the invalid variants of a kind lack one of its fields, or have one of another", () => {
  const fields =
    " - kind: K\n - card?: string\n   + when = kind.card\n - iban?: string\n   + when = kind.bank\n";
  const kinds = "enum K: uint8\n - card = 3\n - bank\n - cash\n";
  const text = `${head}${kinds}struct Ask\n - pay: Pay\nstruct Pay\n${fields}service S\n  - Do(Ask) => (Ask)\n`;
  const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
  if (result === undefined) throw new Error("invalid schema");
  const plan = createPlan(result.model, result.ir, { schemaFile: "t.ridl" });
  const found = (pay: Json): readonly string[] =>
    invalidVariants(plan, "Ask", { pay })
      .filter(({ description }) => / for /.test(description))
      .map(({ body, description }) => `${description}: ${Object.keys((body as { pay: object }).pay)}`);
  expect(found({ kind: 3, card: "1" })).toEqual([
    "/pay/card is missing for card: kind",
    "/pay/iban is set for card: kind,card,iban",
  ]);
  expect(found({ kind: "cash" })).toEqual(["/pay/card is set for cash: kind,card"]);
});

test("the invalid variants of a derived struct are those of its own fields, also of branded ones", () => {
  const pet = " - id: Id\n - name: string\n   + maxLength = 1\n   + message = Hi\n - age: uint8\n";
  const types = `type Id: uint32\n + brand = true\nstruct Pet\n${pet}type Ask: Pet\n + omit = age\ntype Patch: Ask\n + partial = true\n`;
  const text = `${head}${types}service S\n  - Do(ask: Ask, patch: Patch)\n`;
  const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
  if (result === undefined) throw new Error("invalid schema");
  const plan = createPlan(result.model, result.ir, { schemaFile: "t.ridl" });
  const found = (name: string): readonly string[] =>
    invalidVariants(plan, name, { id: 1, name: "a" }).map(({ description }) => description);
  const wrong = (field: string): readonly string[] => found("Patch").filter((one) => one.startsWith(field));
  expect(wrong("/id")).toEqual([
    "/id is an object with an unknown field",
    "/id is less than 0",
    "/id is more than 4294967295",
    "/id is not an integer",
    "/id is text",
  ]);
  expect(wrong("/name")).toEqual([
    "/name is an object with an unknown field",
    "/name is a number",
    "/name is longer than 1",
  ]);
  const missing = ["/id is missing", "/id is null", "/name is missing", "/name is null"];
  expect(found("Ask")).toEqual(expect.arrayContaining([...missing, ...found("Patch")]));
  expect(found("Ask")).toHaveLength(missing.length + found("Patch").length);
});

test("an integer above 2^52 has no variant with a fraction", () => {
  const variants = (minimum: string): readonly string[] => {
    const text = `${head}struct A\n - n: uint64\n   + minimum = ${minimum}\nservice S\n  - Do(a: A)\n`;
    const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
    if (result === undefined) throw new Error("invalid schema");
    const plan = createPlan(result.model, result.ir, { schemaFile: "t.ridl" });
    return invalidVariants(plan, "A", { n: Number(minimum) }).map(({ description }) => description);
  };
  expect(variants("4503599627370495")).toContain("/n is not an integer");
  expect(variants("4503599627370496")).not.toContain("/n is not an integer");
});
