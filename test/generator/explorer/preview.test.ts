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
])("%j starts with %s", (items, expected) => {
  expect(previewOf(items[0] ?? "", sharedStart(items))).toBe(expected);
});
