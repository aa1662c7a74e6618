import { expect, test } from "vitest";
import { TypeFinder } from "../../../../generator/codegen/plan/type-finder.ts";
import { type Paging, pagingOf } from "../../../../generator/verify/resources/paging.ts";
import { planOf } from "../../../support/sample-plan.ts";

function paging(annotation: string, ...fields: readonly string[]): Paging | undefined {
  const text = `webrpc = v1
name = t
version = v1
basepath = /rpc
struct Wanted
${fields.map((line) => `  ${line}`).join("\n")}
struct Found
service S
  @paging:"${annotation}"
  - List(Wanted) => (Found)
`;
  const plan = planOf({ "m.ridl": text }, "m.ridl");
  const method = plan.services[0]?.methods[0];
  if (method === undefined) throw new Error("no method");
  return pagingOf(method, new TypeFinder(plan));
}

const names = { sizeField: "size", pageField: "page" };

test.each<[string, string[], Paging]>([
  [
    "nothing is said",
    ["- size?: int", "- page?: int"],
    { ...names, firstPage: 0, defaultSize: undefined, maxSize: 1_000 },
  ],
  [
    "all is said",
    [
      "- size?: int",
      "  + default = 20",
      "  + maximum = 50",
      "- page?: int",
      "  + minimum = 1",
      "  + default = 2",
    ],
    { ...names, firstPage: 2, defaultSize: 20, maxSize: 50 },
  ],
  [
    "only the least page is said",
    ["- size?: int", "- page?: int", "  + minimum = 1"],
    { ...names, firstPage: 1, defaultSize: undefined, maxSize: 1_000 },
  ],
])("where %s", (_, fields, found) => {
  expect(paging("size,page", ...fields)).toEqual(found);
});

test.each([
  ["size, page", names],
  [" size ,page ", names],
  ["size", undefined],
  ["size,pages", undefined],
  ["sizes,page", undefined],
])("of @paging:%j are read %j", (annotation, found) => {
  const read = paging(annotation, "- size?: int", "- page?: int");
  if (found === undefined) expect(read).toBeUndefined();
  else expect(read).toMatchObject(found);
});
