/** The advice for what people write who know other languages. */
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

function adviceFor(lines: string): readonly (string | undefined)[] {
  const text = `webrpc = v1\nname = a\nversion = v1\nbasepath = /\n\nerror 7 Gone "gone"\n\nstruct Order\n  - id: int64\n${lines}\n`;
  return compile("a.ridl", memoryReader({ "a.ridl": text }))
    .diagnostics.map(({ advice }) => advice)
    .slice(0, 1);
}

test.each([
  ["count: int32 (min: 1)", 'Write "- count: int32", and below it "+ minimum = 1".'],
  ["text: string (max: 5)", 'Write "- text: string", and below it "+ maxLength = 5".'],
  ["list: []string (maxLength: 5)", 'Write "- list: []string", and below it "+ maxItems = 5".'],
  [
    "buyer: string | null",
    'Write "- buyer?: string". With "+ nullable = always" below it, null differs from an absent value.',
  ],
  [
    "ref: int64 | string",
    'Declare "struct Ref" with "- int64Value?: int64" and "- stringValue?: string", each with "+ oneOf = value" below it, and write "- ref: Ref".',
  ],
  [
    'state: "open" | "closed"',
    'Declare "enum State: string" with "- open" and "- closed" below it, and write "- state: State".',
  ],
  ['kind: string = "a"', 'Write "- kind?: string", and below it "+ default = a".'],
  ["count: int32 (5)", 'Write a field as "- id: uint64", or as "- note?: string" if it is optional.'],
  ["ref: uuid", 'Write "- ref: string", and below it "+ format = uuid".'],
  ["price: decimal", 'Write "- price: string", and below it "+ format = decimal".'],
])("of the field %s", (field, advice) => {
  expect(adviceFor(`  - ${field}`)).toEqual([advice]);
});

test.each([
  ["=> Order[]", 'Write "=> (orders: []Order)".'],
  ["=> []Order", 'Write "=> (orders: []Order)".'],
  ["=> Order", 'Write "=> (order: Order)".'],
  ["=> int32", 'Write "=> (value: int32)".'],
  ["=> (int32)", 'Give it the name of an argument: "(value: int32)".'],
  [
    "errors 404",
    `Write "errors NotFound", and declare it with a line such as 'error 100 NotFound "…" HTTP 404'.`,
  ],
  [
    "errors NotFound",
    `Declare it with a line such as 'error 100 NotFound "…" HTTP 404', or import the file that does.`,
  ],
])("of a method with %s", (rest, advice) => {
  expect(adviceFor(`service S\n  - M() ${rest}`)).toEqual([advice]);
});

/** Each line as people write it who know other languages, what its advice says, and what they meant. */
const habits: readonly (readonly [written: string, advice: string, meant: string])[] = [
  [
    'error NotFound 404 "no such order"',
    "Write 'error 100 NotFound",
    'error 404 NotFound "no such order" HTTP 404',
  ],
  ["interface Order {", 'Write "struct".', "struct Order"],
  ["  id: uuid;", '"+ format = uuid"', "  - id: string\n    + format = uuid"],
  ['  - state: "open" | "closed"', 'Declare "enum State: string"', "  - state: State"],
  ["  total: decimal;", '"+ format = decimal"', "  - total: string\n    + format = decimal"],
  ["  count: int32 (min: 1);", '"+ minimum = 1"', "  - count: int32\n    + minimum = 1"],
  ["  buyer: string | null;", 'Write "- buyer?: string".', "  - buyer?: string"],
  ['  kind: string = "gift";', '"+ default = gift"', "  - kind: string\n    + default = gift"],
  ["  tags: string[];", 'Write "[]string"', "  - tags: []string"],
  ["  createdAt: Date;", 'For a moment, write "timestamp".', "  - createdAt: timestamp"],
  ["}", 'Remove "}"', ""],
  ["service Shop {", 'Remove "{"', "service Shop"],
  [
    "  rpc GetOrder(id: uuid): Order throws NotFound;",
    'Write "=> (order: Order) errors NotFound".',
    "  - GetOrder(id: string) => (order: Order) errors NotFound",
  ],
  ["  - ListOrders() => Order[]", '"=> (orders: []Order)"', "  - ListOrders() => (orders: []Order)"],
  ["}", 'Remove "}"', ""],
];

test("the first run advises on every line, and what the advice says is clean in the second", () => {
  const head = "webrpc = v1\nname = a\nversion = v1\nbasepath = /\n";
  const lint = (lines: readonly string[]) =>
    compile("a.ridl", memoryReader({ "a.ridl": `${head}${lines.join("\n")}\n` }), { strict: true });
  const first = lint(habits.map(([written]) => written)).diagnostics;
  const adviceOn = (index: number): string =>
    first
      .filter(({ at }) => at?.file.positionAt(at.span.start).line === index + 5)
      .map(({ advice = "", fix, suggestion }) => `${advice} ${(fix ?? suggestion)?.title ?? ""}`)
      .join("\n");
  for (const [index, [, advice]] of habits.entries()) expect(adviceOn(index)).toContain(advice);
  const meant = [...habits.map(([, , line]) => line), "enum State: string\n  - open\n  - closed"];
  expect(lint(meant).diagnostics).toEqual([]);
});
