import { describe, expect, test } from "vitest";
import { printJson } from "../../../../../generator/tools/cli/call/send.ts";

describe("JSON", () => {
  const json = '{"a":[1,{}],"b":[],"c":"x: {y}","d":{"e":-1e5,"f":null}}';

  test.each<[boolean, boolean, string]>([
    [false, false, json],
    [
      true,
      false,
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": [],\n  "c": "x: {y}",\n  "d": {\n    "e": -1e5,\n    "f": null\n  }\n}',
    ],
  ])("is indented: %s", (isPretty, isColored, expected) => {
    expect(printJson(json, { isPretty, isColored })).toBe(expected);
  });

  test("may have long texts with escapes, and whitespace between tokens", () => {
    const long = `"${'\\\\\\"\\n'.repeat(1_000_000)}\\\\"`;
    const printed = printJson(`{ "a" : ${long} , "b":1 }`, { isPretty: false, isColored: false });
    expect(printed === `{"a":${long},"b":1}`).toBe(true);
  });

  test("has colors", () => {
    const paint = (code: string, text: string): string => `\u001b[${code}m${text}\u001b[0m`;
    expect(printJson('{"a":["x",1]}', { isPretty: false, isColored: true })).toBe(
      `{${paint("1;34", '"a"')}:[${paint("32", '"x"')},${paint("33", "1")}]}`,
    );
  });
});
