import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { EmittedFile } from "../../../../generator/codegen/emit/emitter.ts";
import { emitRecorder } from "../../../../generator/codegen/emit/recorder/index.ts";
import { emitServer } from "../../../../generator/codegen/emit/server/index.ts";
import { emitTypes } from "../../../../generator/codegen/emit/types/index.ts";
import { emitValidators } from "../../../../generator/codegen/emit/validators/index.ts";
import type { PlanInput } from "../../../../generator/codegen/plan/build.ts";
import { markedFields } from "../../../../generator/codegen/plan/marked-fields.ts";
import type { Plan } from "../../../../generator/codegen/plan/plan.ts";
import { expectCheckedIn } from "../../../support/checked-in.ts";
import { planOf } from "../../../support/sample-plan.ts";

describe("the server of a schema matches its reviewed files", () => {
  test.each(["interop", "shop", "wire", "files", "routes", "reads", "keys", "pages", "feeds"])(
    "%s",
    async (name) => {
      const plan = planOfText(
        readFileSync(new URL(`../../../fixtures/${name}/schema.ridl`, import.meta.url), "utf8"),
      );
      await expectCheckedIn(name, filesOf(plan));
    },
  );

  test("files, held in memory", async () => {
    const text = readFileSync(new URL("../../../fixtures/files/schema.ridl", import.meta.url), "utf8");
    const plan = planOfText(text);
    const filesInMemory = { filesInMemory: true };
    const files = [
      ...emitTypes(plan, filesInMemory),
      ...emitValidators(plan),
      ...emitServer(plan, filesInMemory),
    ];
    await expectCheckedIn("files", files, "generated-in-memory");
  });

  test.each(["wire", "routes", "reads", "pages", "feeds"])(
    "%s, with 64-bit integers as bigints",
    async (name) => {
      const text = readFileSync(new URL(`../../../fixtures/${name}/schema.ridl`, import.meta.url), "utf8");
      const plan = planOf({ "schema.ridl": text }, "schema.ridl", {}, "bigint");
      await expectCheckedIn(name, filesOf(plan), "generated-bigint");
    },
  );
});

function filesOf(plan: Plan): readonly EmittedFile[] {
  return [...emitTypes(plan), ...emitValidators(plan), ...emitServer(plan), ...emitRecorder(plan)];
}

test("validators are imported by one file only", () => {
  const plan = planOfText("webrpc = v1\nname = t\nversion = v1\nbasepath = /\nservice A\n  - M()\n");
  const importing = emitServer(plan).filter(({ text }) => text.includes("../validators/"));
  expect(importing.map(({ path }) => path)).toEqual(["server/index.ts"]);
});

test("custom templates made for version 0.1 still import the validators", () => {
  const plan = planOfText("webrpc = v1\nname = t\nversion = v1\nbasepath = /\nservice A\n  - M()\n");
  const print = (view: object): string => `${(view as { readonly validation?: unknown }).validation}`;
  const [index] = emitServer(plan, { overrides: new Map([["server/index", print]]) });
  expect(index?.text).toBe("true");
});

test("marked fields are listed by all their names", () => {
  const struct = `struct S\n  - a: string\n    + secret = true\n    + alias = b\n  - c: []Name\n  - d: string\n`;
  const alias = "type Name: string\n  + pii = true\n";
  const service = "service A\n  - M(s: S)\n";
  const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /\n";
  const index = emitServer(planOfText(header + alias + struct + service)).find(({ path }) =>
    path.endsWith("index.ts"),
  );
  expect(index?.text).toContain('export const markedFields: readonly string[] = ["a", "b", "c"];');
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
  const files = emitServer(planOfText(`webrpc = v1\nname = t\nversion = v1\nbasepath = /\n${service}`));
  const text = files.find(({ path }) => path === "server/a.ts")?.text;
  expect(text).toContain("// Streaming requests are not supported: Send.");
  expect(text).not.toContain("types.Send");
});

test("a service may have the name of a generated file", () => {
  const text =
    "webrpc = v1\nname = t\nversion = v1\nbasepath = /\nservice Index\n  - M()\nservice Errors\n  - M()\n";
  const paths = emitServer(planOfText(text)).map(({ path }) => path);
  expect(new Set(paths).size).toBe(4);
});

test("names and messages of built-in errors are data of the plan", () => {
  const text = "webrpc = v1\nname = t\nversion = v1\nbasepath = /\nservice A\n  - M()\n";
  const renamed = { "-8": { name: "WebrpcClientDisconnected", message: "client disconnected" } };
  const files = emitServer(planOfText(text, renamed));
  const errors = files.find(({ path }) => path === "server/errors.ts")?.text;
  expect(errors).toContain(
    '{ name: "WebrpcClientDisconnected", code: -8, message: "client disconnected", status: 400 }',
  );
});

function planOfText(text: string, renamed: PlanInput["builtinErrors"] = {}): Plan {
  return planOf({ "schema.ridl": text }, "schema.ridl", renamed);
}
