import { expect, test } from "vitest";
import { readDeprecation } from "../../../../generator/language/model/annotations.ts";

function read(deprecated: string | undefined, sunset: string | undefined) {
  return readDeprecation([
    ...(deprecated === undefined ? [] : [{ name: "deprecated", value: deprecated }]),
    ...(sunset === undefined ? [] : [{ name: "sunset", value: sunset }]),
  ]);
}

test.each([
  [undefined, undefined, {}],
  ["use Find", undefined, {}],
  ["2026-11-26", undefined, { deprecated: "2026-11-26" }],
  ["2026-11-26, use Find", "2027-01-31", { deprecated: "2026-11-26", sunset: "2027-01-31" }],
  ["2026-11-26: use Find", "2026-11-26", { deprecated: "2026-11-26", sunset: "2026-11-26" }],
  ["use Find", "2028-02-29", { sunset: "2028-02-29" }],
  ["20 items are too few", undefined, {}],
])("@deprecated:%j @sunset:%j", (deprecated, sunset, dates) => {
  expect(read(deprecated, sunset)).toEqual({ dates, faults: [] });
});

test.each([
  ["2026-13-01, use Find", undefined, {}, "deprecated", '"2026-13-01" is not a date'],
  ["2026-1-1", undefined, {}, "deprecated", '"2026-1-1" is not a date'],
  [undefined, "2027-02-29", {}, "sunset", '"2027-02-29" is not a date'],
  [undefined, "31.1.2027", {}, "sunset", '"31.1.2027" is not a date'],
  [undefined, "", {}, "sunset", "it has no date"],
  ["2026-11-26", "2026-11-25", { deprecated: "2026-11-26" }, "sunset", "it is before the deprecation"],
])("@deprecated:%j @sunset:%j has a fault", (deprecated, sunset, dates, annotation, reason) => {
  expect(read(deprecated, sunset)).toEqual({ dates, faults: [{ annotation, reason }] });
});
