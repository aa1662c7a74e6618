import { expect, test } from "vitest";
import { emitTypescript } from "../../../../generator/codegen/emit/drop-in/index.ts";
import { typescriptDefaults } from "../../../../generator/codegen/emit/drop-in/options.ts";
import { docComment, inlineComment, withoutTexts } from "../../../../generator/codegen/emit/text.ts";
import { emitFiles } from "../../../../generator/codegen/generate.ts";
import { targetNames } from "../../../../generator/codegen/options.ts";
import { planOf } from "../../../support/sample-plan.ts";

test("each line of a quoted text becomes a comment line, and none ends the comment", () => {
  const documented = { docs: ["out of stock\n  come again */"], deprecated: "old\r\nuse b */" };
  expect(docComment(documented, "  ")).toBe(
    "  /**\n   * out of stock\n   * come again *\\/\n   * @deprecated old\n   * use b *\\/\n   */\n",
  );
});

test.each([
  ["a line feed", "a\nb", ["a", "b"]],
  ["a carriage return", "a\rb", ["a", "b"]],
  ["both", "a\r\nb", ["a", "b"]],
  ["a vertical tab", "a\vb", ["a", "b"]],
  ["a form feed", "a\fb", ["a", "b"]],
  ["next line", "a\u0085b", ["a", "b"]],
  ["a line separator", "a\u2028b", ["a", "b"]],
  ["a paragraph separator", "a\u2029b", ["a", "b"]],
])("%s in a comment begins a line of its own", (_, text, lines) => {
  expect(docComment({ docs: [text] }, "")).toBe(`/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`);
  expect(inlineComment(text)).toBe(lines.join(" "));
});

const lineEnds = new Set(["\n", "\v", "\f", "\r", "\u0085", "\u2028", "\u2029"]);
const control = [...Array(0xa0).keys()].filter((code) => code < 0x20 || code >= 0x7f);
const invisible = [0x200b, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xd800, 0xdfff, 0xfeff];

test.each(
  [...control, ...invisible]
    .filter((code) => code !== 0x09 && !lineEnds.has(String.fromCharCode(code)))
    .map((code) => [code.toString(16).toUpperCase().padStart(4, "0"), String.fromCharCode(code)]),
)("U+%s is written out in a comment", (code, character) => {
  expect(docComment({ docs: [`a${character}b`] }, "")).toBe(`/** a<U+${code}>b */\n`);
  expect(inlineComment(`a${character}b`)).toBe(`a<U+${code}>b`);
});

test.each(["a\tb", "crème 日本 🎉", "👩‍👩‍👧", "b\u00a0c"])("%j stays as it is in a comment", (text) => {
  expect(docComment({ docs: [text] }, "")).toBe(`/** ${text} */\n`);
});

test("schema comments add no control characters and cannot end a generated comment", () => {
  const remark = "# x \u001b[31m \r y \u2028 \u0001 */ z";
  const deprecated = `# Deprecated: ${remark.slice(2)}`;
  const schema = `webrpc = v1
name = t
version = v1
basepath = /
${remark}
struct S
  ${remark}
  - a: string
  ${deprecated}
  - b: E
${remark}
enum E: string
  ${remark}
  - A
${remark}
type L: []S
${remark}
error 1 Gone "gone" HTTP 410
${remark}
service A
  ${remark}
  ${deprecated}
  - M(s: S) => (l: L)
  ${remark}
  - stream N() => (s: S)
`;
  const plan = planOf({ "m\u001b\r.ridl": schema }, "m\u001b\r.ridl");
  const files = emitFiles(plan, { targets: targetNames });
  const texts = [...files]
    // Their descriptions are strings, which may contain the end of a comment.
    .filter(([path]) => path.endsWith(".ts") && !["standard-json-schema.ts", "mcp.ts"].includes(path))
    .map(([, text]) => text);
  const commented = [...texts, emitTypescript(plan, { ...typescriptDefaults, client: true, server: true })];
  expect(commented.filter((text) => text.includes("x <U+001B>[31m")).length).toBeGreaterThan(4);
  expect(commented.filter((text) => /[^\P{Cc}\n]|[\u2028\u2029]|\*\/ z/u.test(text))).toEqual([]);
});

test("a service and methods that come later rename no export", () => {
  const head = "webrpc = v1\nname = shop\nversion = v1\nbasepath = /\n\nstruct Order\n  - id: uint32\n\n";
  const orders = "service Orders\n  - Get(id: uint32) => (order: Order)\n  - Ping() => ()\n";
  const later =
    "  - Put(order: Order) => ()\n\nservice Returns\n  - Get(id: uint32) => ()\n  - Ping() => ()\n";
  const exportsOf = (text: string): readonly string[] =>
    [...emitFiles(planOf({ "shop.ridl": head + text }, "shop.ridl"), { targets: targetNames })].flatMap(
      ([path, file]) =>
        [...file.matchAll(/^export (?:declare )?(?:const|function|class|type|interface) ([\w$]+)/gm)].map(
          ([, name]) => `${path} ${name}`,
        ),
    );
  const [before, after] = [exportsOf(orders), exportsOf(orders + later)];
  expect(before).toEqual(expect.arrayContaining(["client.ts get", "types.ts GetRequest"]));
  expect(after).toEqual(
    expect.arrayContaining([...before, "client.ts returnsGet", "types.ts ReturnsGetRequest"]),
  );
});

test.each([
  ['v.fault("v.x", a)', 'v.fault("", a)'],
  ['["a\\"v.b", v.c]', '["", v.c]'],
  ["no texts", "no texts"],
])("the code %s without its texts is %s", (code, expected) => {
  expect(withoutTexts(code)).toBe(expected);
});
