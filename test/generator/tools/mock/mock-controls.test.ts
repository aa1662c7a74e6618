import { expect, test } from "vitest";
import { readControls, readDelay } from "../../../../generator/tools/mock/mock-controls.ts";
import { planOf } from "../../../support/sample-plan.ts";

test.each([
  ["0", 0],
  ["0ms", 0],
  ["200", 200],
  ["1.5s", 1_500],
  ["1.5 s", 1_500],
  ["59.999s", 59_999],
  ["60s", 60_000],
  ["60.001s", undefined],
  ["60000", 60_000],
  ["60000.001ms", undefined],
  ["60001ms", undefined],
  ["999999ms", undefined],
  ["1000000ms", undefined],
  ["0.125s", 125],
  ["0.1255s", undefined],
  ["-1ms", undefined],
  ["1m", undefined],
  ["", undefined],
])("a delay of %j is %j ms", (text, ms) => {
  expect(readDelay(text)).toBe(ms);
});

const plan = planOf(
  { "m.ridl": "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\nservice S\n - M()\n" },
  "m.ridl",
);
const settings = { seed: 1, delayMs: 0, items: 2, itemDelayMs: 0 };

test.each<[string, string, object | string]>([
  ["mock-seed", "0", { seed: 0 }],
  ["mock-seed", "999999999", { seed: 999_999_999 }],
  ["mock-seed", "1000000000", "Mock-Seed takes an integer from 0 to 999999999"],
  ["mock-items", "0", { items: 0 }],
  ["mock-items", "99999", { items: 99_999 }],
  ["mock-items", "100000", { items: 100_000 }],
  ["mock-items", "100001", "Mock-Items takes an integer from 0 to 100000"],
  ["mock-items", "1.5", "Mock-Items takes an integer from 0 to 100000"],
])("%s: %s", (name, value, found) => {
  const read = readControls((one) => (one === name ? value : undefined), settings, plan.errors);
  if (typeof found === "string") expect(read).toBe(found);
  else expect(read).toMatchObject({ ...settings, ...found });
});
