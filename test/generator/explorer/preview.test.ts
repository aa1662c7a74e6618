/** The previews of a stream's items. */
import { expect, test } from "vitest";
import { previewOf, sharedStart } from "../../../generator/explorer/page/json/preview.ts";

test.each([
  [['{"at":1}', '{"at":2}'], '{"at":1}'],
  [['{"at":1}'], '{"at":1}'],
  [['{"at":1}', '{"at":1}'], '{"at":1}'],
  [['{"kind":"a","at":1}', '{"kind":"a","at":2}'], '{…,"at":1}'],
  [
    ['{"id":"2f1c6a3e-8f0e-11-46","log":{}}', '{"id":"2f1c6a3e-8f0e-11-45","log":{}}'],
    '{"id":"…11-46","log":{}}',
  ],
  [['{"of":{"x":1,"id":"a"}}', '{"of":{"x":1,"id":"b"}}'], '{…,"id":"a"}}'],
  [['{"at":18446744073709550000}', '{"at":18446744073709550001}'], '{"at":18446744073709550000}'],
  [["1", "12"], "1"],
  [['"a"', '"b"'], '"a"'],
  [['{"id":"12345678a"}', '{"id":"12345678b"}'], '{"id":"12345678a"}'],
  [['{"id":"123456789a"}', '{"id":"123456789b"}'], '{"id":"…6789a"}'],
])("%j starts with %s", (items, expected) => {
  expect(previewOf(items[0] ?? "", sharedStart(items))).toBe(expected);
});

test.each([
  [199, 199],
  [200, 200],
  [201, 200],
])("of %i characters, a preview has %i", (length, expected) => {
  expect(previewOf("1".repeat(length), "")).toHaveLength(expected);
});
