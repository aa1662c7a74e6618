import { expect, test } from "vitest";
import { declarationsOf } from "../../../../generator/codegen/emit/types/declarations.ts";
import { planOf } from "../../../support/sample-plan.ts";

/** Type, meta lines, and the docs of the field in `types.ts`. */
test.each<[string, string, readonly string[]]>([
  ["int", "minimum = 1, maximum = 100", ["From 1 to 100."]],
  ["int", "minimum = 0", ["At least 0."]],
  ["int64", "maximum = 9223372036854775807", ["At most 9223372036854775807."]],
  ["int", "minimum = 5, maximum = 5", ["Exactly 5."]],
  ["string", "minLength = 1", ["At least 1 character."]],
  ["string", "minLength = 1, maxLength = 2", ["From 1 to 2 characters."]],
  ["string", "maxLength = 0", ["At most 0 characters."]],
  ["string", 'pattern = "^[a-z]+$", maxLength = 9', ["At most 9 characters. Pattern: `^[a-z]+$`."]],
  ["string", 'pattern = "^`$"', []],
  ["[]int", "maxItems = 1", ["At most 1 item."]],
  ["[]byte", "maxItems = 32", ["At most 32 bytes."]],
  ["map<string,int>", "minItems = 2, maxItems = 3", ["From 2 to 3 entries."]],
  ["string", "format = email", []],
  ["Ids", "maxItems = 5", ["At most 5 items."]],
  // The limits of an alias are in its own docs.
  ["Name", "", []],
  ["Name", "maxLength = 8", ["At most 8 characters."]],
])("%s with %s", (type, meta, docs) => {
  expect(docsOf("S", type, meta)).toEqual(docs);
});

test("an alias has its own limits, without those of another alias", () => {
  expect(docsOf("Name")).toEqual(["A name", "", "At most 9 characters."]);
  expect(docsOf("Short")).toEqual(["At least 2 characters."]);
});

test.each([
  [["Ends with a stop."], ["Ends with a stop. At least 0."]],
  [["Does not"], ["Does not", "", "At least 0."]],
  // Lines have at most 100 characters.
  [[`${"x".repeat(87)}.`], [`${"x".repeat(87)}. At least 0.`]],
  [[`${"x".repeat(88)}.`], [`${"x".repeat(88)}.`, "At least 0."]],
  [
    ["One.", "Two."],
    ["One.", "Two. At least 0."],
  ],
])("limits follow the comment %j", (comment, docs) => {
  expect(docsOf("S", "int", "minimum = 0", comment)).toEqual(docs);
});

/** Returns the docs of an alias, or of the field of the struct S. */
function docsOf(name: string, type = "int", meta = "", comment: readonly string[] = []): readonly string[] {
  const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc
# A name
type Name: string
  + maxLength = 9
type Short: Name
  + minLength = 2
type Ids: []int
struct S
${comment.map((line) => `  # ${line}\n`).join("")}  - field: ${type}
${meta === "" ? "" : `    + ${meta.replaceAll(", ", "\n    + ")}\n`}service T
  - M(s: S) => (s: S, short: Short)
`;
  const found = declarationsOf(planOf({ "s.ridl": schema }, "s.ridl")).find((one) => one.name === name);
  if (found?.kind === "interface") return found.fields[0]?.docs ?? [];
  return found?.docs ?? [];
}
