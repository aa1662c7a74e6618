import { expect, test } from "vitest";
import { createPlan } from "../../../../generator/codegen/generate.ts";
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
