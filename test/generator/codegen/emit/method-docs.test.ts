import { expect, test } from "vitest";
import { methodDocs } from "../../../../generator/codegen/emit/text.ts";
import { planOf } from "../../../support/sample-plan.ts";

test.each([
  ["", ""],
  ["@auth", "Requires credentials."],
  ["@auth:user", "Requires credentials: user."],
  ['@auth:"key, user"', "Requires credentials: key, user."],
])("the credentials of %s", (annotation, text) => {
  expect(docsOf(`${annotation} - M()`)).toEqual(text === "" ? [] : [text]);
});

test.each([
  [7, []],
  [8, []],
  [9, ["@throws and 1 more"]],
  [12, ["@throws and 4 more"]],
])("the first 8 of %i errors", (count, more) => {
  const names = Array.from({ length: count }, (_, index) => `E${index}`);
  const shown = names.slice(0, 8).map((name) => `@throws {${name}} message of ${name}`);
  expect(docsOf(`- M() errors ${names.join(" | ")}`)).toEqual([...shown, ...more]);
});

test("a method without a list has no errors in its docs, and one with a deprecation keeps it", () => {
  const { docs, deprecated } = methodOf("@deprecated:gone - M()");
  expect(methodDocs(methodOf("@deprecated:gone - M()"), ({ name }) => name)).toEqual({ docs, deprecated });
  expect(deprecated).toBe("gone");
});

test("a message cannot start a tag or end the comment", () => {
  expect(docsOf("- M() errors Odd")).toEqual(["@throws {Odd} a *\\/ b @param c"]);
});

function docsOf(line: string): readonly string[] {
  return methodDocs(methodOf(line), ({ name }) => name).docs;
}

function methodOf(line: string) {
  const errors = Array.from(
    { length: 12 },
    (_, index) => `error ${index + 1} E${index} "message of E${index}"\n`,
  );
  const schema = `webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n${errors.join("")}error 99 Odd "a */ b\\n@param c"
service S
  ${line.replace(/ (?=- M)/, "\n  ")}
`;
  const [method] = planOf({ "s.ridl": schema }, "s.ridl").services[0]?.methods ?? [];
  if (method === undefined) throw new Error("no method");
  return method;
}
