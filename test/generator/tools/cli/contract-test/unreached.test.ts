import { describe, expect, test } from "vitest";
import { createPlan } from "../../../../../generator/codegen/generate.ts";
import { compile } from "../../../../../generator/language/compile.ts";
import {
  errorsText,
  explainUnreached,
} from "../../../../../generator/tools/cli/contract-test/select-methods.ts";
import { Coverage } from "../../../../../generator/verify/contract-test/coverage.ts";
import { memoryReader } from "../../../../support/memory-reader.ts";
import { schemaHead } from "../call/call-server.ts";

test("a method without a valid request names the field to give an example", () => {
  const coverage = new Coverage(["S.Get", "S.Put"]);
  coverage.noteInvalid("S.Get", "Order.code");
  coverage.noteInvalid("S.Put", "Order.note");
  coverage.note("S.Put", { value: {} }, false);
  expect(coverage.unreached).toEqual([{ method: "S.Get", errors: [], invalid: "Order.code" }]);
  const [unreached] = coverage.unreached;
  expect(unreached && explainUnreached(unreached, {} as never)).toEqual({
    method: "S.Get",
    reason: "not called, because no valid value was found for Order.code",
    help: "Give it a valid value in the schema: + example",
  });
});

describe("a method that no call reached", () => {
  const text = `${schemaHead}service S\n  @auth:"accessKey,jwt"\n  - Get() => ()\n    GET /x\n  - Put() => ()\n`;
  const { result } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  if (result === undefined) throw new Error("the schema has errors");
  const plan = createPlan(result.model, result.ir, { schemaFile: "m.ridl" });
  const headers = new Map([["jwt", "authorization"]]);

  test.each<
    [string, string, readonly (readonly [string, number])[], object, ReadonlyMap<string, string>, string]
  >([
    ["no time", "S.Get", [], {}, new Map(), "Allow more time with --seconds."],
    [
      "no method",
      "S.Get",
      [["WebrpcBadRoute", 404]],
      {},
      new Map(),
      "The server does not have this method: check --url and the schema version of the server.",
    ],
    [
      "a rate limit",
      "S.Get",
      [
        ["A", 401],
        ["B", 429],
      ],
      {},
      new Map(),
      "Raise the server's rate limits for the test, or run the test later.",
    ],
    [
      "a full host",
      "S.Get",
      [["B", 503]],
      {},
      new Map(),
      "Raise the server's rate limits for the test, or run the test later.",
    ],
    ["another verb", "S.Get", [["B", 405]], {}, new Map(), "Make the server accept GET at this path."],
    ["another verb", "S.Put", [["B", 405]], {}, new Map(), "Make the server accept POST at this path."],
    [
      "wrong credentials",
      "S.Get",
      [["B", 403]],
      { a: "1", b: "2" },
      new Map(),
      "a and b did not grant access: check the permissions of the credential.",
    ],
    [
      "no credentials",
      "S.Get",
      [["B", 401]],
      {},
      headers,
      "Pass credentials: --header 'authorization: Bearer …'",
    ],
    [
      "no credentials, no scheme",
      "S.Get",
      [["B", 401]],
      {},
      new Map(),
      "Pass credentials (accessKey and jwt): --header 'NAME: …'",
    ],
    [
      "no credentials, no @auth",
      "S.Put",
      [["B", 401]],
      {},
      new Map(),
      "Pass credentials: --header 'NAME: …'",
    ],
  ])("because of %s", (_case, method, errors, credentials, known, help) => {
    const returned = errors.map(([name, status]) => ({ name, status }));
    const input = {
      plan,
      credentialHeaders: known,
      target: { address: "", credentials: credentials as Record<string, string> },
      sessionEndedBy: undefined,
    };
    expect(explainUnreached({ method, errors: returned }, input).help).toBe(help);
  });

  test("names the errors", () => {
    expect(
      errorsText([
        { name: "A", status: 401 },
        { name: "B", status: 429 },
      ]),
    ).toBe("only 401 A and 429 B");
  });
});
