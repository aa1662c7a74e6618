import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { unmarked } from "../../../support/marked.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const header = "webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\n";

/** The expected diagnostic of a schema with one error between the marks: its code, and a part of its message or advice. */
const rows: readonly (readonly [fact: string, code: string, says: string, body: string])[] = [
  ["a misspelled section", "RK611", 'mean "types"', "~~tpyes~~:\n  A: string\n"],
  ["a misspelled key of a struct", "RK611", 'mean "fields"', "types:\n  A:\n    ~~feilds~~:\n      a: int\n"],
  [
    "a misspelled key of a method",
    "RK611",
    'mean "input"',
    "services:\n  S:\n    methods:\n      P: { ~~inptu~~: { a: int } }\n",
  ],
  [
    "a misspelled key beside the right one",
    "RK611",
    'mean "pick"',
    "types:\n  A:\n    type: B\n    pick: b\n    ~~pick2~~: b\n  B: { fields: { b: int, c: int } }\n",
  ],
  ["a misspelled meta key", "RK611", 'mean "minimum"', "types:\n  A: { type: int, ~~minimun~~: 5 }\n"],
  [
    "a key of one's own beside the type",
    "RK611",
    "a dot, such as go.tag.db",
    "types:\n  A: { type: int, ~~flavour~~: x }\n",
  ],
  ["a misspelled type", "RK308", 'mean "string"', "types:\n  A:\n    fields:\n      a: ~~strng~~\n"],
  [
    "a list of accepted forms",
    "RK613",
    'one string: "string,integer"',
    "types:\n  A:\n    fields:\n      a: { type: string, accepts: ~~[string, integer]~~ }\n",
  ],
  [
    "a map of accepted forms",
    "RK613",
    "must be a string, found a map",
    "types:\n  A:\n    fields:\n      a: { type: string, accepts: ~~{ string: true }~~ }\n",
  ],
  [
    "a list of accepted forms below meta",
    "RK613",
    'one string: "string,integer"',
    "types:\n  A: { type: string, meta: { accepts: ~~[string, integer]~~ } }\n",
  ],
  [
    "a list for a default",
    "RK613",
    `'["a",1,true,"it''s"]'`,
    `types:\n  A: { type: "string[]", default: ~~[a, 1, true, "it's"]~~ }\n`,
  ],
  [
    "a map for a default",
    "RK613",
    `'{"a":{"b":null}}'`,
    "types:\n  A:\n    fields:\n      a: { type: string, default: ~~{ a: { b: } }~~ }\n",
  ],
  [
    "a map for an example",
    "RK613",
    `'{"a":"b"}'`,
    "types:\n  A:\n    fields:\n      a: { type: string, example: ~~{ a: b }~~ }\n",
  ],
  [
    "a pattern without quotes",
    "RK613",
    'quotes: "[a-z]"',
    "types:\n  A:\n    fields:\n      a: { type: string, pattern: ~~[a-z]~~ }\n",
  ],
  [
    "a list for a limit",
    "RK613",
    "Write 3 without a list",
    "types:\n  A:\n    fields:\n      a: { type: string, maxLength: ~~[3]~~ }\n",
  ],
  [
    "a list of two values for one",
    "RK613",
    "must be a string, found a list",
    "types:\n  A:\n    fields:\n      a: { type: string, nullable: ~~[read, always]~~ }\n",
  ],
  [
    "an empty list for a meta key",
    "RK613",
    "a string, or a list of strings",
    "types:\n  A:\n    fields:\n      a: { type: string, alias: ~~[]~~ }\n",
  ],
  ["a list for the base of an enum", "RK613", '"values"', "types:\n  E: { enum: ~~[cat, dog]~~ }\n"],
  [
    "a list for the base of an enum with values",
    "RK613",
    "Write string without a list",
    "types:\n  E: { enum: ~~[string]~~, values: [cat] }\n",
  ],
  [
    "a list for the value of an annotation",
    "RK613",
    'one string: "accessKey,secretKey"',
    "services:\n  S:\n    methods:\n      P: { annotations: { auth: ~~[accessKey, secretKey]~~ } }\n",
  ],
  [
    "a list of one value for an annotation",
    "RK613",
    "Write accessKey without a list",
    "services:\n  S:\n    methods:\n      P: { annotations: { auth: ~~[accessKey]~~ } }\n",
  ],
  [
    "a map for a list of names",
    "RK613",
    "[X, Y]",
    "services:\n  S:\n    methods:\n      P: { errors: ~~{ X: , Y: }~~ }\n",
  ],
  [
    "a map for a route",
    "RK613",
    "GET /p",
    "services:\n  S:\n    methods:\n      P: { route: ~~{ GET: /p }~~ }\n",
  ],
  [
    "a verb and a path in a map",
    "RK613",
    "GET /p",
    "services:\n  S:\n    methods:\n      P: { route: ~~{ method: GET, path: /p }~~ }\n",
  ],
  [
    "an annotation alone",
    "RK613",
    "[readonly]",
    "services:\n  S:\n    methods:\n      P: { annotations: ~~readonly~~ }\n",
  ],
  [
    "an annotation as in RIDL",
    "RK616",
    "Write readonly.",
    "services:\n  S:\n    methods:\n      P: { annotations: [~~'@readonly'~~] }\n",
  ],
  [
    "an annotation with a value as in RIDL",
    "RK616",
    "Write auth: key.",
    "services:\n  S:\n    methods:\n      P: { annotations: [~~'auth:key'~~] }\n",
  ],
  [
    "a list of fields with names",
    "RK613",
    '"a: …"',
    "types:\n  A: { fields: [~~{ name: a, type: int }~~] }\n",
  ],
  [
    "a list of arguments with names",
    "RK613",
    '"id: …"',
    "services:\n  S:\n    methods:\n      P: { input: [~~{ name: id, type: int }~~] }\n",
  ],
  [
    "a question mark behind a type",
    "RK113",
    'Write "a?: int".',
    "types:\n  A: { fields: { a: ~~int?~~ } }\n",
  ],
  ["a type or null", "RK113", 'Write "a?: int".', "types:\n  A: { fields: { a: ~~int | null~~ } }\n"],
  ["the items of JSON Schema", "RK611", "T[] in YAML", "types:\n  A: { type: string, ~~items~~: string }\n"],
  [
    "a list for a route",
    "RK613",
    "Write GET /p without a list",
    "services:\n  S:\n    methods:\n      P: { route: ~~[GET /p]~~ }\n",
  ],
  [
    "a list for a side to stream",
    "RK613",
    "output, input or both",
    "services:\n  S:\n    methods:\n      P: { stream: ~~[output]~~ }\n",
  ],
  [
    "a list for a path",
    "RK613",
    "Write /p without a list",
    "services:\n  S:\n    path: ~~[/p]~~\n    methods: [P]\n",
  ],
  [
    "a list for the message of an error",
    "RK613",
    "Write gone without a list",
    "errors:\n  A: { code: 1, message: ~~[gone]~~ }\n",
  ],
  [
    "a misspelled type within quotes",
    "RK308",
    'mean "string"',
    'types:\n  A:\n    fields:\n      a: "[]~~strng~~"\n',
  ],
  [
    "a misspelled type within a map",
    "RK308",
    'mean "string"',
    "types:\n  A:\n    fields:\n      a: map<~~strin~~,int[]>\n",
  ],
  [
    "a misspelled base of an enum",
    "RK314",
    'mean "string"',
    "types:\n  E: { enum: ~~strng~~, values: [a] }\n",
  ],
  ["a name given twice", "RK612", "twice", "types:\n  A: int\n  ~~A~~: string\n"],
  ["names that differ in case", "RK341", "letter case", "types:\n  Aa: int\n  ~~AA~~: string\n"],
  ["a code in hex", "RK109", "whole number", "errors:\n  A: { code: ~~0x10~~, message: x }\n"],
  ["a code with an exponent", "RK109", "whole number", "errors:\n  A: { code: ~~1e3~~, message: x }\n"],
  ["a code with an underscore", "RK109", "whole number", "errors:\n  A: { code: ~~1_000~~, message: x }\n"],
  ["an error without a message", "RK614", '"message"', "errors:\n  ~~A~~: { code: 1 }\n"],
  ["a text for an error", "RK613", "map with code", "errors:\n  A: ~~text~~\n"],
  ["a type in front of which a list is", "RK610", "int[]", "types:\n  A:\n    fields:\n      a: []~~int~~\n"],
  ["a list for a type", "RK613", "int[]", "types:\n  A:\n    fields:\n      a: ~~[int]~~\n"],
  ["a blank in a name", "RK616", "a b", "types:\n  A:\n    fields:\n      ~~a b~~: int\n"],
  ["a type of no kind", "RK617", "fields: {}", "types:\n  ~~A~~:\n"],
  [
    "a text for a list of names",
    "RK613",
    "[X]",
    "services:\n  S:\n    methods:\n      P: { errors: ~~X~~ }\n",
  ],
  [
    "a wrong side to stream",
    "RK613",
    "output, input or both",
    "services:\n  S:\n    methods:\n      P: { stream: ~~ouput~~ }\n",
  ],
  [
    "a proxy with arguments",
    "RK611",
    "proxied",
    "services:\n  S:\n    methods:\n      P: { proxy: true, ~~input~~: { a: int } }\n",
  ],
  [
    "an annotation given twice",
    "RK110",
    "@a",
    "services:\n  S:\n    methods:\n      P: { annotations: [a: x, ~~a: y~~] }\n",
  ],
  ["a service without methods", "RK324", "methods: { Ping: }", "services:\n  ~~S~~:\n"],
  [
    "a line indented too little",
    "RK610",
    "this line is indented differently from the lines around it",
    "types:\n  A:\n    fields:\n      a: int\n     ~~b: int~~\n",
  ],
  [
    "a line indented too far",
    "RK610",
    "this line is indented further than the lines it belongs to",
    "types:\n  A:\n    fields:\n      a: int\n        ~~b: int~~\n",
  ],
  ["a tab", "RK610", "tab", "types:\n\t~~A: int~~\n"],
  ["a colon that is missing", "RK610", "colon is missing", "types:\n  A:\n    ~~fields~~\n      a: int\n"],
  [
    "a blank that is missing",
    "RK610",
    "space is missing",
    "types:\n  A:\n    fields:\n      ~~a:int~~\n      b: int\n",
  ],
  [
    "a second colon",
    "RK610",
    "second colon",
    "errors:\n  A:\n    code: 1\n    message: Not found~~:~~ pet\n",
  ],
  [
    "a bracket that is not closed",
    "RK610",
    '"]"',
    "types:\n  E:\n    enum: string\n    values: ~~[a, b~~\n  F: int\n",
  ],
  [
    "a brace that is not closed",
    "RK610",
    '"}"',
    "errors:\n  A: ~~{ code: 1, message: x~~\n  B: { code: 2, message: y }\n",
  ],
  ["quotes that are not closed", "RK610", "this quote is not closed", 'types:\n  A: ~~"int~~\n  B: int\n'],
  ["a comma that is missing", "RK610", "comma is missing", "errors:\n  A: { code: ~~1 message: x~~ }\n"],
  ["a reserved character", "RK610", "quotes", "types:\n  A: { type: string, example: ~~@~~x }\n"],
  [
    "an escape that is none",
    "RK610",
    "single quotes",
    'types:\n  A: { type: string, pattern: "^~~\\d~~+$" }\n',
  ],
  ["an anchor", "RK618", "anchors", "types:\n  A: ~~&a~~ int\n"],
  ["an alias", "RK618", "aliases", "types:\n  A: ~~*a~~\n"],
  ["a tag", "RK618", "tags", "types:\n  A: ~~!!str~~ int\n"],
  ["a directive", "RK618", "directives", "...\n~~%YAML 1.1~~\n---\nx: y\n"],
  ["a merge key", "RK616", "<<", "types:\n  ~~<<~~: { fields: {} }\n"],
  ["a second document", "RK619", "second document", "~~---~~\nname: x\n"],
  ["a map as a key", "RK620", "a map", "types:\n  ? ~~{ a: b }~~\n  : int\n"],
];

test.each(rows)("%s is reported at its position", (_, code, says, body) => {
  const { text, at } = unmarked(header + body);
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const found = errors.map((one) => ({
    code: one.code,
    at: one.at?.file.text.slice(one.at.span.start, one.at.span.end),
  }));
  expect(found).toEqual([{ code, at }]);
  expect(`${errors[0]?.message} ${errors[0]?.advice}`).toContain(says);
});

test("one run reports all errors of a file", () => {
  const body = "tpyes:\n  A: { fields: { a: strng, b: [int] } }\nerrors:\n  E: { code: x, mesage: y }\n";
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": header + body }));
  expect(diagnostics.map(({ code }) => code)).toEqual(["RK611", "RK308", "RK613", "RK109", "RK611"]);
});

test.each([
  [
    "a type beside fields",
    "types:\n  A: { type: object, fields: { b: string } }\n",
    ['A struct has only "fields"; remove "type".'],
  ],
  [
    "errors in a list",
    "errors:\n  - code: 1\n    message: a\n  - { name: B, code: 2, message: b }\n",
    ['Write each error by its name: "NotFound: { code: 100, message: Not found }".'],
  ],
  [
    "methods beside the path",
    "services:\n  A: { GetPet: { output: { b: string } } }\n",
    ['Put it under "methods".'],
  ],
])("%s have one error, with advice", (_, body, advice) => {
  const text = `webrpc: v1\nname: a\nversion: v1\nbasepath: /rpc\n${body}`;
  const { diagnostics } = compile("a.yaml", memoryReader({ "a.yaml": text }));
  const found = diagnostics.filter(({ code }) => code.startsWith("RK6"));
  expect(found.map((one) => one.advice)).toEqual(advice);
});
