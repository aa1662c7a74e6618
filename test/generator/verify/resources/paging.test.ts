import { expect, test } from "vitest";
import type { PlannedPaging } from "../../../../generator/codegen/plan/plan.ts";
import {
  defaultSizeOf,
  firstRequest,
  maxSizeOf,
  nextRequest,
} from "../../../../generator/verify/resources/resources.ts";
import { planOf } from "../../../support/sample-plan.ts";

function paging(annotation: string, fields: readonly string[]): PlannedPaging {
  const text = `webrpc = v1
name = t
version = v1
basepath = /rpc
struct Wanted
${fields.map((line) => `  ${line}`).join("\n")}
struct Ask
  - page?: Wanted
struct Info
  - more: bool
  - next: string
struct Found
  - list: []string
  - info?: Info
service S
  @paging:"${annotation}"
  - List(Ask) => (Found)
`;
  const found = planOf({ "m.ridl": text }, "m.ridl").services[0]?.methods[0]?.paging;
  if (found === undefined) throw new Error("not paged");
  return found;
}

const numbered = "page.size,page.number";

test.each([
  [["- size?: int", "- number?: int"], undefined, 1_000],
  [["- size?: int", "  + default = 20", "  + maximum = 50", "- number?: int"], 20, 50],
])("the sizes of %j", (fields, defaultSize, maxSize) => {
  const found = paging(numbered, fields);
  expect([defaultSizeOf(found), maxSizeOf(found)]).toEqual([defaultSize, maxSize]);
});

test.each([
  [[], {}, 1],
  [["  + minimum = 1"], {}, 2],
  [["  + minimum = 1", "  + default = 3"], {}, 4],
  [["  + minimum = 1"], { page: { number: 7 } }, 8],
  // Go writes 0 for an absent number.
  [["  + minimum = 1"], { page: { number: 0 } }, 2],
])("with %j, the page after %j is %d", (meta, request, number) => {
  const found = paging(numbered, ["- size?: int", "- number?: int", ...meta]);
  const next = nextRequest(found, request, { response: {}, entries: 1 });
  expect(next).toEqual({ page: { number } });
  expect(nextRequest(found, request, { response: {}, entries: 0 })).toBeUndefined();
});

test("the response decides if it has a field for that", () => {
  const fields = ["- size?: int", "- number?: int"];
  const found = paging(`${numbered},info.more`, fields);
  const after = (response: object) => nextRequest(found, firstRequest(found, 5), { response, entries: 1 });
  expect(after({ info: { more: true } })).toEqual({ page: { size: 5, number: 1 } });
  expect([after({ info: { more: false } }), after({})]).toEqual([undefined, undefined]);
});

test("a cursor is copied", () => {
  const found = paging("page.size,page.after,info.next", ["- size?: int", "- after?: string"]);
  const after = (response: object) => nextRequest(found, { page: { size: 5 } }, { response, entries: 1 });
  expect(after({ info: { next: "b" } })).toEqual({ page: { size: 5, after: "b" } });
  expect([after({ info: { next: "" } }), after({ info: null })]).toEqual([undefined, undefined]);
});
