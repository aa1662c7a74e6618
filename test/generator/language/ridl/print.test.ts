import { describe, expect, test } from "vitest";
import { readIr } from "../../../../generator/language/ir/read.ts";
import { parse } from "../../../../generator/language/ridl/parse.ts";
import { print } from "../../../../generator/language/ridl/print/print.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";

describe("canonical RIDL", () => {
  test("indents by two spaces per level, and puts single spaces elsewhere", () => {
    expect(printed("webrpc=v1\nstruct   A\n-a? :  int".replace(" :", ":"))).toBe(
      "webrpc = v1\n\nstruct A\n  - a?: int\n",
    );
    expect(printed("type  T:map< string , []int >\n+json=x\n")).toBe(
      "type T: map<string,[]int>\n  + json = x\n",
    );
  });

  test("prints one item per line, and assigns comments as webrpc does", () => {
    expect(printed("struct A - a: int - b: int # c\n")).toBe("struct A # c\n  - a: int\n  - b: int\n");
    expect(printed("struct A\n - a: int + json = b - c: int # c\n")).toBe(
      "struct A\n  - a: int # c\n    + json = b\n  - c: int\n",
    );
  });

  test("separates arguments with commas and errors with bars, and omits an empty output", () => {
    expect(printed("service S\n- stream  P(a: int | b: int c: int,)=>()errors A |B\n")).toBe(
      "service S\n  - stream P(a: int, b: int, c: int) errors A | B\n",
    );
    expect(printed("service S\n- P(A)\n=>(B)\n")).toBe("service S\n  - P(A) => (B)\n");
  });

  test("aligns consecutive errors", () => {
    expect(
      printed(
        'error 1 A "a" HTTP 404\nerror 20 Long "long one" HTTP 400 # c\nerror 3 C "without a status"\n\nerror 4 B "b" HTTP 400\n',
      ),
    ).toBe(
      'error 1  A    "a"        HTTP 404\nerror 20 Long "long one" HTTP 400 # c\nerror 3  C    "without a status"\n\nerror 4 B "b" HTTP 400\n',
    );
  });

  test("separates declarations by one blank line, and keeps at most one elsewhere", () => {
    expect(printed("struct A\n\n\n - a: int\n\n\n - b: int\nstruct B\nstruct C\n")).toBe(
      "struct A\n  - a: int\n\n  - b: int\n\nstruct B\n\nstruct C\n",
    );
  });

  test("adds no blank line after a comment that webrpc assigns to the next item", () => {
    expect(printed('error 1 A "a" # of B\nstruct B\n')).toBe('error 1 A "a" # of B\nstruct B\n');
  });

  test("indents comments like the items that they describe", () => {
    expect(printed("    # of A\nstruct A\n# of a\n- a: int\n   # of nothing\n\n # of B\nstruct B\n")).toBe(
      "# of A\nstruct A\n  # of a\n  - a: int\n  # of nothing\n\n# of B\nstruct B\n",
    );
  });

  test("removes blank lines after the line that opens a body, and keeps them around other comments", () => {
    expect(printed("struct A\n\n# of a\n- a: int\n\n# of b\n- b: int\n\n# of nothing\n")).toBe(
      "struct A\n  # of a\n  - a: int\n\n  # of b\n  - b: int\n\n# of nothing\n",
    );
  });

  test("keeps import lists unchanged", () => {
    const text =
      "webrpc = v1\n\nimport\n  - a.ridl\n  - b.ridl\n\nimport c.ridl\nimport d.ridl\n\nimport e.ridl\n  - E\n";
    expect(printed(text)).toBe(text);
  });

  test("omits the final line break only if webrpc ignores the comment of the last line", () => {
    expect(printed("struct A\n  - a: int # c")).toBe("struct A\n  - a: int # c");
    expect(printed("struct A\n  - a: int\n# c")).toBe("struct A\n  - a: int\n\n# c\n");
  });
});

test("a tree without source text prints its documentation as comments, and quotes values if necessary", () => {
  const ir = {
    webrpc: "v1",
    name: "my shop",
    version: "v1",
    basepath: "/rpc",
    types: [
      {
        kind: "enum",
        name: "Kind",
        type: "string",
        fields: [{ name: "A", value: "a b", comments: ["An A.", ""] }],
      },
      {
        kind: "struct",
        name: "User",
        comments: ["A user."],
        fields: [
          { name: "id", type: "map<string,[]Kind>" },
          { name: "age", type: "int8", optional: true, meta: [{ when: "kind.A?" }, { "go.tag.db": "a?b" }] },
        ],
      },
    ],
    errors: [{ code: 1, name: "Gone", message: 'say "it"', httpStatus: 404 }],
    services: [
      {
        name: "Shop",
        comments: [],
        methods: [
          {
            name: "Get",
            annotations: {
              auth: { annotationType: "auth", value: "a,b" },
              public: { annotationType: "public", value: "" },
            },
            comments: ["Gets."],
            inputs: [{ name: "id", type: "string", optional: true }],
            outputs: [],
            errors: ["Gone"],
          },
        ],
      },
    ],
  };
  const { read } = readIr(new SourceFile("m.json", JSON.stringify(ir)));
  expect(print((read as NonNullable<typeof read>).file)).toBe(`webrpc = v1
name = "my shop"
version = v1
basepath = /rpc

enum Kind: string
  # An A.
  #
  - A = "a b"

# A user.
struct User
  - id: map<string,[]Kind>
  - age?: int8
    + when = kind.A?
    + go.tag.db = "a?b"

error 1 Gone "say \\"it\\"" HTTP 404

service Shop
  # Gets.
  @auth:"a,b" @public
  - Get(id?: string) errors Gone
`);
});

function printed(text: string): string {
  const once = print(parse(new SourceFile("m.ridl", text)).file);
  expect(print(parse(new SourceFile("m.ridl", once)).file)).toBe(once);
  return once;
}
