import { describe, expect, test } from "vitest";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import {
  type MetadataFields,
  parseDocument,
} from "../../../../server/market/token-metadata/parse-document.ts";
import { readingLimits } from "../../../../server/market/token-metadata/read-token.ts";
import { decodeString } from "../../../../server/market/token-metadata/token-uri.ts";

const read = (document: unknown): MetadataFields => parseDocument(Buffer.from(JSON.stringify(document)));
const listsOf = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

test("the limits of a document are 1 MiB, ten seconds and three redirects", () => {
  expect(readingLimits).toEqual({ maxDocumentMs: 10_000, maxDocumentBytes: 1_048_576, maxRedirects: 3 });
});

test.each([31, 32, 33])("a document with %i levels is read up to 32", (levels) => {
  const readDeep = (): unknown => parseDocument(Buffer.from(`{"a":${listsOf(levels - 1)}}`));
  if (levels > 32) expect(readDeep).toThrow("the document is nested more than 32 levels deep");
  else expect(readDeep()).toMatchObject({ name: "" });
});

test("brackets within a string are not levels", () => {
  expect(read({ name: "[".repeat(100), description: '"{' })).toMatchObject({ name: "[".repeat(100) });
});

test.each([
  [999, 999],
  [1_000, 1_000],
  [1_001, 1_000],
])("%i attributes are truncated to %i", (given, kept) => {
  const attributes = Array.from({ length: given }, (_, value) => ({ trait_type: "a", value }));
  expect(read({ attributes })["attributes"]).toEqual(attributes.slice(0, kept));
});

test.each([
  [-1, undefined],
  [0, 0],
  [255, 255],
  [256, undefined],
  [1.5, undefined],
])("decimals of %d are read as %s", (decimals, expected) => {
  expect(read({ decimals })["decimals"]).toBe(expected);
});

describe("the string that a contract returns", () => {
  const word = (number: number): string => number.toString(16).padStart(64, "0");
  /** A response of two words and some bytes, which claims `length` bytes of text. */
  const answer = (length: number, bytes: number, at = 32): Hex =>
    `0x${word(at)}${word(length)}${"61".repeat(bytes)}`;

  test.each([
    [0, 0, ""],
    [31, 32, "a".repeat(31)],
    [32, 32, "a".repeat(32)],
    [33, 32, undefined],
  ])("with claimed length %i and %i bytes present", (length, bytes, text) => {
    expect(decodeString(answer(length, bytes))).toBe(text);
  });

  test.each([
    [64, undefined],
    [65, undefined],
    [2 ** 32 - 1, undefined],
  ])("at byte %i is not there", (at, text) => {
    expect(decodeString(answer(1, 0, at))).toBe(text);
  });
});
