import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { writeIr } from "../../../../generator/language/ir/write.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const ridl = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

# Id of a pet.
type PetId: uint64

type Sku: string
  + pattern = "^[A-Z]{3}[.][0-9]+$"
  + go.tag.db = x

enum Kind: string
  - cat
  - dog = hund
  - no

enum Size: uint8
  - small = 1
  # Not larger than a door.
  - large = 2

# A pet.
# It has see  #5 two lines.
struct Pet
  - id: PetId # trailing
  # The name
  - name?: string
    + alias = nick
    + alias = called
    + default = no
  #! private
  - tags: []string
  - more: map<string,[][]Pet>
  - any: map<uint8,>
  - price: int
    + minimum = 5
    + default = 010
    + minimum = 6

struct Empty

error 100 NotFound "Not found: \\"really" HTTP 404
error 101 Late "Late"

# Shop
service Shop
  # Gets.
  @auth:"a,b" @readonly
  - Get(id: PetId, full?: bool, id: int) => (pet: Pet) errors NotFound | Late
  - stream Watch() => stream (pet: Pet)
  - Succinct(Empty) => (Pet)
  - Ping()
  - proxy Pong
`;

const yaml = `webrpc: v1
name: shop
version: v1.0.0
basepath: /rpc

types:
  # Id of a pet.
  PetId: uint64

  Sku:
    type: string
    pattern: ^[A-Z]{3}[.][0-9]+$
    go.tag.db: x

  Kind:
    enum: string
    values: [cat, dog: hund, no]

  Size:
    enum: uint8
    values:
      small: 1
      # Not larger than a door.
      large: 2

  # A pet.
  # It has see  #5 two lines.
  Pet:
    fields:
      id: PetId # trailing
      # The name
      name?:
        type: string
        alias: [nick, called]
        default: no
      #! private
      tags: string[]
      more: map<string,Pet[][]>
      any: map<uint8,>
      price:
        type: int
        meta:
          - minimum: 5
          - default: 010
          - minimum: 6

  Empty: { fields: {} }

errors:
  NotFound: { code: 100, message: 'Not found: "really', status: 404 }
  Late: { code: 101, message: Late }

services:
  # Shop
  Shop:
    methods:
      Get:
        docs: Gets.
        annotations: [auth: "a,b", readonly]
        input: [id: PetId, full?: bool, id: int]
        output: { pet: Pet }
        errors: [NotFound, Late]
      Watch: { stream: both, output: { pet: Pet } }
      Succinct: { input: Empty, output: Pet }
      Ping:
      Pong: { proxy: true }
`;

function irOf(path: string, files: Readonly<Record<string, string>>): string {
  const { result, diagnostics } = compile(path, memoryReader(files));
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return result === undefined ? "" : writeIr(result.ir);
}

test("a YAML schema has the same IR as its RIDL equivalent", () => {
  expect(irOf("shop.yaml", { "shop.yaml": yaml })).toBe(irOf("shop.ridl", { "shop.ridl": ridl }));
});

test("RIDL and YAML import each other", () => {
  const files = {
    "root.ridl":
      "webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\nimport middle.yaml\nservice S\n  - Get() => (a: A)\n",
    "middle.yaml": "webrpc: v1\nimports: [leaf.ridl: [Leaf]]\ntypes:\n  A: { fields: { leaf: Leaf } }\n",
    "leaf.ridl": "webrpc = v1\nstruct Leaf\nstruct Other\n",
  };
  const ir = JSON.parse(irOf("root.ridl", files)) as { readonly types: readonly { readonly name: string }[] };
  expect(ir.types.map(({ name }) => name)).toEqual(["Leaf", "A"]);
});

test("a scalar is its text as written, whatever type YAML gives it", () => {
  const texts = [
    "no",
    "0x10",
    "1e3",
    "1_000",
    "2001-12-14t21:59:43.10-05:00",
    "~",
    "null",
    "010",
    "9007199254740993",
    "-0",
    ".inf",
  ];
  const source = `webrpc: v1\ntypes:\n  E:\n    enum: string\n    values:\n${texts.map((text, index) => `      v${index}: ${text}\n`).join("")}`;
  const ir = JSON.parse(irOf("e.yaml", { "e.yaml": source })) as {
    readonly types: readonly { readonly fields: readonly { readonly value: string }[] }[];
  };
  expect(ir.types[0]?.fields.map(({ value }) => value)).toEqual(texts);
});
