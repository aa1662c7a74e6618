import { describe, expect, test } from "vitest";
import { jsonError, mayHoldJsonError } from "../../../../server/market/import-export/check-values.ts";

function faultOf(text: string): string | undefined {
  return mayHoldJsonError(text) ? jsonError(JSON.parse(text)) : undefined;
}

const proto = ': the key "__proto__" is not allowed';
const tooLarge = ": a number above 1.8e308; write it as a string";

describe("JSON that cannot be stored is rejected with its path", () => {
  test.each<[string, string | undefined]>([
    ['{"__proto__":{"isAdmin":true}}', proto],
    ['{"a":{"__proto__":1}}', `/a${proto}`],
    ['{"a":[{"b":{"__proto__":null}}]}', `/a/0/b${proto}`],
    ['{"a":{"\\u005f_proto__":1}}', `/a${proto}`],
    ['{"a":"__proto__"}', undefined],
    ['{"constructor":{"prototype":1}}', undefined],
    ['{"a":1e400}', `/a${tooLarge}`],
    ['{"a":{"b":[1,-1E+400]}}', `/a/b/1${tooLarge}`],
    // The largest double, and the smallest number above it.
    ['{"a":1.7976931348623157e308}', undefined],
    ['{"a":1.7976931348623159e308}', `/a${tooLarge}`],
    [`{"a":1${"0".repeat(308)}}`, undefined],
    [`{"a":1${"0".repeat(309)}}`, `/a${tooLarge}`],
    [`{"a":1${"0".repeat(299)}e9}`, undefined],
    [`{"a":1${"0".repeat(299)}e10}`, `/a${tooLarge}`],
    [`{"a":1${"0".repeat(298)}e11}`, `/a${tooLarge}`],
    ['{"a":1e-400}', undefined],
    ['{"a":"1e400"}', undefined],
    ['{"a":"\\u0000"}', "/a: U+0000 cannot be stored"],
  ])("%s", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});
