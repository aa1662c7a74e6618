import { describe, expect, test } from "vitest";
import {
  listsStrongTag,
  listsTag,
  tagOfContent,
  tagOfState,
} from "../../../generator/runtime/src/headers.ts";
import { ReadConditions } from "../../../generator/runtime/src/reads.ts";
import { headersOf } from "./headers-of.ts";

describe("tags", () => {
  test.each([
    ["v7", '"v7"'],
    ["a b", '"a%20;b"'],
    ['a"b', '"a%22;b"'],
    ["50%", '"50%25;"'],
    ["a,b", '"a%2c;b"'],
    ["😀", '"%1f600;"'],
    ["!#$&'()*+-./~", '"!#$&\'()*+-./~"'],
  ])("the state %s has the tag %s", (state, tag) => {
    expect(tagOfState(state)).toBe(tag);
  });

  test("the tag of content is that of its bytes", async () => {
    const tag = await tagOfContent("é");
    expect(tag).toMatch(/^"[A-Za-z0-9+/]{22}"$/);
    expect(await tagOfContent(new TextEncoder().encode("é"))).toBe(tag);
    expect(await tagOfContent("e")).not.toBe(tag);
  });

  test.each([
    ['"a"', '"a"', true, true],
    ['W/"a"', '"a"', true, false],
    ['"b" , "a"', '"a"', true, true],
    ["*", '"a"', true, true],
    [" * ", '"a"', true, true],
    ["a", '"a"', false, false],
    ['"ab"', '"a"', false, false],
    ['"b, "a', '"a"', false, false],
  ])("%s lists %s: %s, strongly: %s", (field, tag, weak, strong) => {
    expect([listsTag(field, tag), listsStrongTag(field, tag)]).toEqual([weak, strong]);
  });

  test.each([
    ["GET", {}, true, "bytes=0-1"],
    ["GET", { "if-range": ' "v1" ' }, true, "bytes=0-1"],
    ["GET", { "if-range": '"v2"' }, true, undefined],
    ["GET", { "if-range": 'W/"v1"' }, true, undefined],
    ["QUERY", {}, true, undefined],
    ["HEAD", {}, true, undefined],
    ["GET", {}, false, undefined],
  ])("a part of a file by %s with %j, mayOmit %s, is %s", (verb, more, mayOmit, range) => {
    const conditions = new ReadConditions(verb, headersOf({ range: "bytes=0-1", ...more }), mayOmit);
    conditions.tag = '"v1"';
    expect(conditions.range).toBe(range);
  });

  test.each([
    [{}, true, false],
    [{ "if-none-match": '"v1"' }, true, true],
    [{ "if-none-match": '"v2"' }, true, false],
    [{ "if-none-match": '"v1"' }, false, false],
  ])("a condition %j, mayOmit %s, is met: %s", (all, mayOmit, isMet) => {
    const conditions = new ReadConditions("GET", headersOf(all), mayOmit);
    conditions.tag = '"v1"';
    expect(conditions.isMet()).toBe(isMet);
  });
});
