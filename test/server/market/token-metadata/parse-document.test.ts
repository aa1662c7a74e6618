import { describe, expect, test } from "vitest";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { readingLimits } from "../../../../server/market/token-metadata/limits.ts";
import {
  type MetadataFields,
  parseDocument,
} from "../../../../server/market/token-metadata/parse-document.ts";
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
  ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), "the document is not JSON"],
  ["a page", Buffer.from("\n <!DOCTYPE html>"), "the document is an HTML page, not JSON"],
  ["a page without a type", Buffer.from("<Html>"), "the document is an HTML page, not JSON"],
  ["a page in text", Buffer.from("see <html>"), "the document is not JSON"],
  ["text", Buffer.from("{"), "the document is not JSON"],
  ["a list", Buffer.from("[]"), "the document is not a JSON object"],
  ["null", Buffer.from("null"), "the document is not a JSON object"],
])("%s is rejected", (_, bytes, reason) => {
  expect(() => parseDocument(bytes)).toThrow(reason);
});

test("a byte order mark at the start is ignored, another is kept", () => {
  expect(parseDocument(Buffer.from('\uFEFF{"name":"a\uFEFF"}'))).toMatchObject({ name: "a\uFEFF" });
});

test.each([
  ["a quote and brackets", { name: `"${"[".repeat(40)}` }],
  ["a backslash before the end", { name: "\\", description: "[".repeat(40) }],
  ["many lists side by side", { name: "a", properties: { lists: Array.from({ length: 40 }, () => []) } }],
  ["many objects side by side", { name: "a", properties: { lists: Array.from({ length: 40 }, () => ({})) } }],
])("%s are not many levels", (_, document) => {
  expect(read(document)).toMatchObject(document);
});

const empty = { name: "", attributes: [], assets: [] };

test.each<[object, object]>([
  [{}, empty],
  [{ name: 7 }, { ...empty, name: "7" }],
  [
    { name: "", title: "a" },
    { ...empty, name: "a" },
  ],
  [{ description: "" }, empty],
  [{ description: 7 }, empty],
  [{ image_data: "a" }, { ...empty, imageData: "a" }],
  [
    { externalUrl: "a", external_url: "b" },
    { ...empty, externalUrl: "b" },
  ],
  [{ properties: { a: 1 } }, { ...empty, properties: { a: 1 } }],
  [{ properties: [] }, empty],
  [{ traits: [{ a: 1 }] }, { ...empty, attributes: [{ a: 1 }] }],
  [
    { attributes: [{ b: 1 }, 7, null], traits: [{ a: 1 }] },
    { ...empty, attributes: [{ b: 1 }] },
  ],
  [{ attributes: { size: 1 } }, { ...empty, attributes: [{ trait_type: "size", value: 1 }] }],
])("the document %j has the fields %j", (document, fields) => {
  expect(read(document)).toStrictEqual(fields);
});

test.each<[object, object]>([
  [
    { image: "", image_url: "ipfs://Qm/a.PNG" },
    { metadataField: "image", url: "ipfs://Qm/a.PNG", filename: "a.PNG", mimeType: "image/png" },
  ],
  [
    { video: "https://a.example/b/c.mp4?d=e.gif" },
    {
      metadataField: "video",
      url: "https://a.example/b/c.mp4?d=e.gif",
      filename: "c.mp4",
      mimeType: "video/mp4",
    },
  ],
  [
    { audio: "https://a.example/b.mp3x" },
    { metadataField: "audio", url: "https://a.example/b.mp3x", filename: "b.mp3x" },
  ],
  [
    { audio: "https://a.example/mp3" },
    { metadataField: "audio", url: "https://a.example/mp3", filename: "mp3" },
  ],
  [
    { audio: "https://a.example/a.mp3.b" },
    { metadataField: "audio", url: "https://a.example/a.mp3.b", filename: "a.mp3.b" },
  ],
  [
    { audio: "https://a.example/constructor.constructor" },
    {
      metadataField: "audio",
      url: "https://a.example/constructor.constructor",
      filename: "constructor.constructor",
    },
  ],
  [{ animation_url: "https://a.example/" }, { metadataField: "animation_url", url: "https://a.example/" }],
  [{ image: "a.png" }, { metadataField: "image", url: "a.png" }],
  [{ image: "DATA:Image/SVG+xml;utf8,<svg/>" }, { metadataField: "image", mimeType: "image/svg+xml" }],
  [{ image: "data:,a" }, { metadataField: "image" }],
  [
    { image: "https://a.example/data:b.png" },
    {
      metadataField: "image",
      url: "https://a.example/data:b.png",
      filename: "data:b.png",
      mimeType: "image/png",
    },
  ],
])("the file of %j is %j", (document, asset) => {
  expect(read(document)["assets"]).toStrictEqual([asset]);
});

test.each([199, 200, 201])("a file name of %i characters is truncated to 200", (length) => {
  const assets = read({ image: `https://a.example/${"b".repeat(length)}` })["assets"];
  expect(assets).toMatchObject([{ filename: "b".repeat(Math.min(length, 200)) }]);
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
    [2 ** 32 + 32, undefined],
  ])("at byte %i is not there", (at, text) => {
    expect(decodeString(answer(1, 0, at))).toBe(text);
    expect(decodeString(answer(1, 32, at))).toBe(text);
  });

  test.each([0, 4, 31, 32, 60, 63])("is missing from a response of %i bytes", (bytes) => {
    expect(decodeString(`0x${word(32)}${word(0)}`.slice(0, 2 + 2 * bytes) as Hex)).toBeUndefined();
  });
});

test.each<[string, Buffer, string]>([
  ["UTF-8 with one invalid byte", Buffer.from('{"name":"a\xe9b"}', "latin1"), "a\uFFFDb"],
  ["UTF-16, little endian", Buffer.from('\uFEFF{"name":"é"}', "utf16le"), "é"],
  ["UTF-16, big endian", Buffer.from('\uFEFF{"name":"é"}', "utf16le").swap16(), "é"],
])("%s is read", (_, bytes, name) => {
  expect(parseDocument(bytes)).toMatchObject({ name });
});

test.each([
  ["9007199254740991", 9_007_199_254_740_991],
  ["9007199254740992", "9007199254740992"],
  ["-12345678901234567890", "-12345678901234567890"],
  ["1234567890.1234567", 1_234_567_890.123_456_7],
  ["12345678901234567890e-5", 123_456_789_012_345.67],
  ["1e400", undefined],
])("an attribute %s is read as %j", (digits, value) => {
  const text = `{"name":"12345678901234567890","attributes":[{"trait_type":"a","value":${digits}}]}`;
  expect(parseDocument(Buffer.from(text))).toMatchObject({
    name: "12345678901234567890",
    attributes: [value === undefined ? { trait_type: "a" } : { trait_type: "a", value }],
  });
});

test("a part that cannot be stored costs only itself", () => {
  const text = `{"name":"a\\u0000b","description":"\\ud800","__proto__":{"name":"c"},"properties":{"x":1e999,"y":1,"__proto__":2,"z\\u0000":3}}`;
  expect(parseDocument(Buffer.from(text))).toEqual({
    name: "ab",
    description: "\uFFFD",
    properties: { y: 1, z: 3 },
    attributes: [],
    assets: [],
  });
});

test.each([
  ["digits", `{"name":"a","x":${"1".repeat(1_000_000)}.}`],
  ["escaped quotes", `{"name":"${'\\"'.repeat(500_000)}`],
])(
  "a megabyte of %s is rejected at once",
  (_, text) => {
    expect(() => parseDocument(Buffer.from(text))).toThrow("the document is not JSON");
  },
  2_000,
);
