/** Requests as text, for links and for the history: what is kept, and what a page makes of any text. */
import { describe, expect, test } from "vitest";
import {
  linkOf,
  maxLinkLength,
  omittedText,
  readRequest,
  saveRequest,
} from "../../../generator/explorer/page/call/saved-request.ts";
import { keptOf } from "../../../generator/explorer/page/form/kept.ts";
import { parseJson, writeJson } from "../../../generator/explorer/page/json/node.ts";
import { type IrType, readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { shapeOf } from "../../../generator/explorer/page/schema/shape.ts";

const secret = [{ secret: "true" }];

/** `type A0: A1`, …, and the last one a secret text. */
const chain = Array.from(
  { length: 200 },
  (_, index): IrType => ({
    kind: "alias",
    name: `A${index}`,
    type: index === 199 ? "Secret" : `A${index + 1}`,
  }),
);

const schema = readSchema({
  name: "kept",
  version: "v1",
  services: [],
  types: [
    { kind: "alias", name: "Secret", type: "string", meta: secret },
    { kind: "alias", name: "Secrets", type: "[]Secret" },
    { kind: "alias", name: "Forest", type: "[]Forest" },
    { kind: "alias", name: "Circle", type: "Circle" },
    ...chain,
    {
      kind: "struct",
      name: "Inner",
      fields: [
        { name: "code", type: "uint32", meta: secret },
        { name: "name", type: "string" },
      ],
    },
    {
      kind: "struct",
      name: "Request",
      fields: [
        { name: "id", type: "uint64" },
        { name: "text", type: "string" },
        { name: "texts", type: "[]string" },
        { name: "any", type: "any" },
        { name: "secret", type: "Secret" },
        { name: "secrets", type: "Secrets" },
        { name: "lists", type: "[][]Secret" },
        { name: "values", type: "map<string,Secret>" },
        { name: "keys", type: "map<Secret,string>" },
        { name: "far", type: "A0" },
        { name: "mail", type: "string", meta: [{ pii: "true" }, { json: "email" }] },
        { name: "inner", type: "Inner" },
        { name: "inners", type: "[]Inner" },
        { name: "byName", type: "map<string,Inner>" },
        { name: "file", type: "file" },
        { name: "files", type: "[]file" },
        { name: "forest", type: "Forest" },
        { name: "circle", type: "Circle" },
      ],
    },
  ],
});
const shape = shapeOf(schema, { type: "Request", meta: {} });
const noSettings = { settings: {}, isJson: false };

describe("a value that is kept", () => {
  test.each([
    ['{"id":18446744073709551615,"text":"é\\ud800 &=#?%+","texts":["a",""],"any":{"deep":[1.50]}}'],
    ['{"inner":{"name":"a"},"inners":[],"byName":{"x/y":{"name":"b"}},"forest":[[],[[]]],"circle":1}'],
    ['{"id":null,"inner":null,"texts":[null]}'],
    // Invalid values of scalars stay: people test errors with them.
    ['{"id":"zz","text":7,"texts":[true]}'],
  ])("is the same: %s", (text) => {
    const { node, omitted } = keptOf(schema, shape, parseJson(text));
    expect(writeJson(node)).toBe(writeJson(parseJson(text)));
    expect(omitted).toEqual([]);
  });

  test.each([
    ['{"secret":"S"}', "{}", "/secret (private)"],
    ['{"secret":null}', "{}", "/secret (private)"],
    ['{"secrets":["S"]}', "{}", "/secrets (private)"],
    ['{"lists":[["S"]]}', "{}", "/lists (private)"],
    ['{"values":{"a":"S"}}', "{}", "/values (private)"],
    ['{"keys":{"S":"a"}}', "{}", "/keys (private)"],
    ['{"far":"S"}', "{}", "/far (private)"],
    ['{"email":"S"}', "{}", "/email (private)"],
    ['{"inner":{"code":"S","name":"n"}}', '{"inner":{"name":"n"}}', "/inner/code (private)"],
    ['{"inners":[{"code":"S"}]}', '{"inners":[{}]}', "/inners/0/code (private)"],
    ['{"byName":{"a/b":{"code":"S"}}}', '{"byName":{"a/b":{}}}', "/byName/a~1b/code (private)"],
    ['{"file":null,"files":[null]}', '{"files":[]}', "/file (file), /files/0 (file)"],
    // Fields that the contract does not declare may be private.
    ['{"seceret":"S","id":1}', '{"id":1}', "/seceret (not in the contract)"],
    ['{"inner":"S"}', "{}", "/inner (not in the contract)"],
    ['{"text":{"secret":"S"}}', "{}", "/text (not in the contract)"],
    ['{"texts":{"secret":"S"}}', "{}", "/texts (not in the contract)"],
    ['{"text":["S"]}', "{}", "/text (not in the contract)"],
    ['"S"', "{}", "the body (not in the contract)"],
    ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}', "{}", expect.stringMatching(/\/e \(.*\), 2 more$/)],
  ])("contains nothing private, no file, and nothing undeclared: %s", (text, kept, listed) => {
    const { node, omitted } = keptOf(schema, shape, parseJson(text));
    expect(writeJson(node)).toBe(kept);
    expect(writeJson(node)).not.toContain("S");
    expect(omittedText(omitted)).toEqual(listed);
  });
});

describe("a request as text", () => {
  const checks = {
    network: (text: string) => text.length < 5,
    server: (text: string) => text === "https://a",
  };

  test.each([false, true])("is read as it was saved; edited as JSON: %s", (isJson) => {
    const body = parseJson('{"id":18446744073709551615,"text":"é\\ud800 &=#?%+\\n\'()*"}');
    const settings = { network: "", server: "https://a" };
    const { text } = saveRequest(schema, shape, { body, isJson, settings });
    // Programs that look for URLs in a text end them at other characters.
    expect(text).toMatch(/^[\w.*+=&%-]+$/);
    const read = readRequest(schema, shape, text, checks);
    expect(read).toEqual({ body, isJson, settings, faults: [] });
  });

  test.each([
    ["", []],
    ["form=%7B%7D", []],
    ["form=%7B", ["The request is not valid JSON: line 1: unexpected end."]],
    ["form=%", ['The request is not valid JSON: line 1: unexpected "%".']],
    ["form=%FF%7B%7D", [expect.stringContaining("is not valid JSON")]],
    [`form=${"[".repeat(300)}`, [expect.stringContaining("is not valid JSON")]],
    ["json=%7B%22gone%22%3A1%7D", ["Not used: /gone (not in the contract)."]],
    ["form=%7B%22secret%22%3A%22S%22%7D", ["Not used: /secret (private)."]],
    ["server=https%3A%2F%2Fevil.example", ["Not used: server=https://evil.example."]],
    ["network=abcde", ["Not used: network=abcde."]],
    ["toString=1&__proto__=2", ["Not used: toString=1.", "Not used: __proto__=2."]],
    ["v9", ["Not used: v9=."]],
  ])("%.60s cannot be used in full: %j", (text, faults) => {
    const read = readRequest(schema, shape, text, checks);
    expect(read.faults).toEqual(faults);
    expect(read.settings).toEqual({});
  });
});

test.each([
  [maxLinkLength - 1, true],
  [maxLinkLength, true],
  [maxLinkLength + 1, false],
])("a link of %i characters is made: %s", (length, isMade) => {
  const page = "https://host.example/explorer/#/method/A/B";
  const body = parseJson(JSON.stringify({ text: "" }));
  const { text: empty } = saveRequest(schema, shape, { body, ...noSettings });
  const filler = "a".repeat(length - `${page}?${empty}`.length);
  const { text } = saveRequest(schema, shape, {
    body: parseJson(JSON.stringify({ text: filler })),
    ...noSettings,
  });
  expect(linkOf(page, text)).toEqual(isMade ? { url: `${page}?${text}` } : { tooLong: length });
});
