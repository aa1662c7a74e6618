import { expect, test } from "vitest";
import { planPage } from "../../../../server/market/records/project-page.ts";

const first = { kind: "numbered", pageSize: 30, page: 1, sort: [] };
const time = "2025-01-31T12:00:00Z";

test.each([
  ["nothing", {}, first],
  ["zeros", { page: 0, pageSize: 0 }, first],
  ["too large a page", { pageSize: 1_000_000, page: 3 }, { ...first, pageSize: 100, page: 3 }],
  [
    "a sort",
    { sort: [{ column: "name" }, { column: "id", order: "DESC" as const }] },
    {
      ...first,
      sort: [
        { column: "name", order: "ASC" },
        { column: "id", order: "DESC" },
      ],
    },
  ],
  ["a column with a page", { column: "name", page: 2 }, numberedBy("name", 2)],
  [
    "a column with a sort",
    { column: "id", sort: [{ column: "name" }] },
    { ...first, sort: [{ column: "name", order: "ASC" }] },
  ],
  ["a column alone", { column: "name" }, cursor("name", undefined)],
  ["an empty column", { column: "" }, first],
  ["an id after", { after: 41 }, cursor("id", after(41))],
  ["an id as text", { after: "41" }, cursor("id", after(41))],
  ["an id in an object", { after: { id: 41 } }, cursor("id", after(41))],
  ["an id before", { before: 41 }, cursor("id", { direction: "before", value: 41, id: undefined })],
  [
    "a null cursor",
    { after: null, before: 41 },
    cursor("id", { direction: "before", value: 41, id: undefined }),
  ],
  ["a name after", { column: "name", after: "x" }, cursor("name", after("x"))],
  ["a name in an object", { after: { name: "x" } }, cursor("name", after("x"))],
  [
    "a time with an id as tie-breaker",
    { after: { createdAt: time, id: "7" } },
    cursor("createdAt", after(time, 7)),
  ],
  ["all three: after wins", { after: 3, before: 9, page: 4 }, cursor("id", after(3))],
])("%s", (_, input, plan) => {
  expect(planPage(input)).toEqual(plan);
});

test.each([
  [{ column: "abi" }, '/page/column: unknown column "abi"; expected id, name, createdAt, updatedAt'],
  [{ sort: [{ column: "id desc; drop table project" }] }, "/page/sort/0/column: unknown column"],
  [{ sort: [{ column: "id" }, { column: "id" }] }, '/page/sort/1/column: "id" appears twice'],
  [{ after: "abc" }, "/page/after: expected the id of a record"],
  [{ after: "" }, "/page/after: expected the id of a record"],
  [{ after: "+7" }, "/page/after: expected the id of a record"],
  [{ after: "7e2" }, "/page/after: expected the id of a record"],
  [{ after: " 7" }, "/page/after: expected the id of a record"],
  [{ after: "0".repeat(17) }, "/page/after: expected the id of a record"],
  [{ after: -1 }, "/page/after: expected the id of a record"],
  [{ after: 1.5 }, "/page/after: expected the id of a record"],
  [{ before: [1] }, "/page/before: expected the id of a record"],
  [{ before: {} }, "/page/before: expected the id of a record"],
  [{ column: "name", after: 7 }, "/page/after: expected a text for name"],
  [{ column: "name", after: { id: 7 } }, "/page/after: expected a text for name"],
  [
    { column: "createdAt", after: "yesterday" },
    "/page/after: expected a timestamp for createdAt, such as 2025-01-31T12:00:00Z",
  ],
  [{ column: "createdAt", after: "2025-02-30T12:00:00Z" }, "/page/after: expected a timestamp for createdAt"],
  [{ column: "id", after: { name: "x" } }, '/page/after: unexpected "name" in a cursor on "id"'],
  [{ after: { abi: "x" } }, '/page/after: unknown column "abi"'],
  [{ after: { name: "x", id: "x" } }, "/page/after/id: expected the id of a record"],
])("%j is rejected with its path", (input, error) => {
  expect(() => planPage(input)).toThrow(error);
});

test.each([
  [0, 30],
  [1, 1],
  [99, 99],
  [100, 100],
  [101, 100],
])("a page size of %i serves %i entries", (pageSize, served) => {
  expect(planPage({ pageSize })).toEqual({ ...first, pageSize: served });
});

test.each([0, 1, 2 ** 53 - 2, 2 ** 53 - 1])("%i is a valid id, as number and as text", (id) => {
  for (const given of [id, String(id)]) expect(planPage({ after: given })).toEqual(cursor("id", after(id)));
});

test.each([-1, 2 ** 53, 10 ** 16])("%i is not a valid id", (id) => {
  for (const given of [id, String(id)])
    expect(() => planPage({ after: given })).toThrow("/page/after: expected the id of a record");
});

test("the page of a response, sent back, yields the next page", () => {
  const answered = {
    pageSize: 2,
    column: "name",
    more: true,
    before: { name: "a", id: 1 },
    after: { name: "b", id: 2 },
  };
  expect(planPage({ ...answered, sort: [] })).toEqual({ ...cursor("name", after("b", 2)), pageSize: 2 });
});

function cursor(column: string, from: object | undefined): object {
  return { kind: "cursor", pageSize: 30, column, from };
}

function after(value: string | number, id?: number): object {
  return { direction: "after", value, id };
}

function numberedBy(column: string, page: number): object {
  return { ...first, page, sort: [{ column, order: "ASC" }] };
}
