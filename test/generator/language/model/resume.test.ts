import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { readResume } from "../../../../generator/language/model/resume.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const types = `error 1 Gap "a gap" HTTP 410
error 2 Other "another"
struct Event
  - id: Position
  - seen?: Position
  - cleared: string
    + go.field.type = *string
struct Start
  - after?: uint64
struct Strict
  - after?: uint64
  - token: string
type Position: string
`;

function read(annotation: string, method: string) {
  const text = `webrpc = v1\nname = t\nversion = v1\nbasepath = /\n${types}service S\n  ${annotation} - Watch${method}\n`;
  const { result, diagnostics } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  const model = result?.model;
  const [watch] = model?.services[0]?.methods ?? [];
  if (model === undefined || watch === undefined) throw new Error(diagnostics[0]?.message);
  const errorNames = model.errors.map(({ name }) => name);
  const resume = readResume(watch, { typeOf: (name) => model.typeByName.get(name), errorNames });
  return { diagnostics, resume };
}

const texts = "(after?: string) => stream (id: string)";

test.each<[annotation: string, method: string, after: string, id: string]>([
  ["after,id,Gap", `${texts} errors Gap`, "after", "id"],
  ["after,id,Gap", texts, "after", "id"],
  [" after , id , Gap ", `${texts} errors Other | Gap`, "after", "id"],
  ["after,event.id,Gap", "(after?: string) => stream (event: Event)", "after", "event.id"],
  ["after,number,Gap", "(after: uint64) => stream (number: uint64)", "after", "number"],
  ["start.after,number,Gap", "(start?: Start) => stream (number: uint64)", "start.after", "number"],
  ["start.after,number,Gap", "(start: Strict) => stream (number: uint64)", "start.after", "number"],
])("@resume:%j of %s", (annotation, method, after, id) => {
  const { resume, diagnostics } = read(`@resume:"${annotation}"`, method);
  expect(diagnostics).toEqual([]);
  expect(resume).toEqual({ after: after.split("."), id: id.split(".") });
});

const notStream = "only streams of items can be resumed";
const threeNames = "it needs two names of fields and the name of an error";
const noPositions = '"after" and "id" are neither strings nor integers of up to 64 bits';
const otherTypes = (after: string, id: string) =>
  `"${after}" and "${id}" are not both strings or integers of one type`;

test.each<[annotation: string, method: string, reason: string, advice: RegExp]>([
  ['@resume:"after,id,Gap"', "(after?: string) => (id: string)", notStream, /^Remove/],
  ["@resume", texts, threeNames, /^Write @resume/],
  ['@resume:"after,id"', texts, threeNames, /^Write @resume/],
  ['@resume:"after,,Gap"', texts, threeNames, /^Write @resume/],
  ['@resume:"after,id,Gap,x"', texts, threeNames, /^Write @resume/],
  ['@resume:"afer,id,Gap"', texts, 'the request has no field "afer"', /"after"/],
  [
    '@resume:"after,event.ids,Gap"',
    "(after?: string) => stream (event: Event)",
    'the item has no field "event.ids"',
    /"event.id"/,
  ],
  [
    '@resume:"after,id,Gap"',
    "(after?: uint64) => stream (id: string)",
    otherTypes("after", "id"),
    /same type/,
  ],
  [
    '@resume:"after,id,Gap"',
    "(after?: uint64) => stream (id: uint32)",
    otherTypes("after", "id"),
    /same type/,
  ],
  ['@resume:"after,id,Gap"', "(after?: bool) => stream (id: bool)", noPositions, /strings/],
  ['@resume:"after,id,Gap"', "(after?: bigint) => stream (id: bigint)", noPositions, /strings/],
  [
    '@resume:"after,id,Gap"',
    "(after?: bigint) => stream (id: string)",
    otherTypes("after", "id"),
    /same type/,
  ],
  [
    '@resume:"after,id,Gap"',
    "(after: string) => stream (id: string)",
    '"after" is required, so no call can start without a position',
    /optional/,
  ],
  [
    '@resume:"after,event.seen,Gap"',
    "(after?: string) => stream (event: Event)",
    '"seen" of an item may be absent',
    /required/,
  ],
  [
    '@resume:"after,event.id,Gap"',
    "(after?: string) => stream (event?: Event)",
    '"event" of an item may be absent',
    /required/,
  ],
  [
    '@resume:"start.after,n,Gap"',
    "(start?: Strict) => stream (n: uint64)",
    '"start" is optional, but "token" in it is required',
    /Make "start" required/,
  ],
  [
    '@resume:"after,id,Gap"',
    `${texts} errors Other`,
    'the method does not list the error "Gap"',
    /^Add "Gap"/,
  ],
  ['@noErrors @resume:"after,id,Gap"', texts, 'the method does not list the error "Gap"', /^Add "Gap"/],
  ['@resume:"after,id,Gpa"', texts, 'there is no error "Gpa"', /"Gap"/],
  ['@resume:"after,id,Missing"', texts, 'there is no error "Missing"', /^Declare the error/],
])("%s of %s is reported: %s", (annotation, method, reason, advice) => {
  const { diagnostics } = read(annotation, method);
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ["RK377", "warning", `Clients cannot resume "Watch": ${reason}.`],
  ]);
  expect(diagnostics[0]?.advice).toMatch(advice);
});
