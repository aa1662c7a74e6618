import { describe, expect, test } from "vitest";
import { BodyFault } from "../../../generator/runtime/src/json.ts";
import { requestOfUrl } from "../../../generator/runtime/src/routes.ts";

describe("values of routes", () => {
  const parameter = (more: object) => ({ name: "a", type: "uint8", ...more });
  const request = (query: string, more: object = {}): string => {
    const route = { definition: { parameters: [], query: [parameter(more)] }, positions: [] } as never;
    const found = requestOfUrl(route, "/", query, undefined);
    return found instanceof BodyFault ? `${found.reason} | ${found.issues?.listed[0]?.message}` : found;
  };

  test.each<[string, object, string]>([
    ["a=5", {}, '{"a":5}'],
    ["a=5&a=6", {}, '{"a":5}'],
    ["&&b=%ZZ&a=5", {}, '{"a":5}'],
    ["a", { type: "string" }, '{"a":""}'],
    ["a=b=c", { type: "string" }, '{"a":"b=c"}'],
    ["a=b+c%2B", { type: "string" }, '{"a":"b c+"}'],
    ["", { isOptional: true }, "{}"],
    ["", { isList: true }, '{"a":[]}'],
    ["a=1&a=2", { isList: true }, '{"a":[1,2]}'],
    ["", {}, "missing query param 'a' | expected a valid uint8, found nothing"],
    ["a=x", {}, 'invalid query param \'a\': "x" is not a valid uint8 | expected a valid uint8, found "x"'],
    [
      "a=x",
      { isSecret: true },
      "invalid query param 'a': the value is not a valid uint8 | expected a valid uint8, found text",
    ],
    [
      "a=%ZZ",
      {},
      "invalid query param 'a': malformed percent-encoding | expected percent-encoded UTF-8, found text",
    ],
    ["%ZZ=1", {}, "malformed percent-encoding in the query | undefined"],
    [
      `a=${"x".repeat(60)}`,
      {},
      `invalid query param 'a': "${"x".repeat(60)}" is not a valid uint8 | expected a valid uint8, found "${"x".repeat(60)}"`,
    ],
    [
      `a=${"x".repeat(61)}`,
      {},
      `invalid query param 'a': "${"x".repeat(60)}…" is not a valid uint8 | expected a valid uint8, found "${"x".repeat(60)}…"`,
    ],
  ])("%j of %j: %s", (query, more, expected) => {
    expect(request(query, more)).toBe(expected);
  });
});
