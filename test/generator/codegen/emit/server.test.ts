import { expect, test } from "vitest";
import { emitServer } from "../../../../generator/codegen/emit/server/index.ts";
import type { GivenOptions } from "../../../../generator/codegen/options.ts";
import { resolveOptions } from "../../../../generator/codegen/options.ts";
import { markedFields } from "../../../../generator/codegen/plan/marked-fields.ts";
import type { Plan } from "../../../../generator/codegen/plan/plan.ts";
import { planOf } from "../../../support/sample-plan.ts";

test("marked fields are listed by all their names", () => {
  const struct = `struct S\n  - a: string\n    + secret = true\n    + alias = b\n  - c: []Name\n  - d: string\n`;
  const alias = "type Name: string\n  + pii = true\n";
  const service = "service A\n  - M(s: S)\n";
  const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /\n";
  const [file] = emitServer(planOfText(header + alias + struct + service), resolveOptions({}));
  expect(file?.text).toContain('export const markedFields: readonly string[] = ["a", "b", "c"];');
});

/** A key of a map can only be secret as an alias of an enum. */
const secretKind = "enum E: string\n  - a\n\ntype K: E\n  + secret = true\n\n";

test.each([
  ["1 alias", 1, "type A1: string\n  + secret = true\n", true],
  ["100 aliases", 100, "type A100: string\n  + secret = true\n", true],
  ["100 aliases without a secret", 100, "type A100: string\n", false],
  ["a map with secret keys", 1, `${secretKind}type A1: map<K,uint32>\n`, true],
  ["aliases in a circle", 2, "type A2: map<string,A1>\n", false],
])("a secret in lists in lists is found behind %s", (_, count, last, isFound) => {
  const aliases = Array.from({ length: count - 1 }, (_, index) => `type A${index + 1}: []A${index + 2}\n`);
  const text = `${aliases.join("")}${last}struct S\n  - a: A1\nservice A\n  - M(s: S)\n`;
  const plan = planOfText(`webrpc = v1\nname = t\nversion = v1\nbasepath = /\n${text}`);
  expect(markedFields(plan)).toEqual(isFound ? ["a"] : []);
});

test("methods with streaming requests are omitted with a comment", () => {
  const service = "service A\n  - stream Send(id: int) => (n: int)\n  - M()\n";
  const [file] = emitServer(
    planOfText(`webrpc = v1\nname = t\nversion = v1\nbasepath = /\n${service}`),
    resolveOptions({}),
  );
  expect(file?.text).toContain("// Streaming requests are not supported: Send.");
  expect(file?.text).not.toContain("types.Send");
});

test("names and messages of protocol errors are data of the plan", () => {
  const text = "webrpc = v1\nname = t\nversion = v1\nbasepath = /\nservice A\n  - M()\n";
  const renamed = { "-8": { name: "WebrpcClientDisconnected", message: "client disconnected" } };
  const [file] = emitServer(planOfText(text, renamed), resolveOptions({}));
  expect(file?.text).toContain(
    '{ name: "WebrpcClientDisconnected", code: -8, message: "client disconnected", status: 400 }',
  );
});

function planOfText(text: string, renamed: GivenOptions["protocolErrors"] = {}): Plan {
  return planOf({ "schema.ridl": text }, "schema.ridl", { protocolErrors: renamed });
}
