import { describe, expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import { type Diagnostic, diagnose } from "../../../generator/language/diagnostics/diagnostic.ts";
import { fixFiles } from "../../../generator/language/fixes.ts";
import { withTexts } from "../../../generator/language/source/reader.ts";
import { SourceFile } from "../../../generator/language/source/source-file.ts";
import { type Files, memoryReader } from "../../support/memory-reader.ts";

const head = "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n\n";
const user = "struct User\n  - id: uint64\n";
const errors = 'error 1 Lost "lost"\nerror 2 Gone "gone"\n';

/** The files as `lint --fix` leaves them. */
function fixed(path: string, files: Files): Files {
  const reader = memoryReader(files);
  const { files: changed, dropped } = fixFiles(
    (texts) => compile(path, withTexts(reader, texts)).diagnostics,
    () => true,
  );
  expect(dropped).toEqual([]);
  return { ...files, ...Object.fromEntries(changed.map(({ file, text }) => [file.path, text])) };
}

function fixedText(body: string): string {
  return (fixed("a.ridl", { "a.ridl": head + body })["a.ridl"] ?? "").slice(head.length);
}

describe("text with more than one meaning is left alone", () => {
  test.each([
    ["a misspelled type", `${user}struct A\n  - a: Usr\n`],
    ["a number that may be whole", "struct A\n  - a: number\n"],
    ["an object", "struct A\n  - a: object\n"],
    ["a type that may allow null", "struct A\n  - a: string?\n"],
    ["a calendar date", "struct A\n  - a: Date\n"],
    ["a fixed length", "struct A\n  - a: [16]byte\n"],
    ["an unknown verb", "service A\n  - B()\n    FETCH /b\n"],
    ["a path without its sign", "service A\n  path /a\n  - B()\n"],
    ["a stream before the arrow", `${user}service A\n  - B() stream => (b: User)\n`],
    ["a stray word", "service A\n  - B() foo\n"],
    ["a single struct beside arguments", `${user}service A\n  - B(id: uint64) => (User)\n`],
    ["arguments on several lines", "service A\n  - B(\n      id: uint64,\n    )\n"],
    ["an object within a struct", "struct A\n  b: {\n    c: uint64\n  }\n".replace("\n  }", "")],
    ["methods in a declaration of another language", "interface A {\n  b(): string\n"],
    ["a word before a type", "struct A\n  - string name\n"],
    ...["stream User", "optional User", "const User", "User user", "User string", "id Usr", "in User"].map(
      (words) => [`words "${words}"`, `${user}service A\n  - B(${words}) => (${words})\n`],
    ),
    ["a repeated type", `${user}service A\n  - B(repeated User, b: User)\n`],
    ["a modifier of a field", "struct A\n  - readonly string\n"],
    ["a modifier with a wrong sign", "struct A\n  - optional = string\n"],
    ["an imported type before a word", "import types.ridl\nservice A\n  - B(User string)\n"],
    ["a name in lower case that is used", "struct user\n  - id: uint64\nstruct A\n  - b: user\n"],
    ["a misspelled meta key", "struct A\n  - a: string\n    + minLenght = 3\n"],
    ["options of another tool", "struct A\n  - a: string\n    + json = a,omitempty\n"],
    ["a default", "struct A\n  - a = 5\n"],
    ["a contradiction", `${errors}service A\n  @noErrors\n  - B() errors Lost\n`],
    ["an annotation with a comma", "service A\n  @a:b, c\n  - B()\n"],
  ])("%s", (_, body) => {
    expect(fixedText(body)).toBe(body);
  });

  test.each([
    ["a misspelled key", "types:\n  A: { feilds: { a: string } }\n"],
    ["a type in a struct", "types:\n  A:\n    type: object\n    fields: { a: string }\n"],
    ["a missing colon", "types:\n  A:\n    fields\n      a: string\n"],
    ["a tab", "types:\n\tA: string\n"],
  ])("in YAML: %s", (_, body) => {
    const text = `webrpc: v1\nname: a\nversion: v1\n${body}`;
    expect(compile("a.yaml", memoryReader({ "a.yaml": text })).diagnostics).not.toEqual([]);
    expect(fixed("a.yaml", { "a.yaml": text })["a.yaml"]).toBe(text);
  });

  test("a missing import, also if the only file beside it is the importing one", () => {
    for (const name of ["e.ridl", "types1.ridl"]) {
      const files = { [name]: `${head}import "types.ridl"\n` };
      expect(fixed(name, files)).toEqual(files);
      const [found] = compile(name, memoryReader(files)).diagnostics;
      expect(found).toMatchObject({ name: "unreadable-file" });
      expect(found?.advice ?? "").not.toContain(name);
    }
  });
});

describe("text with one meaning is fixed", () => {
  test.each([
    ["an arrow", `${user}service A\n  - B(): (b: User)\n`, `${user}service A\n  - B() => (b: User)\n`],
    ["an argument", `${user}service A\n  - B(user User)\n`, `${user}service A\n  - B(user: User)\n`],
    ["a list", "struct A\n  - b []string\n", "struct A\n  - b: []string\n"],
    ["a map", "struct A\n  - b map<string,bool>\n", "struct A\n  - b: map<string,bool>\n"],
    ["an alias", "type A string\n", "type A: string\n"],
    ...["=>", "=> ", " ", "", "=>=>", "=> => ", "returns", "->", ":"].map((arrow) => [
      `"${arrow}" behind a single struct`,
      `${user}service A\n  - B(User)${arrow}(User)\n`,
      `${user}service A\n  - B(User) => (User)\n`,
    ]),
    ["Go", "type A struct {\n  b string\n}\n", "struct A\n  - b: string\n\n"],
    ["TypeScript", "export type A = {\n  b: string[];\n};\n", "struct A\n  - b: []string\n\n"],
    ["Rust", "struct A {\n  b: Vec<u32>,\n}\n", "struct A\n  - b: []uint32\n\n"],
    ["GraphQL", "type A {\n  b: String!\n}\n", "struct A\n  - b: string\n\n"],
    [
      "Protocol Buffers",
      "message A {\n  repeated string b = 1; // b\n}\n",
      "struct A\n  - b: []string # b\n\n",
    ],
    [
      "an open string that ends with a no-break space",
      'error 1 Lost "lost\u00a0\n',
      'error 1 Lost "lost\u00a0"\n',
    ],
    ["a verb in lower case", "service A\n  - B()\n    get /b\n", "service A\n  - B()\n    GET /b\n"],
    ["a keyword in capitals", "STRUCT A\n  - b: Bool\n", "struct A\n  - b: bool\n"],
    [
      "a value without its dash",
      "enum A: uint8\n  - B = 0\n  C = 1\n",
      "enum A: uint8\n  - B = 0\n  - C = 1\n",
    ],
    ["a comment behind a brace", "struct A{# a\n  - b: bool\n", "struct A # a\n  - b: bool\n"],
    [
      "errors of Java",
      `${errors}service A\n  - B() throws Lost, Gone\n`,
      `${errors}service A\n  - B() errors Lost | Gone\n`,
    ],
  ])("%s", (_, body, right) => {
    expect(fixedText(body)).toBe(right);
    const { result } = compile("a.ridl", memoryReader({ "a.ridl": head + right }));
    expect(result).toBeDefined();
  });

  test("inserted lines end like those of the file", () => {
    const text = "webrpc = v1\r\nname = a\r\nversion = v1\r\nservice A\r\n  - B()\r\n";
    expect(fixed("a.ridl", { "a.ridl": text })["a.ridl"]).toBe(
      text.replace("version = v1", "version = v1\r\nbasepath = /rpc"),
    );
  });

  test("the basepath is added below the version and its comment", () => {
    const text = "webrpc = v1\nname = a\nversion = v1 # first\nservice A\n  - B()\n";
    expect(fixed("a.ridl", { "a.ridl": text })["a.ridl"]).toBe(
      text.replace("# first", "# first\nbasepath = /rpc"),
    );
  });
});

test("a file that is no schema is not changed, even if it is imported", () => {
  const files = { "a.ridl": `${head}import types.ts\n`, "types.ts": "export type A = {\n  b: string;\n};\n" };
  expect(fixed("a.ridl", files)["types.ts"]).toBe(files["types.ts"]);
});

/** Reports each word of a file that is in `wrong`, with a fix that writes the next word of the list. */
function checkWords(
  wrong: readonly string[],
  isNew: (text: string) => boolean,
): (texts: ReadonlyMap<string, string>) => Diagnostic[] {
  return (texts) => {
    const file = new SourceFile("a.ridl", texts.get("a.ridl") ?? "a b");
    const at = (word: string): { file: SourceFile; span: { start: number; end: number } } => {
      const start = file.text.indexOf(word);
      return { file, span: { start, end: start + word.length } };
    };
    const found = wrong.flatMap((word, index) => {
      if (!file.text.split(" ").includes(word)) return [];
      const edits = [{ span: at(word).span, text: wrong[index + 1] ?? "" }];
      const fix = { title: `Replace ${word}`, file, edits };
      return [diagnose("unknown-keyword", { word: "it" }, at(word), { fix })];
    });
    return isNew(file.text)
      ? [...found, diagnose("lonely-at", {}, { file, span: { start: 0, end: 1 } })]
      : found;
  };
}

test("a fix that adds an error is dropped, and the others are applied", () => {
  const check = checkWords(["b", "c"], (text) => !text.includes("a"));
  const broken: typeof check = (texts) => [
    ...check(texts),
    ...checkWords(["a", "x"], () => false)(texts).filter(({ fix }) => fix?.title === "Replace a"),
  ];
  const { files, dropped } = fixFiles(broken, () => true);
  expect(files.map(({ text, fixes }) => [text, fixes])).toEqual([["a ", ["Replace b", "Replace c"]]]);
  expect(dropped.map(({ title }) => title)).toEqual(["Replace a"]);
});

test.each([49, 50, 51])(
  "%i fixes that wait for each other take as many passes, of which 50 are done",
  (count) => {
    const words = ["b", ...Array.from({ length: count }, (_, index) => `w${index}`)];
    const { files } = fixFiles(
      (texts) => checkWords(words, () => false)(texts).slice(0, 1),
      () => true,
    );
    expect(files[0]?.fixes).toHaveLength(Math.min(count + 1, 50));
  },
);

test("a list of lists keeps its depth if its items are misspelled elsewhere, too", () => {
  expect(fixedText("type A: []Int\nstruct B\n  - b: []Int[]\n")).toBe(
    "type A: []Int\nstruct B\n  - b: [][]int\n",
  );
});
