import { describe, expect, test } from "vitest";
import {
  type AdviceContext,
  adviceFor,
  assignToFields,
  type Failure,
  stalenessOf,
} from "../../../generator/explorer/page/call/advice.ts";

import { ir, keys } from "./contract.ts";

describe("advice", () => {
  const context: AdviceContext = { network: "", networks: [], keys, keyValues: {} };
  const failure: Failure = { error: "E", code: 7, msg: "m", status: 400 };

  test.each<[string, Partial<Failure>, Partial<AdviceContext>, readonly (readonly [string, string])[]]>([
    ["an error of the schema", {}, {}, []],
    [
      "status 401 with a cause",
      { status: 401, cause: "no secret" },
      {},
      [["key:secretKey", "Secret key is missing. Paste a key here."]],
    ],
    ["status 401 without keys", { status: 401, cause: "who?" }, { keys: [] }, [["", "Who?"]]],
    [
      "status 401 with one key that is no secret",
      { status: 401, cause: "secret" },
      { keys: keys.slice(0, 1) },
      [["key:accessKey", "Access key is missing. Paste one."]],
    ],
    [
      "too many calls",
      { status: 429, msg: "slow down" },
      { waitSeconds: 2 },
      [["", "Slow down. Try again in 2 seconds."]],
    ],
    ["an overloaded server", { status: 503, msg: "Busy." }, {}, [["", "Busy. Try again in a second."]]],
    ["an error with a code of the platform", { code: 1007, status: 409 }, {}, []],
    [
      "no method, no networks",
      { code: -2 },
      { network: "a" },
      [["", "This host does not have this method. Check which services it hosts."]],
    ],
    [
      "no method, a known network",
      { code: -2 },
      { network: "a", networks: ["a"] },
      [["", "This host does not have this method. Check which services it hosts."]],
    ],
    [
      "no method, no network chosen",
      { code: -2 },
      { networks: ["a"] },
      [["", "This host does not have this method. Check which services it hosts."]],
    ],
    ["an invalid body", { code: -4, cause: "no JSON" }, {}, [["", "No JSON."]]],
    ["an invalid body without a cause", { code: -4 }, {}, []],
    [
      "an invalid value of a field with a message",
      { code: -4, issues: [{ message: "Please give a name.", path: ["pet", "name"] }] },
      {},
      [["/pet/name", "Please give a name."]],
    ],
    ["a chain", { cause: "unknown chain!" }, { network: "a" }, [["network", "Unknown chain!"]]],
    ["a chain, but no network", { cause: "unknown chain" }, {}, []],
    ["another cause", { cause: "unknown token" }, { network: "a" }, []],
    [
      "an expired key",
      { status: 403, cause: "the access key has expired" },
      { keyValues: { accessKey: "k" } },
      [["key:accessKey", "The access key has expired. Paste one."]],
    ],
  ])("on %s", (_case, changed, around, expected) => {
    expect([...adviceFor({ ...failure, ...changed }, { ...context, ...around })]).toEqual(expected);
  });

  test("two messages at one field are both shown", () => {
    const errors = new Map([
      ["/a/0", "One."],
      ["/a/1", "Two."],
      ["key:x", "Three."],
    ]);
    expect([...assignToFields(errors, new Set(["/a"]))]).toEqual([
      ["/a", "/a/0: One. /a/1: Two."],
      ["key:x", "Three."],
    ]);
  });

  test.each([
    [
      "webrpc@v0.48.0;ridlkit@0.1.0;shop@v2",
      "The host now has shop v2, but this page shows v1. Reload the page.",
    ],
    ["webrpc@v0.48.0;ridlkit@0.1.0;shop@v1", undefined],
    ["other@v2", undefined],
    ["shop", undefined],
    [undefined, undefined],
  ])("on a host with the header %s", (value, expected) => {
    expect(stalenessOf(value === undefined ? [] : [["webrpc", value]], ir)).toBe(expected);
  });
});
