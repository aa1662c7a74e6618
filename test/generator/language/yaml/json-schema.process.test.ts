import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { compile } from "../../../../generator/language/compile.ts";
import { convert } from "../../../../generator/language/convert/convert.ts";
import { yamlJsonSchema } from "../../../../generator/language/yaml/json-schema.ts";
import { allCases } from "../../../conformance/cases.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { platformYaml } from "../../../support/platform-yaml.ts";

const validate = new Ajv({ strict: false, allErrors: false }).compile(yamlJsonSchema());

/** A schema that uses every key of the format. */
const sample = `webrpc: v1
name: shop
version: v1.0.0
basepath: /rpc
imports: [a.yaml, b.yaml: [Pet, Toy]]
types:
  Id: uint64
  Sku: { docs: Text, type: string, pattern: "^[A-Z]+$", go.tag.db: x, alias: [a, b], meta: { own: x } }
  Kind: { docs: [a line, another], enum: string, values: [cat, dog: hund] }
  Size: { enum: uint8, values: { small: 1, large: { docs: Big, value: 2 } } }
  Pet: { docs: A pet, fields: { id: Id, name?: { docs: Its name, type: string, maxLength: 40, meta: [own: y] } } }
errors:
  NotFound: { docs: Gone, code: 100, message: Not found, status: 404 }
services:
  Shop:
    docs: The shop
    methods:
      Get:
        docs: Gets
        annotations: [auth: key, readonly]
        input: { id: Id, full?: bool }
        output: Pet
        stream: output
        errors: [NotFound]
      Pass: { docs: Passes, annotations: [internal], proxy: true }
      Ping:
`;

test("schema/ridlkit.schema.json is up to date", async () => {
  const text = `${JSON.stringify(yamlJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../../../schema/ridlkit.schema.json");
});

test("every accepted schema is valid by the JSON Schema", () => {
  expect(faultOf(platformYaml())).toBeUndefined();
  expect(faultOf(sample)).toBeUndefined();
  let count = 0;
  for (const { name, request } of allCases()) {
    const reader = memoryReader(request.files);
    if (compile(request.path, reader).result === undefined) continue;
    const { text } = convert(request.path, reader, { to: "yaml" });
    if (text === undefined) continue;
    count++;
    expect([name, faultOf(text)]).toEqual([name, undefined]);
  }
  expect(count).toBeGreaterThan(800);
});

describe("a schema with one invalid part", () => {
  const broken = [...changes(parse(sample) as Json)];

  test("is rejected by both, or by neither", () => {
    const unlike = broken.filter(
      ({ text }) => (formFault(text) === undefined) !== (faultOf(text) === undefined),
    );
    expect(
      unlike.map(({ fact, text }) => `${fact}: ${formFault(text) ?? "read"}, ${faultOf(text) ?? "valid"}`),
    ).toEqual([]);
    expect(broken.length).toBeGreaterThan(300);
  });

  test("is rejected by both if the part is a key", () => {
    const keys = broken.filter(({ fact }) => fact.startsWith("misspelled form key"));
    expect(keys.filter(({ text }) => faultOf(text) === undefined).map(({ fact }) => fact)).toEqual([]);
    expect(keys.length).toBeGreaterThan(30);
  });
});

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

function faultOf(text: string): string | undefined {
  if (validate(parse(text, { maxAliasCount: 0 }))) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath} ${error?.message}`;
}

/** Errors about the format, `webrpc: v1` and values of meta keys, without those of other rules. */
function formFault(text: string): string | undefined {
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
  return diagnostics.find(({ code }) => /^RK(6|109|301|346|402)/.test(code))?.message;
}

interface Change {
  readonly fact: string;
  readonly text: string;
}

/** The document with one key misspelled or dropped, or one value of another kind. */
function* changes(root: Json): Generator<Change> {
  for (const path of pathsIn(root)) {
    const parent = at(root, path.slice(0, -1));
    const key = path.at(-1) as string;
    const where = path.join(".");
    if (typeof parent === "object" && parent !== null && !Array.isArray(parent)) {
      const isForm = isFormKey(path);
      yield {
        fact: `misspelled ${isForm ? "form" : "own"} key ${where}`,
        text: written(renamed(root, path, `${key}zq`)),
      };
      yield { fact: `dropped ${where}`, text: written(renamed(root, path, undefined)) };
    }
    for (const [kind, value] of Object.entries(kinds))
      yield { fact: `${kind} at ${where}`, text: written(replaced(root, path, value)) };
  }
}

/** The string "null" would be a text. */
function written(value: Json): string {
  return stringify(value, { nullStr: "" });
}

const kinds: Readonly<Record<string, Json>> = {
  map: { zq: "x" },
  list: ["zq"],
  text: "zq",
  nothing: null,
  none: [],
  empty: {},
};

/** Names of types, fields and methods are free, as are keys with a dot and keys under "meta". */
function isFormKey(path: readonly string[]): boolean {
  const parent = path.at(-2) ?? "";
  if (path.at(-1)?.includes(".") === true || path.includes("meta")) return path.at(-1) === "meta";
  if (path.includes("annotations") || path.includes("imports"))
    return path.at(-1) === "annotations" || path.at(-1) === "imports";
  const inNames = ["types", "errors", "services", "methods", "fields", "values", "input"].includes(parent);
  const inListOfNames = /^[0-9]+$/.test(parent);
  return !inNames && !inListOfNames;
}

function* pathsIn(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    yield [...path, key];
    yield* pathsIn(child as Json, [...path, key]);
  }
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((found, key) => (found as Readonly<Record<string, Json>>)[key] as Json, value);
}

function replaced(value: Json, [key, ...rest]: readonly string[], by: Json): Json {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (String(index) === key ? replaced(item, rest, by) : item));
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    entries.map(([name, child]) => [name, name === key ? replaced(child, rest, by) : child]),
  );
}

/** Renames or removes the last key of the path. */
function renamed(value: Json, path: readonly string[], name: string | undefined): Json {
  const parentPath = path.slice(0, -1);
  const parent = at(value, parentPath) as Readonly<Record<string, Json>>;
  const entries = Object.entries(parent).flatMap(([key, child]): [string, Json][] => {
    if (key !== path.at(-1)) return [[key, child]];
    return name === undefined ? [] : [[name, child]];
  });
  return replaced(value, parentPath, Object.fromEntries(entries));
}
