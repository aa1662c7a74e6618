import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { findings, unmarked } from "../../../support/marked.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const service = (method: string): string => `service S\n${method}\n`;
const struct = (fields: string): string => `struct T\n${fields}\n`;

const pair = struct(" - a?: int\n   + oneOf = g\n - b?: int\n   + oneOf = g\n - c: int");

/** Each row violates one rule, at the position between the marks. */
const errors: readonly (readonly [code: string, source: string])[] = [
  ["RK302", "~~name = again~~\n"],
  ["RK306", "struct ~~user~~\n"],
  ["RK307", "struct A\nstruct ~~A~~\n"],
  ["RK341", "struct Abc\nenum ~~ABC~~: int\n - x\n"],
  ["RK308", struct(" - a: ~~Usr~~")],
  ["RK308", struct(" - a: map<string,[]~~Usr~~>")],
  ["RK309", struct(" - a: map<~~bool~~,int>")],
  ["RK309", struct(" - a: map<~~T~~,int>")],
  ["RK340", "type A: map<~~B~~,int>\nenum E: int\n - x\ntype B: E\n"],
  ["RK310", struct(" - ~~a-b~~: int")],
  ["RK311", struct(" - a: int\n - ~~a~~: int")],
  ["RK342", struct(" - a: int\n - ~~A~~: int")],
  ["RK312", struct(" - a: int\n   + json = ~~a,omitempty~~")],
  ["RK313", struct(" - a: int\n - b: int\n   + json = ~~a~~")],
  ["RK312", "enum E: int\n - a\n   + json = ~~b.c~~\n"],
  ["RK333", "enum E: int\n - a = 1\n - ~~b~~\n"],
  ["RK314", "enum E: ~~float64~~\n - x\n"],
  ["RK315", 'error 1 ~~lost~~ "m"\n'],
  ["RK316", 'error 1 ~~WebrpcLost~~ "m"\n'],
  ["RK317", 'error ~~0~~ Lost "m"\n'],
  ["RK320", 'error 1 Lost "m" HTTP ~~200~~\n'],
  ["RK321", 'error 1 A "m"\nerror 2 ~~A~~ "m"\n'],
  ["RK343", 'error 1 Ab "m"\nerror 2 ~~AB~~ "m"\n'],
  ["RK322", 'error 1 A "m"\nerror ~~1~~ B "m"\n'],
  ["RK403", `error 1 A "m"\n${struct(" - a: T\n   + ~~errorData~~ = A")}`],
  ["RK403", 'error 1 A "m"\ntype D: []string\n   + ~~errorData~~ = A\n'],
  ["RK403", 'error 1 A "m"\ntype D: any\n   + ~~errorData~~ = A\n'],
  ["RK403", `${struct(" - a: T\n   + ~~message~~ = m")}`],
  ["RK403", struct(" - a: string\n   + ~~errorData~~ = A")],
  [
    "RK403",
    'error 1 A "m"\nstruct T\ntype D: string\n   + ~~errorData~~ = A\ntype E: T\n   + errorData = A\n',
  ],
  ["RK403", "type D: any\n   + ~~brand~~ = true\n"],
  ["RK413", `${struct(" - a: int")}type D: T\n   + errorData = ~~Gone~~\n`],
  ["RK414", `error 1 A "m"\n${struct("")}type D: T\n   + errorData = A\ntype E: D\n   + errorData = ~~A~~\n`],
  ["RK323", "service S\n - a()\nservice ~~S~~\n - a()\n"],
  ["RK344", "service S\n - a()\nservice ~~s~~\n - a()\n"],
  ["RK324", "service ~~S~~\n"],
  ["RK325", service(" - a()\n - ~~a~~()")],
  ["RK345", service(" - a()\n - ~~A~~()")],
  ["RK326", `${struct("")}${service(" - a(~~T~~) => (b: int)")}`],
  ["RK327", `enum E: int\n - x\n${service(" - a(~~E~~) => (E)")}`],
  ["RK308", service(" - a(~~Nope~~) => (Nope)")],
  ["RK328", service(" - a(b: int, ~~T~~)")],
  ["RK329", service(" - a() errors ~~Lost~~")],
  ["RK347", struct(" - a: [][]~~file~~")],
  ["RK351", "enum E: string\n - a\n   + ~~json~~ = b\n"],
  ["RK313", "enum E: int\n - a\n   + json = b\n - ~~b~~\n"],
  ["RK353", `struct A\n - a: file\n${struct(" - a: ~~A~~")}`],
  ["RK353", `struct A\n - a: file\n${service(" - a() => (b: ~~A~~)")}`],
  ["RK354", `struct A\n - a: file\n${service(" - a(b: A, ~~a~~: file)")}`],
  ["RK347", "type A: []~~file~~\n"],
  ["RK347", service(" - a(b: [][]~~file~~)")],
  ["RK347", service(" - a(b: map<string,~~file~~>)")],
  ["RK347", service(" - a() => (b: []~~file~~)")],
  ["RK347", service(" - a() => (b: ~~file~~, c: int)")],
  ["RK347", service(" - a() => stream (b: ~~file~~)")],
  ["RK347", service(" - a() => stream (~~file~~)")],
  ["RK348", service(" - a(~~json~~: file)")],
  ["RK309", struct(" - a: map<~~file~~,int>")],
  ["RK327", `${struct("")}${service(" - a(~~file~~) => (T)")}`],
  ["RK381", service(" @mcp:~~false~~\n - a()")],
  ["RK381", service(' @mcp:~~"on"~~\n - a()')],
  ["RK402", struct(" - a: int\n   + minimum = ~~low~~")],
  ["RK402", struct(" - a: string\n   + pattern = ~~/^[a-z]+$/~~")],
  ["RK402", struct(" - a: string\n   + pattern = ~~/[a-z]$/i~~")],
  ["RK403", struct(" - a: int\n   + ~~pattern~~ = x")],
  ["RK403", "type A: int\n + ~~alias~~ = b\n"],
  ["RK405", struct(" - a: int\n   + maximum = 1\n   + minimum = ~~2~~")],
  ["RK406", struct(" - a: int\n   + alias = ~~b~~\n - b: int")],
  ["RK402", struct(" - a?: int\n   + oneOf = ~~a-b~~\n - b?: int")],
  ["RK403", "type A: int\n + ~~oneOf~~ = b\n"],
  ["RK403", struct(" - a?: file\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")],
  ["RK411", struct(" - a: int\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")],
  ["RK411", struct(" - a?: int\n   + default = 1\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")],
  ["RK411", struct(" - a?: int\n   + nullable = always\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")],
  ["RK411", struct(" - a?: int\n   + json = -\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")],
  ["RK411", struct(" - a?: null\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")],
  [
    "RK411",
    `type A: int\n + default = 1\n${struct(" - a?: A\n   + ~~oneOf~~ = g\n - b?: int\n   + oneOf = g")}`,
  ],
  ["RK412", struct(" - a?: int\n   + oneOf = ~~g~~\n - b?: int")],
  ["RK403", struct(" - a: int\n   + ~~omit~~ = b")],
  ["RK403", "type D: []string\n   + ~~pick~~ = a\n"],
  ["RK402", `${struct(" - a: int")}type D: T\n   + partial = ~~yes~~\n`],
  ["RK403", `${struct(" - a: int\n - b: int")}type D: T\n   + omit = a\n   + ~~secret~~ = true\n`],
  ["RK418", `${struct(" - first: int\n - b: int")}type D: T\n   + omit = ~~frist~~\n`],
  ["RK418", `${struct(" - a: int\n - b: int")}type D: T\n   + pick = ~~a,b~~\n`],
  ["RK418", `${struct(" - a: int\n - b: int")}type D: T\n   + omit = a\ntype E: D\n   + pick = ~~a~~\n`],
  ["RK419", `${struct(" - a: int\n - b: int")}type D: T\n   + omit = a\n   + ~~pick~~ = b\n`],
  ["RK419", `${struct(" - a: int")}type ~~D~~: T\n   + omit = a\n`],
  ["RK419", "type ~~D~~: D\n   + partial = true\n"],
  ["RK419", "type A: B\ntype B: A\ntype ~~D~~: A\n   + partial = true\n"],
  ["RK419", `${pair}type ~~D~~: T\n   + omit = a\n`],
  ["RK419", `${pair}type ~~D~~: T\n   + partial = true\n`],
  ["RK327", `${pair}type D: T\n   + pick = c\n${service(" - do(~~D~~) => (T)")}`],
  ["RK419", `${conditional(" - a?: int\n   + when = k.x")}type ~~D~~: T\n   + omit = k\n`],
  ["RK419", `${conditional(" - a?: int\n   + when = k.x")}type ~~D~~: T\n   + partial = true\n`],
  ["RK402", conditional(" - a?: int\n   + when = ~~x~~")],
  ["RK402", conditional(" - a?: int\n   + when = ~~k.x.y~~")],
  ["RK403", `${conditional("")}type A: int\n + ~~when~~ = k.x\n`],
  ["RK403", conditional(" - a?: file\n   + ~~when~~ = k.x")],
  ["RK416", conditional(" - a: int\n   + ~~when~~ = k.x")],
  ["RK416", conditional(" - a?: int\n   + ~~when~~ = k.x\n   + when = k.y\n   + default = 1")],
  ["RK416", conditional(" - a?: int\n   + nullable = always\n   + ~~when~~ = k.x")],
  ["RK416", conditional(" - a?: int\n   + ~~when~~ = k.x\n   + oneOf = g\n - b?: int\n   + oneOf = g")],
  ["RK417", conditional(" - a?: int\n   + when = ~~l.x~~")],
  ["RK417", conditional(" - a?: int\n   + when = ~~k.z?~~")],
  ["RK417", conditional(" - a?: int\n   + when = k.x\n   + when = ~~k.x?~~")],
  ["RK417", conditional(" - a?: int\n   + when = k.x\n - l: K\n - b?: int\n   + when = ~~l.x~~")],
  ["RK417", conditional(" - l?: K\n - b?: int\n   + when = ~~l.x~~")],
  ["RK417", conditional(" - l: K\n   + secret = true\n - b?: int\n   + when = ~~l.x~~")],
  ["RK417", conditional(" - l: K\n   + json = -\n - b?: int\n   + when = ~~l.x~~")],
  ["RK417", conditional(" - l: int\n - b?: int\n   + when = ~~l.x~~")],
];

/** A struct whose fields may depend on `k`, which is x or y. */
function conditional(fields: string): string {
  return `enum K: string\n - x\n - y\n${struct(` - k: K\n${fields}`)}`;
}

const warnings: readonly (readonly [code: string, source: string])[] = [
  ["RK318", 'error ~~3000000000~~ Lost "m"\n'],
  ["RK330", service(" - a(b: int, ~~b~~: int)")],
  ["RK331", service(" - a(~~b-c~~: int)")],
  ["RK332", "type ~~A~~: B\ntype B: A\n"],
  ["RK334", "enum E: uint8\n - a = ~~256~~\n"],
  ["RK335", service(" - ~~a.b~~()")],
  ["RK336", "struct ~~A-B~~\n"],
  ["RK337", "struct ~~A~~\n - b: B\nstruct B\n - a: A\n"],
  ["RK338", service(" - stream ~~a~~(b: int)")],
  ["RK339", service(" - proxy ~~A.b~~")],
  ["RK370", service(' ~~@cache:"60s"~~\n - a()')],
  ["RK370", service(' @readonly ~~@cache:"60s"~~\n - a() => stream (b: int)')],
  ["RK370", service(' @readonly ~~@cache:"60s"~~\n - a(b: file)')],
  ["RK370", service(' @readonly ~~@cache:"60s"~~\n - a(b: int)\n   POST /a')],
  ["RK371", service(" @readonly ~~@cache~~\n - a()")],
  ["RK371", service(' @readonly @cache:~~"1 minute"~~\n - a()')],
  ["RK371", service(' @readonly @cache:~~"1.5s"~~\n - a()')],
  ["RK371", service(' @readonly @cache:~~"366d"~~\n - a()')],
  ["RK371", service(' @readonly @cache:~~"31536001s"~~\n - a()')],
  ["RK372", service(' @readonly @cache:~~"60s, shared"~~\n - a()')],
  ["RK372", service(' @readonly @cache:~~"60s, public, private"~~\n - a()')],
  ["RK372", service(' @readonly @cache:~~"60s, vary"~~\n - a()')],
  ["RK372", service(' @readonly @cache:~~"60s, vary *"~~\n - a()')],
  ["RK372", service(' @readonly @cache:~~"60s,"~~\n - a()')],
  ["RK373", service(' @auth:"key" @readonly @cache:~~"60s"~~\n - a()')],
  ["RK373", service(' @auth:"key" @readonly @cache:~~"0s, public"~~\n - a()')],
  ["RK408", struct(' - a: []int\n   + default = ~~"{}"~~')],
  ["RK408", struct(" - a: map<string,int>\n   + default = ~~[]~~")],
  ["RK375", service(" @readonly ~~@idempotencyKey~~\n - a()")],
  ["RK375", service(" ~~@idempotencyKey~~ @idempotent\n - a()")],
  ["RK375", service(" ~~@idempotencyKey:on~~\n - a()")],
  ["RK375", service(" ~~@idempotencyKey~~\n - a() => stream (b: int)")],
  ["RK375", service(" ~~@idempotencyKey~~\n - a(b: file)")],
  ["RK375", service(" ~~@idempotencyKey~~\n - a() => (b: file)")],
  ["RK375", service(" ~~@idempotencyKey~~\n - a(b: int)\n   GET /a")],
  ["RK379", service(" ~~@readonly:false~~\n - a()")],
  ["RK379", service(" @auth:false ~~@deprecated:False~~\n - a()")],
  ["RK379", service(" ~~@idempotent:no~~\n - a()")],
  ["RK374", service(" - a()\n   GET ~~/./x~~")],
  [
    "RK380",
    `${struct(" - a?: []int\n   + oneOf = g\n - b?: int\n   + oneOf = g")}${service(" - m(T) => (T)\n   ~~GET /x~~")}`,
  ],
  [
    "RK380",
    `enum K: int\n - a\n${struct(" - k: K\n - a?: []int\n   + when = k.a")}${service(" - m(T) => (T)\n   ~~GET /{k}~~")}`,
  ],
  ["RK380", `${struct(" - a?: int\n   + nullable = always")}${service(" - m(T) => (T)\n   ~~DELETE /x~~")}`],
  ["RK374", service(" path = ~~/x/..~~\n - a()\n   GET /y")],
  ["RK355", service(" - a() => (~~b~~?: file)")],
  ["RK349", service(" ~~@noErrors:true~~\n - a()")],
  ["RK350", `error 1 Lost "m"\n${service(" ~~@noErrors~~\n - a() errors Lost")}`],
  ["RK350", `error 1 Lost "m"\n${service(" ~~@noErrors:true~~\n - a() errors Lost")}`],
  ["RK401", struct(" - a: string\n   + ~~minLenght~~ = 3")],
  ["RK401", struct(" - a: string\n   + ~~color~~ = red")],
  ["RK401", "enum E: int\n - a\n   + ~~color~~ = red\n"],
  ["RK401", "type A: string\n + ~~color~~ = red\n"],
  ["RK409", struct(" - a: string\n   + format = ~~emial~~")],
  ["RK404", struct(" - a: int\n   + minimum = 1\n   + ~~minimum~~ = 2")],
  ["RK410", "type A: int\n + ~~json~~ = b\n"],
  ["RK407", struct(" - a: string\n   + example = ~~é~~")],
];

describe("each violated rule is reported at its position", () => {
  test.each(errors)("%s is an error: %j", (code, source) => {
    const { text, at } = unmarked(source);
    expect(findings(text)).toContainEqual(expect.objectContaining({ code, at, severity: "error" }));
  });

  test.each(warnings)("%s is a warning: %j", (code, source) => {
    const { text, at } = unmarked(source);
    expect(findings(text)).toContainEqual(expect.objectContaining({ code, at, severity: "warning" }));
    expect(findings(text).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("the right name is suggested", () => {
  test.each([
    [struct(" - a: Strnig"), 'Did you mean "string"?'],
    [`struct User\n${struct(" - a: Usr")}`, 'Did you mean "User"?'],
    [`error 1 NotFound "m"\n${service(" - a() errors NotFuond")}`, 'Did you mean "NotFound"?'],
    ["enum E: unit8\n - x\n", 'Did you mean "uint8"?'],
    ["strct T\n", 'Did you mean "struct"?'],
  ])("%j", (source, advice) => {
    expect(findings(source).map((one) => one.advice)).toContain(advice);
  });
});

const twoKinds = "enum K: string\n - x\nenum L: string\n - y\n";
const kinded = (...lines: readonly string[]): string =>
  twoKinds + struct(" - k: K\n - l: L\n - a?: int\n   + when = k.x\n - b?: int") + lines.join("\n");

test.each([
  ["RK417", kinded("   + when = k.x", "   + when = k.x?\n"), "Remove this line."],
  ["RK417", kinded("   + when = l.y\n"), undefined],
  ["RK417", kinded("   + when = k.z\n"), 'Did you mean "k.x"?'],
  ["RK413", `${struct(" - a: int")}type D: T\n   + errorData = WebrpcBadRequest\n`, "Errors of the protocol"],
  ["RK308", struct(" - a: decimal"), "+ format = decimal"],
  ["RK419", "type D: D\n   + partial = true\n", "Derive it from a struct."],
])("the advice of %s: %j", (code, source, advice) => {
  const found = findings(source).find((one) => one.code === code);
  if (advice === undefined) expect(found).toMatchObject({ advice: undefined });
  else expect(found?.advice).toContain(advice);
});

test("data of an error that is a derived struct needs an alias of that struct", () => {
  const derived = `error 1 A "m"\n${struct(" - a: int\n - b: int")}type D: T\n   + omit = a\n`;
  expect(diagnosticsOf(`${derived}   + errorData = A\n`).map(({ message }) => message)).toEqual([
    '"errorData" has no effect on a derived struct; it applies to an alias of it.',
  ]);
  expect(diagnosticsOf(`${derived}type AData: D\n   + errorData = A\n`)).toEqual([]);
});

test.each([
  [' @cache:"60s"\n - a()', "Add @readonly or a GET or QUERY route, or remove @cache."],
  [
    ' @readonly @cache:"60s"\n - a(b: int)\n   POST /a',
    "Change the route to GET or QUERY, or remove @cache.",
  ],
  [
    ' @readonly @cache:"60s"\n - a() => stream (b: int)',
    "Remove @cache. Streams and uploads are not cached.",
  ],
])("the advice of RK370 helps: %j", (method, advice) => {
  const { advice: found } = findings(service(method)).find(({ code }) => code === "RK370") ?? {};
  expect(found).toMatch(new RegExp(`^${advice}`));
});

test.each([
  ["60s, shared", 'contains "shared", which has no meaning there.'],
  ["60s,", "contains an empty word, which has no meaning there."],
  ["60s, public, private", 'contains "private", but "public" and "private" exclude each other.'],
  ["60s, public, public", 'contains "public", which is repeated.'],
  ["60s, vary", 'contains "vary", which needs the name of a header.'],
  ["60s, vary *", 'contains "vary *", which needs the name of a header.'],
])("the message of RK372 for %j says what is wrong", (value, message) => {
  const found = diagnosticsOf(service(` @readonly @cache:"${value}"\n - a()`));
  expect(found.map((one) => one.message)).toEqual([`"@cache" of "a" ${message}`]);
});

test.each([
  ["/rpc/../v1", ["RK374"]],
  ["/rpc/.", ["RK374"]],
  ["/rpc/%2E.", ["RK374"]],
  ["/rpc/...", []],
  ["/rpc/.x", []],
])("the basepath %s", (basepath, codes) => {
  const found = diagnosticsOf(service(" - a()"), basepath);
  expect(found.map(({ code }) => code)).toEqual(codes);
  for (const { severity, at } of found) {
    expect(severity).toBe("warning");
    expect(at?.file.text.slice(at.span.start, at.span.end)).toBe(basepath);
  }
});

test.each([
  ["enum E: int\n - x\n", struct(" - a: E\n   + pattern = x"), "no effect on an enum; it"],
  [
    "type D: int\n + default = 1\n",
    struct(" - a?: D\n   + oneOf = g\n - b?: int\n   + oneOf = g"),
    'its type "D" has a default',
  ],
  ["type D: T\n + omit = a\n + omit = a\n", struct(" - a: int\n - b: int"), '"omit" lists "a" twice'],
  [
    "type D: T\n + pick = a\n + pick = b\n + pick = a\n",
    struct(" - a: int\n - b: int"),
    '"pick" lists "a" twice',
  ],
])("%s%s: %s", (types, fields, message) => {
  const messages = diagnosticsOf(`${fields}${types}`).map((found) => found.message);
  expect(messages.join()).toContain(message);
});

test("an empty default is valid for types with an empty value, and for structs", () => {
  const of = (type: string) => findings(`struct U\n${struct(` - a: ${type}\n   + default.empty = true`)}`);
  expect(["string", "[]int", "map<string,int>", "U"].flatMap(of)).toEqual([]);
  expect(["int", "bool"].flatMap(of).map(({ code }) => code)).toEqual(["RK403", "RK403"]);
});

test("keys of other tools pass through", () => {
  const meta = "   + go.tag.db = id\n   + go.field.type = X\n   + go.type.import = x\n   + ts.type = Y";
  expect(findings(struct(` - a: int\n${meta}`))).toEqual([]);
  expect(findings(`type A: int\n${meta}\n   + go.type = X\n   + go.alias = Y\n`)).toEqual([]);
});

test("a type may be a list of itself, and an optional field breaks a cycle", () => {
  expect(findings("type Tree: []Tree\nstruct Node\n - next?: Node\n - all: []Node\n")).toEqual([]);
});

test("one mistake is reported once, without its dependent lines", () => {
  expect(
    findings("strutc User\n - id: int\n - name: string\nstruct Pet\n - owner: User\n").map(
      ({ code }) => code,
    ),
  ).toEqual(["RK102"]);
});

test("100 diagnostics are shown and the rest are counted", () => {
  const found = findings(
    struct(Array.from({ length: 300 }, (_, index) => ` - f${index}: Nope${index}`).join("\n")),
  );
  expect(found).toHaveLength(101);
  expect(found.at(-1)).toMatchObject({ code: "RK901", severity: "error" });
});

describe("one mistake is one finding", () => {
  const files = { "lib.ridl": 'webrpc = v1\nstruct User\n - id: int\nerror 9 Gone "m"\n' };

  test("an undeclared name is reported once, with its other uses as notes", () => {
    const found = diagnosticsOf("struct T\n - a: Nope\n - b: []Nope\nservice S\n - m(x: Nope)\n");
    expect(found).toMatchObject([{ code: "RK308", notes: [{}, {}] }]);
    expect(found[0]?.notes.map(({ message }) => message)).toEqual(["Also used here.", "Also used here."]);
  });

  test("a misspelled declaration is renamed, not its uses", () => {
    const found = diagnosticsOf("struct T\n - a: Rarity\n - b: Rarity\nenum Raritgy: int\n - x\n");
    expect(found).toMatchObject([{ code: "RK308", suggestion: { title: 'Rename "Raritgy" to "Rarity"' } }]);
  });

  test("a declaration that failed to parse is not reported as missing", () => {
    expect(codesOf('error x Lost "m"\nservice S\n - m() errors Lost\n')).toEqual(["RK109"]);
    expect(codesOf("service S\n - m(a b c)\n")).toEqual(["RK101"]);
    expect(codesOf("interface User\n - id: int\nstruct T\n - u: User\n")).toEqual(["RK102"]);
  });

  test("a name from a file that is not imported gets a fix that adds the import", () => {
    const between = "webrpc = v1\nimport\n - lib.ridl\n - other.ridl\n";
    const other = "webrpc = v1\nstruct T\n - u: User\n";
    const main = "webrpc = v1\nimport between.ridl\n";
    const all = { "main.ridl": main, "between.ridl": between, "other.ridl": other, ...files };
    const { diagnostics } = compile("main.ridl", memoryReader(all));
    expect(diagnostics).toMatchObject([
      {
        code: "RK308",
        path: "other.ridl",
        advice: 'It is declared in "lib.ridl", which this file does not import.',
        notes: [{ message: '"User" is declared here.', at: { file: { path: "lib.ridl" } } }],
      },
    ]);
    expect(applyFixes(withSuggestions(diagnostics)).files.map(({ text }) => text)).toEqual([
      "webrpc = v1\n\nimport lib.ridl\nstruct T\n - u: User\n",
    ]);
  });

  test("a name missing from the import list gets a fix that adds it", () => {
    const main =
      "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\nimport lib.ridl\n - User\n\nservice S\n - m() errors Gone\n";
    const { diagnostics } = compile("main.ridl", memoryReader({ "main.ridl": main, ...files }));
    expect(diagnostics).toMatchObject([
      {
        code: "RK329",
        advice: 'It is declared in "lib.ridl"; add it to the members that this file imports.',
      },
    ]);
    const [fixed] = applyFixes(withSuggestions(diagnostics)).files;
    expect(
      compile("main.ridl", memoryReader({ ...files, "main.ridl": fixed?.text ?? "" })).diagnostics,
    ).toEqual([]);
  });

  test("two equally similar names get no fix", () => {
    const [found] = diagnosticsOf("struct Cat\nstruct Car\nstruct T\n - a: Cab\n");
    expect(found).toMatchObject({ advice: 'Did you mean "Cat" or "Car"?' });
    expect(found?.fix).toBeUndefined();
  });

  test("a missing path suggests a similar file in the same folder", () => {
    const { diagnostics } = compile(
      "m.ridl",
      memoryReader({ "m.ridl": "webrpc = v1\nimport libb.ridl\n", ...files }),
    );
    expect(diagnostics).toMatchObject([{ code: "RK201", advice: 'Did you mean "lib.ridl"?' }]);
  });
});

function diagnosticsOf(body: string, basepath = "/rpc"): readonly Diagnostic[] {
  const header = `webrpc = v1\nname = t\nversion = v1\nbasepath = ${basepath}\n`;
  return compile("main.ridl", memoryReader({ "main.ridl": header + body })).diagnostics;
}

function codesOf(body: string): string[] {
  return diagnosticsOf(body).map(({ code }) => code);
}

test.each([
  ["uint8", "30", true],
  ["uint8", "300", false],
  ["int16", "-1", true],
  ["uint64", "1.5", false],
  ["bigint", "123456789012345678901234567890", true],
  ["float64", "1e3", true],
  ["float64", "far", false],
  ["bool", "yes", false],
  ["timestamp", "2024-01-01T00:00:00Z", true],
  ["timestamp", "soon", false],
  ["E", "b", true],
  ["E", "c", false],
  ["string", "anything", true],
])("a default of %s: %s", (type, value, fits) => {
  const found = codesOf(`enum E: string\n - a\n - b\nstruct T\n - f: ${type}\n   + default = ${value}\n`);
  expect(found).toEqual(fits ? [] : ["RK408"]);
});

describe("defaults and examples that break rules", () => {
  const wrap = (types: string, type: string, ...lines: readonly string[]): string =>
    `${types}struct T\n - f?: ${type}\n${lines.map((line) => `   + ${line}\n`).join("")}`;
  const email = "type Email: string\n + format = email\n";
  const card = [
    "struct Card\n - number: string\n   + minLength = 4\n - kind: Kind\n - until?: timestamp\n",
    "enum Kind: uint8\n - CREDIT\n - DEBIT\n",
    "struct Pay\n - card?: Card\n   + oneOf = by\n - iban?: string\n   + oneOf = by\n",
  ].join("");

  test.each([
    [
      "minimum",
      wrap("", "uint8", "minimum = 3", "default = 2"),
      "The default of uint8 must be at least 3, found 2.",
    ],
    [
      "maximum",
      wrap("", "bigint", "maximum = 9", 'example = "10"'),
      'The example of bigint must be at most 9, found "10".',
    ],
    [
      "minLength",
      wrap("", "string", "minLength = 2", "default = a"),
      'The default of string must be text of at least 2 characters, found "a".',
    ],
    [
      "maxLength",
      wrap("", "string", "maxLength = 2", "example = aaa"),
      'The example of string must be text of at most 2 characters, found "aaa".',
    ],
    [
      "pattern",
      wrap("", "string", "pattern = ^a$", "default = b"),
      'The default of string must be text that matches ^a$, found "b".',
    ],
    [
      "format",
      wrap(email, "Email", "default = ada"),
      'The default of string must be an email address, found "ada".',
    ],
    [
      "normalize",
      wrap("", "string", "normalize = lowercase", "example = A"),
      'The example of string must be lower-case text, found "A".',
    ],
    [
      "maxItems",
      wrap("", "[]int8", "maxItems = 1", 'default = "[1,2]"'),
      "The default of []int8 must be a list of at most 1 item, found [1,2].",
    ],
    [
      "minItems of a map",
      wrap("", "map<string,int8>", "minItems = 1", "default.empty = true"),
      "The default of map<string,int8> must be an object with at least 1 key, found {}.",
    ],
    [
      "bytes",
      wrap("", "[]byte", "maxItems = 2", "default = AQID"),
      'The default of []byte must be base64 text of at most 2 bytes, found "AQID".',
    ],
    [
      "base64",
      wrap("", "[]byte", "default = ???"),
      'The default of []byte must be base64 text, found "???".',
    ],
    ["a calendar day", wrap("", "timestamp", "default = 2026-02-31T00:00:00Z"), undefined],
    [
      "an enum",
      wrap(card, "Kind", "example = CASH"),
      'The example of Kind must be "CREDIT" or "DEBIT", found "CASH".',
    ],
    [
      "an item",
      wrap(email, "[]Email", `default = ["a@b.de","b"]`),
      '"/1" in the default of []Email must be an email address, found "b".',
    ],
    [
      "a key",
      wrap(card, "map<Kind,int>", `default = {"CASH":1}`),
      '"/CASH" in the default of map<Kind,int> must be "CREDIT" or "DEBIT", found "CASH".',
    ],
    [
      "a field",
      wrap(card, "Card", `example = {"number":"1","kind":"DEBIT"}`),
      '"/number" in the example of Card must be text of at least 4 characters, found "1".',
    ],
    [
      "a missing field",
      wrap(card, "Card", `example = {"number":"1234"}`),
      '"/kind" in the example of Card must be set, found nothing.',
    ],
    [
      "a nested type",
      wrap(card, "[]Pay", `example = [{"card":{"number":"1234","kind":1}}]`),
      '"/0/card/kind" in the example of []Pay must be "CREDIT" or "DEBIT", found 1.',
    ],
    [
      "a group",
      wrap(card, "Pay", `example = {}`),
      'The example of Pay must be an object with one of "card", "iban", found {}.',
    ],
    [
      "an integer in a list that JavaScript rounds",
      wrap("", "[]uint64", "example = [9007199254740993]"),
      '"/0" in the example of []uint64 must be a whole number from 0 to 2^53 - 1, found a number above 2^53 - 1.',
    ],
    [
      "an alias",
      "type Age: uint8\n + maximum = 150\n + example = 200\n",
      "The example of uint8 must be at most 150, found 200.",
    ],
  ])("%s", (_, schema, message) => {
    const found = diagnosticsOf(schema);
    expect(found.map(({ code, severity }) => [code, severity])).toEqual([["RK408", "warning"]]);
    if (message !== undefined) expect(found[0]?.message).toBe(message);
  });

  test.each([
    wrap("", "uint8", "minimum = 3", "default = 3"),
    wrap(email, "[]Email", `example = ["a@b.de"]`),
    wrap(
      card,
      "Pay",
      `example = {"iban":"DE1","other":1}`,
      `example = {"card":{"number":"1234","kind":"DEBIT"}}`,
    ),
    wrap("struct Page\n - size: uint8\n   + default = 3\n", "Page", "default.empty = true"),
    wrap("", "string", "nullable = always", "default = x"),
  ])("valid: %j", (schema) => {
    expect(codesOf(schema)).toEqual([]);
  });

  test("the rule may stand in an alias of another file, and a field may override its value", () => {
    const files = {
      "lib.ridl": `webrpc = v1\n${email} + example = ada@example.com\n`,
      "main.ridl":
        "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\nimport lib.ridl\nstruct T\n - a: Email\n   + default = ada\n - b: Email\n   + minLength = 40\n",
    };
    const { diagnostics, result } = compile("main.ridl", memoryReader(files));
    expect(diagnostics.map(({ path, notes }) => [path, notes.map(({ at }) => at?.file.path)])).toEqual([
      ["main.ridl", ["lib.ridl"]],
      ["lib.ridl", ["main.ridl"]],
    ]);
    const struct = result?.model.typeByName.get("T");
    expect(struct).toMatchObject({
      fields: [{ constraints: { examples: ["ada@example.com"] } }, { constraints: { examples: [] } }],
    });
    expect(struct).not.toHaveProperty("fields.0.constraints.default");
  });
});

test("places of meta keys are named shortly, and the values of nullable explained", () => {
  expect(diagnosticsOf("struct T\n - a?: T\n   + message = m\n")).toMatchObject([
    { message: '"message" has no effect on a struct; it applies to all types but a struct.' },
  ]);
  expect(diagnosticsOf("struct T\n - a: int\n   + nullable = true\n")).toMatchObject([
    { code: "RK402", advice: expect.stringContaining('"always" if responses contain null') },
  ]);
});

test("a value of the wrong kind in an IR file is reported once", () => {
  const ir =
    '{ "webrpc": "v1", "name": "a", "version": "v1", "basepath": "/rpc/", "types": [], "services": [], "errors": [{ "code": "x", "name": "Lost", "message": "m", "httpStatus": "y" }] }';
  const { diagnostics } = compile("a.json", memoryReader({ "a.json": ir }));
  expect(diagnostics.map(({ code }) => code)).toEqual(["RK502", "RK502"]);
});
