import { describe, expect, test } from "vitest";
import { createPlan } from "../../../../generator/codegen/generate.ts";
import type { Json } from "../../../../generator/codegen/plan/json.ts";
import type { Side } from "../../../../generator/codegen/plan/values.ts";
import type { Schema } from "../../../../generator/explorer/page/schema/ir.ts";
import { shapeOf } from "../../../../generator/explorer/page/schema/shape.ts";
import { type CompiledSchema, compile } from "../../../../generator/language/compile.ts";
import {
  type CoreType,
  coreTypeNamedLike,
  coreTypeNames,
} from "../../../../generator/language/model/core-types.ts";
import { sameNames } from "../../../../generator/language/syntax/foreign-types.ts";
import { findBreaks } from "../../../../generator/verify/breaking/compare.ts";
import { invalidVariants } from "../../../../generator/verify/contract-test/invalid-variants.ts";
import { toHandlerValue } from "../../../../generator/verify/replay/stub-server.ts";
import { Samples } from "../../../../generator/verify/samples/values.ts";
import { plainAjv } from "../../../support/json-schema.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { seededRandom } from "../../../support/random.ts";
import { loadValidators } from "../../../support/validators.ts";

type Style = "edges" | "plain";

/** A contract whose bodies hold one value of a type, and everything generated from it. */
class Contract {
  readonly compiled: CompiledSchema;
  readonly plan;
  readonly validators;
  readonly judge;

  constructor(type: CoreType) {
    const head = "webrpc = v1\nname = types\nversion = v1\nbasepath = /rpc\n";
    const text = `${head}struct Ask\n  - value: ${type}\nstruct Answer\n  - value: ${type}\nservice Types\n  - Try(Ask) => (Answer)\n`;
    const { result } = compile("types.ridl", memoryReader({ "types.ridl": text }));
    if (result === undefined) throw new Error(`the schema of ${type} has faults`);
    this.compiled = result;
    this.plan = createPlan(result.model, result.ir, { schemaFile: "types.ridl" });
    this.validators = loadValidators(this.plan);
    this.judge = plainAjv(this.validators);
  }

  samples(side: Side, style: Style): readonly Json[] {
    const samples = new Samples(this.plan, { side, style, optional: "all", random: seededRandom(1) });
    return Array.from({ length: 40 }, () => samples.body(side === "request" ? "Ask" : "Answer"));
  }

  isRead(body: Json): boolean {
    return this.validators.read("Ask")(structuredClone(body)) === undefined;
  }

  isAnswered(body: Json): boolean {
    // If null means absent, handlers omit the field; the type `null` has no other value.
    const value = { value: null, ...toHandlerValue(this, "Answer", body, []) };
    return this.validators.check("Answer")(value) === undefined;
  }
}

const contracts = new Map(coreTypeNames.map((name) => [name, new Contract(name)]));

function contractOf(name: CoreType): Contract {
  const contract = contracts.get(name);
  if (contract === undefined) throw new Error(`no contract of ${name}`);
  return contract;
}

describe.each(coreTypeNames)("%s", (name) => {
  const contract = contractOf(name);

  test.each<Style>(["edges", "plain"])(
    "has samples that are valid in requests and responses: %s",
    (style) => {
      for (const body of contract.samples("request", style)) {
        expect(contract.isRead(body), JSON.stringify(body)).toBe(true);
        expect(contract.judge("Ask")(body), JSON.stringify(body)).toBe(true);
      }
      for (const body of contract.samples("response", style)) {
        expect(contract.isAnswered(body), JSON.stringify(body)).toBe(true);
        expect(contract.judge("Answer")(body), JSON.stringify(body)).toBe(true);
      }
    },
  );

  test("has invalid variants that every request rejects", () => {
    const [sample = {}] = contract.samples("request", "plain");
    const variants = invalidVariants(contract.plan, "Ask", sample);
    const wrong = variants.filter(({ description }) => description !== "/value is missing");
    expect(wrong.length === 0).toBe(name === "any" || name === "null");
    for (const { body, description } of variants) expect(contract.isRead(body), description).toBe(false);
  });

  test("has its own input in the explorer", () => {
    const schema = { types: new Map() } as unknown as Schema;
    const { kind } = shapeOf(schema, { type: name, meta: {} });
    expect(kind === "any").toBe(name === "any");
  });
});

test.each([...sameNames])("the name %s of another language means %s", (foreign, name) => {
  expect(coreTypeNamedLike(foreign)).toEqual({ name, isSame: true });
  expect(coreTypeNames).not.toContain(foreign);
});

/** Whether a type change is breaking, by side. */
const refusals = { request: "request-value-rejected", response: "response-value-unexpected" } as const;

describe.each<Side>(["request", "response"])("a type that may change to another: %s", (side) => {
  test.each(coreTypeNames)("%s", (from) => {
    const before = contractOf(from);
    for (const to of coreTypeNames) {
      const now = contractOf(to);
      // Responses are written by the new version and read by callers of the old one.
      const [writer, reader] = side === "request" ? [before, now] : [now, before];
      const breaks = findBreaks({ before: before.compiled.model, now: now.compiled.model, first: "servers" });
      if (breaks.some((found) => found.name === refusals[side])) continue;
      for (const body of writer.samples("response", "edges")) {
        const isTaken = side === "request" ? reader.isRead(body) : reader.judge("Answer")(body);
        expect(isTaken, `${from} to ${to}: ${JSON.stringify(body)}`).toBe(true);
      }
    }
  });
});
