import { expect, test } from "vitest";
import { findBreaks } from "../../../generator/breaking/compare.ts";
import { type BreakingRuleName, breakingRules, isBreakingRule } from "../../../generator/breaking/rules.ts";
import { compile } from "../../../generator/compile.ts";
import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.ts";
import type { Model } from "../../../generator/model/model.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { changes, type Verdict } from "./changes.ts";

function modelOf(text: string): Model {
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return result.model;
}

/** What is only a matter of code is none of calls. */
function verdictOf(found: readonly Diagnostic[]): Verdict {
  const onWire = found.filter(({ name }) => isBreakingRule(name) && breakingRules[name].kind !== "source");
  if (onWire.some(({ severity }) => severity === "error")) return "breaks";
  return onWire.length > 0 ? "differs" : "same";
}

test("the table has forty changes and more, and every rule", () => {
  expect(changes.length).toBeGreaterThanOrEqual(40);
  expect(new Set(changes.map(({ name }) => name)).size).toBe(changes.length);
  const named = new Set(changes.flatMap(({ rules }) => rules));
  const missing = (Object.keys(breakingRules) as BreakingRuleName[]).filter((rule) => !named.has(rule));
  expect(missing).toEqual([]);
});

test.each(changes)("$name", ({ before, now, servers, callers, rules }) => {
  const models = { before: modelOf(before), now: modelOf(now) };
  const found = findBreaks({ ...models, first: "servers" });
  expect(found.map(({ name }) => name)).toEqual(rules);
  expect(verdictOf(found)).toBe(servers);
  expect(verdictOf(findBreaks({ ...models, first: "callers" }))).toBe(callers);
});

test("an edit of a type that forty methods use is one finding, at the type", () => {
  const methods = Array.from(
    { length: 40 },
    (_, index) => `  - Do${index}(pet: Pet, more: []Pet) => (pet: Pet)\n`,
  );
  const text = (type: string): string =>
    `webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\nstruct Pet\n  - age: ${type}\nservice Pets\n${methods.join("")}`;
  const found = findBreaks({ before: modelOf(text("int32")), now: modelOf(text("int16")), first: "servers" });
  expect(found.map(({ name, at }) => [name, at?.file.positionAt(at.span.start).line])).toEqual([
    ["request-value-refused", 6],
  ]);
});
