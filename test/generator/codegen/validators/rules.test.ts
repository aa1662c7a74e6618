import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Issues, pointerOf } from "../../../../generator/runtime/src/errors.ts";
import { planOf } from "../../../support/sample-plan.ts";
import { type LoadedValidators, loadValidators } from "../../../support/validators.ts";

interface Rule {
  readonly rule: string;
  readonly declare?: readonly string[];
  readonly fields: readonly string[];
  readonly reads?: readonly (readonly [unknown] | readonly [unknown, unknown])[];
  readonly refuses?: readonly (readonly [unknown, readonly string[]])[];
  readonly answers?: readonly (readonly [unknown] | readonly [unknown, unknown])[];
  readonly badAnswers?: readonly unknown[];
}

/** See test/wire/README.md. */
const rules: readonly Rule[] = JSON.parse(
  readFileSync(new URL("../../../wire/validation.json", import.meta.url), "utf8"),
);

describe.each(rules)("$rule", (rule) => {
  const validators = validatorsOf(rule);
  const read = validators.read("Body");
  const check = validators.check("Body");
  const write = validators.write("Body");

  test.each((rule.reads ?? []).map(named))("reads %s", (_, [sent, seen = sent]) => {
    const value = structuredClone(sent);
    expect(told(read(value))).toEqual([]);
    expect(value).toStrictEqual(meant(seen));
  });

  test.each((rule.refuses ?? []).map(named))("refuses %s", (_, [sent, faults]) => {
    expect(told(read(structuredClone(sent)))).toEqual(faults);
  });

  test.each((rule.answers ?? []).map(named))("answers %s", (_, [answered, written = answered]) => {
    const value = frozen(meant(answered));
    expect(told(check(value))).toEqual([]);
    expect(JSON.parse(JSON.stringify(write(value)))).toStrictEqual(written);
  });

  test.each((rule.badAnswers ?? []).map((value) => named([value] as const)))(
    "does not answer %s",
    (_, [answered]) => {
      expect(told(check(frozen(meant(answered))))).not.toEqual([]);
    },
  );
});

function validatorsOf({ declare = [], fields }: Rule): LoadedValidators {
  const lines = [
    "webrpc = v1",
    "name = rules",
    "version = v1",
    "basepath = /rpc",
    ...declare,
    "struct Body",
    ...fields.map((line) => `  ${line}`),
    "service Rules",
    "  - Try(Body) => (Body)",
  ];
  return loadValidators(planOf({ "rules.ridl": `${lines.join("\n")}\n` }, "rules.ridl"));
}

function named<Row extends readonly [unknown, ...unknown[]]>(row: Row): [string, Row] {
  return [JSON.stringify(row[0]), row];
}

function told(issues: Issues | undefined): string[] {
  return (issues?.listed ?? []).map(
    ({ path, expected, found }) => `${pointerOf(path)}: ${expected}, ${found}`,
  );
}

/** `"$bigint:5"` → `5n`. */
function meant(value: unknown): unknown {
  if (typeof value === "string" && value.startsWith("$bigint:"))
    return BigInt(value.slice("$bigint:".length));
  if (Array.isArray(value)) return value.map(meant);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, meant(inner)]));
}

/** Handlers may reuse their objects, so neither checking nor writing may change them. */
function frozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}
