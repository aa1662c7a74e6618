import { expect, test } from "vitest";
import { standardSchema } from "../../../generator/runtime/src/validation.ts";

const date = new Date(0);
const invalidDate = new Date(Number.NaN);

test.each<[unknown, unknown]>([
  [undefined, undefined],
  [null, null],
  [{ a: null }, { a: null }],
  [{ a: undefined }, {}],
  [{ a: [{ b: undefined }, 1n] }, { a: [{}, 1n] }],
  [date, "1970-01-01T00:00:00.000Z"],
  [invalidDate, invalidDate],
])("a reader gets a copy of %o as JSON would have it", (value, copy) => {
  const read: unknown[] = [];
  standardSchema((holder) => {
    read.push(holder.value);
    return undefined;
  })["~standard"].validate(value);
  expect(read).toStrictEqual([copy]);
});
