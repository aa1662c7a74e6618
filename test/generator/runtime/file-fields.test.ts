import { describe, expect, test } from "vitest";
import { readFile } from "../../../generator/runtime/src/client-files.ts";
import { formMaxBytes, isMissing, missingFiles, plainName } from "../../../generator/runtime/src/uploads.ts";

describe("files", () => {
  test.each([
    ["a.png", "a.png"],
    ["C:\\x\\a.png", "a.png"],
    ["../a/b.png", "b.png"],
    ["a\u0000\u007f\u202eb", "ab"],
    ["\u001f", undefined],
    ["", undefined],
    ["a/", undefined],
    [undefined, undefined],
    ["x".repeat(255), "x".repeat(255)],
    ["x".repeat(256), "x".repeat(255)],
  ])("the name %j is %j", (name, expected) => {
    expect(plainName(name)).toBe(expected);
  });

  const field = (more: object) => ({ name: "f", ...more }) as never;

  test.each([
    [{}, [], true],
    [{}, ["f"], false],
    [{ isOptional: true }, [], false],
    [{ isList: true }, [], false],
  ])("a field %j is missing with the files %j: %s", (more, names, expected) => {
    const files = new Map(names.map((name) => [name, {}]));
    expect(isMissing(field(more), files)).toBe(expected);
    expect(missingFiles([field(more)], files) !== undefined).toBe(expected);
    expect(missingFiles([field({ ...more, within: "arg" })], files)).toBeUndefined();
  });

  test("a form has room for its files, its other parts and its framing", () => {
    const call = { fileMaxBytes: 1_000, filesMax: 2, bodyMaxBytes: 10 } as never;
    expect(formMaxBytes(call)).toBe(2_000 + 160 + 262_144);
  });

  test.each([
    ["inline; filename=\"a.png\"; filename*=UTF-8''%C3%A4.png", "ä.png"],
    ["filename*=utf-8''a%20b; filename=x", "a b"],
    ['inline; filename="a b.png"', "a b.png"],
    ["filename=plain.txt", "plain.txt"],
    ["filename=\"a.png\"; filename*=UTF-8''%E0%A4", "a.png"],
    ["inline", undefined],
  ])("a file with the disposition %s has the name %s", async (disposition, name) => {
    const headers = new Headers({ "content-disposition": disposition, "content-length": "0" });
    const body = new ReadableStream<Uint8Array>();
    const file = await readFile({} as never, { status: 200, headers, body, text: async () => "" });
    expect([file.name, file.size, file.type]).toEqual([name, 0, "application/octet-stream"]);
  });
});
