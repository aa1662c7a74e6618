import { metaKeys } from "../../generator/language/model/meta/keys.ts";
import type { Files } from "../support/memory-reader.ts";
import type { Random } from "../support/random.ts";

/**
 * A mostly valid schema: every construct of the language, with the blanks, comments and orders in which people and
 * programs write it, and an occasional error. About two thirds are accepted, so that the IR is compared as well.
 */
export function randomSchema(
  random: Random,
  { enumKeys = false }: { readonly enumKeys?: boolean } = {},
): { readonly path: string; readonly files: Files } {
  if (random.chance(75))
    return { path: "m.ridl", files: { "m.ridl": schemaText(random, [], scopeOf(random, ""), enumKeys) } };
  const paths = ["m.ridl", ...random.shuffle(["a.ridl", "b.ridl", "lib/c.ridl", "lib/d.ridl"])].slice(
    0,
    2 + random.below(4),
  );
  const scopes = paths.map((_, index) => scopeOf(random, random.chance(90) ? String(index) : ""));
  const files: Record<string, string> = {};
  paths.forEach((path, index) => {
    const imports: ImportOf[] = [];
    for (let other = index + 1; other < paths.length; other++) {
      if (random.chance(60))
        imports.push({ path: relativePath(path, paths[other] ?? ""), scope: scopes[other] as Scope });
    }
    if (random.chance(2))
      imports.push({ path: relativePath(path, random.pick(paths)), scope: scopes[0] as Scope });
    files[path] = schemaText(random, imports, scopes[index] as Scope, enumKeys);
  });
  return { path: "m.ridl", files };
}

/** The names that one file declares. */
interface Scope {
  readonly enums: readonly string[];
  readonly structs: readonly string[];
  readonly aliases: readonly string[];
  readonly errors: readonly string[];
  readonly services: readonly string[];
  readonly errorCode: number;
}

interface ImportOf {
  readonly path: string;
  readonly scope: Scope;
}

function scopeOf(random: Random, suffix: string): Scope {
  const some = (names: readonly string[], most: number): readonly string[] =>
    random
      .shuffle(names)
      .slice(0, random.below(most + 1))
      .map((name) => name + suffix);
  return {
    enums: some(["Kind", "Level", "Status"], 2),
    structs: some(["User", "Order", "Page", "GetUserRequest", "Empty", "URL"], 3),
    aliases: some(["Amount", "Tags", "ID"], 2),
    errors: some(["NotFound", "Gone", "Busy"], 2),
    services: some(["Shop", "Admin", "v1/Store"], 2),
    errorCode: suffix === "" ? 1 : 100 * (1 + Number(suffix)),
  };
}

function relativePath(from: string, to: string): string {
  if (!from.startsWith("lib/")) return to;
  return to.startsWith("lib/") ? to.slice("lib/".length) : `../${to}`;
}

function schemaText(random: Random, imports: readonly ImportOf[], scope: Scope, enumKeys: boolean): string {
  const writer: Writer = { random, enumKeys, scope, visible: [scope, ...imports.map((one) => one.scope)] };
  const parts = [
    header(writer),
    ...imports.map((one) => importText(writer, one)),
    ...scope.enums.map((name) => enumText(writer, name)),
    ...scope.aliases.map((name) => aliasText(writer, name)),
    ...scope.structs.map((name) => structText(writer, name)),
    ...scope.errors.map((name, index) => errorText(writer, name, index)),
    ...scope.services.map((name) => serviceText(writer, name)),
  ];
  if (random.chance(3)) parts.push(random.pick(parts));
  const text = (random.chance(30) ? random.shuffle(parts) : parts).map((part) => part + gap(random)).join("");
  if (random.chance(4)) return text.replaceAll("\n", "\r\n");
  return random.chance(10) ? text.trimEnd() : text;
}

interface Writer {
  readonly random: Random;
  /** Values of enums have keys, as since webrpc v0.47. */
  readonly enumKeys: boolean;
  readonly scope: Scope;
  /** Own declarations and those of imported files. */
  readonly visible: readonly Scope[];
}

function header({ random }: Writer): string {
  const lines = [
    `webrpc${blank(random)}=${blank(random)}${random.chance(97) ? "v1" : random.pick(['"v1"', "v2", "v1/"])}`,
  ];
  if (random.chance(70))
    lines.push(
      `name =${blank(random)}${mostly(random, ["shop", '"my shop"', "a/b", "a.b-c", '"é"'], ["ü", '"a\\\\b"', '"a'])}`,
    );
  if (random.chance(95)) lines.push(`version = ${random.pick(["v1", "v0.0.1", '"1 # 2"', "1/2", "v1-é"])}`);
  if (random.chance(40))
    lines.push(
      `basepath = ${mostly(random, ["/rpc", "rpc", "/", "/a/b/", "/a//b", '"/a%20b"', "/a.b", "//x/y"], ['"/%zz"', '"/a?b"', '"/a b"', "/é", '"/é"'])}`,
    );
  return (random.chance(10) ? random.shuffle(lines) : lines).map((line) => line + tail(random)).join("");
}

function importText({ random }: Writer, { path, scope }: ImportOf): string {
  const spelled = random.pick([path, path, `"${path}"`, `./${path}`, `/${path}`]);
  if (random.chance(40))
    return `import${tail(random)}${random.pick(["- ", " - ", "\t-"])}${spelled}${tail(random)}`;
  const members = random.chance(40)
    ? [...scope.enums, ...scope.structs, ...scope.aliases, ...scope.errors, ...scope.services]
        .filter(() => random.chance(80))
        .map((name) => ` -${blank(random)}${random.chance(80) ? name : `"${name}"`}${tail(random)}`)
    : [];
  return `import${blank(random) || " "}${spelled}${tail(random)}${members.join("")}`;
}

function enumText(writer: Writer, name: string): string {
  const { random } = writer;
  const base = random.pick([
    "uint8",
    "int",
    "string",
    "uint32",
    "int64",
    random.chance(10) ? "bool" : "string",
  ]);
  const lines = random
    .shuffle(["ADMIN", "USER", "a", "b2", "C_3", "D"])
    .slice(0, random.below(5))
    .map((value) => {
      const given = random.chance(40)
        ? `${blank(random)}=${blank(random)}${random.pick(["1", "2", "300", '"x y"', "a/b", "0x1", "a.b", '"ü"'])}`
        : "";
      const keys = writer.enumKeys && random.chance(15) ? metaLine(random, otherKeys) : "";
      return `${doc(random)}${indent(random)}-${blank(random)}${value}${given}${tail(random)}${keys}`;
    });
  return `${doc(random)}enum${blank(random) || " "}${name}:${blank(random)}${base}${tail(random)}${lines.join("")}`;
}

function aliasText(writer: Writer, name: string): string {
  const { random } = writer;
  return `${doc(random)}type ${name}:${blank(random)}${typeText(writer, 3)}${tail(random)}${metaText(random)}`;
}

function structText(writer: Writer, name: string): string {
  const { random } = writer;
  const names = random
    .shuffle(["id", "name", "createdAt", "a_1", "B", "tags", "next", "kind"])
    .slice(0, random.below(5));
  const lines = names.map(
    (field) =>
      `${doc(random)}${indent(random)}-${blank(random)}${field}${random.chance(30) ? "?" : ""}:${blank(random)}` +
      `${typeText(writer, 3)}${tail(random)}${metaText(random)}`,
  );
  return `${doc(random)}struct ${name}${tail(random)}${lines.join("")}`;
}

function metaText(random: Random): string {
  if (random.chance(70)) return "";
  const json = random.chance(30)
    ? `${indent(random)}+ json = ${random.pick(["-", "id", "ID", "other", "x_1"])}${tail(random)}`
    : "";
  return json + Array.from({ length: 1 + random.below(2) }, () => metaLine(random)).join("");
}

const otherKeys: readonly string[] = [
  ...["go.field.name", "go.tag.db", "go.tag.json", "ts.type", "x-y"],
  ...Object.keys(metaKeys).filter((key) => key !== "json"),
];

/** A key of ridlkit, of another tool, or unknown, with any value. The reference stores them all. */
function metaLine(random: Random, keys: readonly string[] = [...otherKeys, "json"]): string {
  const key = random.pick(keys);
  const value = random.pick([
    "-",
    "a,omitempty",
    "0",
    "1",
    "300",
    "true",
    "false",
    "name",
    "ADMIN",
    "always",
    "string",
    "2027-01-31",
    "[]",
    '"^[a-z]+$"',
    '"["',
    "*big.Int",
    "`x`",
    '"a \\n b"',
    "a#b",
    "é",
    "=>",
    "[]x{}",
    '"a\\tb"',
  ]);
  return `${indent(random)}  +${blank(random)}${key}${blank(random)}=${blank(random)}${value}${tail(random)}`;
}

function errorText({ random, scope }: Writer, name: string, index: number): string {
  const message = random.pick(['"not found"', "gone", '"a # b"', '"é"', '"say \\" it"', '"a\\nb"']);
  const status = random.chance(50)
    ? `${blank(random) || " "}HTTP ${mostly(random, ["404", "400", "599", "0500"], ["600", "4x"])}`
    : "";
  return `${doc(random)}error ${scope.errorCode + index}${blank(random) || " "}${name} ${message}${status}${tail(random)}`;
}

function serviceText(writer: Writer, name: string): string {
  const { random } = writer;
  const methods = random.shuffle(["Ping", "GetUser", "list", "Watch", "Do_2"]).slice(0, 1 + random.below(3));
  return `${doc(random)}service ${name}${tail(random)}${methods.map((method) => methodText(writer, method)).join("")}`;
}

function methodText(writer: Writer, name: string): string {
  const { random } = writer;
  const annotations = random.chance(30) ? annotationText(random) : "";
  const dash = `${indent(random)}-${blank(random)}`;
  if (random.chance(2)) return `${doc(random)}${annotations}${dash}proxy ${name}${tail(random)}`;
  const structs = writer.visible.flatMap((scope) => scope.structs);
  const succinct = structs.length > 0 && random.chance(25);
  const side = (): string => (succinct ? `(${random.pick(structs)})` : argumentsText(writer));
  const streamIn = random.chance(5) ? "stream " : "";
  const output =
    succinct || random.chance(70)
      ? `${succinct ? " " : blank(random)}=>${blank(random)}${random.chance(15) ? "stream " : ""}${side()}`
      : "";
  const errors = writer.visible.flatMap((scope) => scope.errors);
  const clause =
    errors.length > 0 && random.chance(15)
      ? ` errors ${random.shuffle(errors).join(random.pick([" | ", " | ", "|"]))}`
      : "";
  return `${doc(random)}${annotations}${dash}${streamIn}${name}${side()}${output}${clause}${tail(random)}`;
}

function argumentsText(writer: Writer): string {
  const { random } = writer;
  const inside = random
    .shuffle(["id", "name", "a_1", "req"])
    .slice(0, random.below(4))
    .map((name) => `${name}${random.chance(25) ? "?" : ""}:${blank(random)}${typeText(writer, 2)}`)
    .join(random.pick([", ", ",", " , ", ",  ", " | ", " "]));
  return `(${random.chance(5) ? " " : ""}${inside}${random.chance(5) ? "," : ""})`;
}

function annotationText(random: Random): string {
  const names = random.shuffle(annotationNames).slice(0, 1 + random.below(3));
  const separator = random.pick([" ", " ", "\n", tail(random), ""]);
  const texts = names.map(
    (name) =>
      `@${name}${random.pick(["", "", ":admin", ':"a,b"', ':"use # B"', ":v1.2", ":", ":é", ...annotationValues])}`,
  );
  return `${indent(random)}${texts.join(separator)}${random.chance(80) ? tail(random) : " "}`;
}

const annotationNames: readonly string[] =
  "internal deprecated auth acl readonly idempotent idempotencyKey cache paging resume sunset noErrors".split(
    " ",
  );

const annotationValues: readonly string[] = [
  ':"60s"',
  ':"1h, public"',
  ':"size id, page name"',
  ":2027-01-31",
];

function typeText(writer: Writer, depth: number): string {
  const { random } = writer;
  const own = writer.visible.flatMap((scope) => [...scope.enums, ...scope.structs, ...scope.aliases]);
  if (depth > 0 && random.chance(15)) return `[]${typeText(writer, depth - 1)}`;
  if (depth > 0 && random.chance(15)) {
    const enums = writer.visible.flatMap((scope) => scope.enums);
    const key = random.pick(["string", "uint64", "int8", ...enums, random.chance(10) ? "bool" : "string"]);
    const [a, b, c] = [blank(random), blank(random), blank(random)];
    return `map${random.chance(5) ? " " : ""}<${random.chance(5) ? a : ""}${key}${random.chance(5) ? b : ""},${c}${typeText(writer, depth - 1)}>`;
  }
  if (own.length > 0 && random.chance(45)) return random.pick(own);
  return random.pick(core);
}

const core: readonly string[] =
  "null any byte bool uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 bigint float32 float64 string string timestamp".split(
    " ",
  );

/** One of `usual`; in 3 of 100 cases one of `odd`. */
function mostly(random: Random, usual: readonly string[], odd: readonly string[]): string {
  return random.pick(random.chance(97) ? usual : odd);
}

function blank(random: Random): string {
  return random.chance(85) ? " " : random.pick(["", "  ", "\t", " \t ", "\r"]);
}

function indent(random: Random): string {
  return random.pick(["  ", "  ", "", "\t"]);
}

/** The end of a line: blanks or a comment. */
function tail(random: Random): string {
  if (random.chance(85)) return "\n";
  return random.pick([
    " \n",
    "\t\n",
    ` # ${commentText(random)}\n`,
    ` #${commentText(random)}\n`,
    ` #! ${commentText(random)}\n`,
    "\n\n",
  ]);
}

function doc(random: Random): string {
  if (random.chance(75)) return "";
  const lines = Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(90)
      ? `${indent(random)}${random.pick(["# ", "#", "## ", "#! ", "#\t"])}${commentText(random)}\n`
      : random.pick(["\n", "#\n", " # \n"]),
  );
  return lines.join("");
}

function gap(random: Random): string {
  return random.pick(["", "\n", "\n", "\n\n"]);
}

function commentText(random: Random): string {
  return random.pick([
    "A user.",
    "see https://example.com/?a=1&b=2#top",
    "two  blanks",
    'quoted "text" here',
    "é ü – dash",
    "a # b #c ##",
    "- not: a field",
    "@deprecated struct X",
    "",
    "  lead",
    "<b> & \\n \u2028 end",
    "!bang",
  ]);
}
