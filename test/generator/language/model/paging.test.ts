import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { PagingModel } from "../../../../generator/language/model/paging.ts";
import { readPaging } from "../../../../generator/language/model/paging.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const types = `struct PageInput
  - size?: uint32
  - number?: Number
  - hidden: uint32
    + json = -
struct Strict
  - number?: uint32
  - token: string
struct Found
  - pets: []string
  - hasMore: bool
struct Info
  - more: bool
  - next?: Cursor
type Number: uint32
type Cursor: string
type Names: []string
`;

function read(annotation: string, method: string) {
  const text = `webrpc = v1\nname = t\nversion = v1\nbasepath = /\n${types}service S\n  ${annotation} - List${method}\n`;
  const { result, diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  const model = result?.model;
  const [list] = model?.services[0]?.methods ?? [];
  if (model === undefined || list === undefined) throw new Error(diagnostics[0]?.message);
  return { diagnostics, paging: readPaging(list, (name) => model.typeByName.get(name)) };
}

const plain = "(limit?: uint32, page?: uint32, after?: string) => ";

test.each<[annotation: string, method: string, paging: Partial<PagingModel>]>([
  ["limit,page", `${plain}(pets: []string)`, { size: ["limit"], page: ["page"], more: undefined }],
  [" limit , page ", `${plain}(pets: []string, more: bool)`, { isCursor: false, more: ["more"] }],
  ["limit,page", `${plain}(pets: []string, hasNextPage: bool)`, { more: ["hasNextPage"] }],
  ["limit,page", `${plain}(pets: []string, more: bool, hasMore: bool)`, { more: undefined }],
  ["limit,page", `${plain}(pets: []string, more: uint32)`, { more: undefined }],
  ["limit,page,left", `${plain}(pets: []string, left: bool)`, { isCursor: false, more: ["left"] }],
  ["limit,page,left", `${plain}(pets: []string, left: uint32)`, { isCursor: true, more: ["left"] }],
  ["limit,after,info.next", `${plain}(pets: Names, info?: Info)`, { isCursor: true, items: ["pets"] }],
  ["limit,page,,b", `${plain}(a: []string, b: []string)`, { items: ["b"] }],
  ["limit,page", `${plain}(picture: []byte, pets: []string)`, { items: ["pets"] }],
  ["limit,page", `${plain}(found: Found)`, { more: ["found", "hasMore"], items: ["found", "pets"] }],
  [
    "page.size,page.number,info.more",
    "(page?: PageInput) => (pets: []string, info: Info)",
    { size: ["page", "size"], page: ["page", "number"], more: ["info", "more"], items: ["pets"] },
  ],
])("@paging:%j of %s", (annotation, method, expected) => {
  const { paging, diagnostics } = read(`@paging:"${annotation}"`, method);
  expect(diagnostics).toEqual([]);
  expect(paging).toMatchObject(expected);
});

const twoNames = "it needs two to four names of fields";
const noList = "the response does not have exactly one list";

test.each<[annotation: string, method: string, reason: string, advice: RegExp]>([
  ["@paging", `${plain}(pets: []string)`, twoNames, /^Write @paging/],
  ['@paging:"limit"', `${plain}(pets: []string)`, twoNames, /^Write @paging/],
  ['@paging:"limit,page,,pets,x"', `${plain}(pets: []string)`, twoNames, /^Write @paging/],
  ['@paging:"limit,pgae"', `${plain}(pets: []string)`, 'the request has no field "pgae"', /"page"/],
  [
    '@paging:"limit,page.number"',
    `${plain}(pets: []string)`,
    'the request has no field "page.number"',
    /JSON/,
  ],
  [
    '@paging:"page.size,page.hidden"',
    "(page: PageInput) => (pets: []string)",
    'the request has no field "page.hidden"',
    /JSON/,
  ],
  ['@paging:"after,page"', `${plain}(pets: []string)`, '"after" is not an integer', /page size/],
  ['@paging:"limit,after"', `${plain}(pets: []string)`, '"after" is not an integer', /cursor/],
  ['@paging:"limit,after"', `${plain}(pets: []string, more: bool)`, '"after" is not an integer', /cursor/],
  [
    '@paging:"limit,page,mroe"',
    `${plain}(pets: []string, more: bool)`,
    'the response has no field "mroe"',
    /"more"/,
  ],
  [
    '@paging:"limit,page,next"',
    `${plain}(pets: []string, next: string)`,
    '"next" is neither a bool nor a cursor of the type of "page"',
    /same type/,
  ],
  [
    '@paging:"limit,after,next"',
    "(limit?: uint32, after?: bigint) => (pets: []string, next: bigint)",
    '"next" is neither a bool nor a cursor of the type of "after"',
    /strings or integers/,
  ],
  [
    '@paging:"limit,page.number"',
    "(limit?: uint32, page?: Strict) => (pets: []string)",
    '"page" is optional, but "token" in it is required',
    /Make "page" required/,
  ],
  ['@paging:"limit,page"', `${plain}(pets: map<string,string>)`, noList, /Name the list/],
  ['@paging:"limit,page"', `${plain}(a: []string, b: []string)`, noList, /Name the list/],
  ['@paging:"limit,page,,b"', `${plain}(a: []string, b: string)`, '"b" is not a list', /Name the list/],
  ['@paging:"limit,page"', `${plain}stream (pets: []string)`, "a stream has no pages", /Remove/],
  ['@paging:"limit,page"', `${plain}(pets: file)`, "a file has no pages", /Remove/],
])("%s of %s is reported: %s", (annotation, method, reason, advice) => {
  const { diagnostics } = read(annotation, method);
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ["RK376", "warning", `Clients cannot page through "List": ${reason}.`],
  ]);
  expect(diagnostics[0]?.advice).toMatch(advice);
});

test("a required struct may contain required fields", () => {
  const method = "(limit?: uint32, page: Strict) => (pets: []string)";
  expect(read('@paging:"limit,page.number"', method).diagnostics).toEqual([]);
});
