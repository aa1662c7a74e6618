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
