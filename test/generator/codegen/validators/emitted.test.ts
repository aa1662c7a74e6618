import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emitJsonSchema } from "../../../../generator/codegen/emit/json-schema/index.ts";
import { emitValidators } from "../../../../generator/codegen/emit/validators/index.ts";
import {
  type Plan,
  type PlannedField,
  type PlannedStruct,
  TypeFinder,
} from "../../../../generator/codegen/plan/plan.ts";
import { factsOf } from "../../../../generator/codegen/plan/type-graph.ts";
import { requests, responses } from "../../../fixtures/validation/generated/validators.ts";
import { planOf } from "../../../support/sample-plan.ts";
import { loadValidators } from "../../../support/validators.ts";

const text = readFileSync(new URL("../../../fixtures/validation/schema.ridl", import.meta.url), "utf8");
const plan = planOf({ "schema.ridl": text }, "schema.ridl");

test("each method has its functions under its path", () => {
  expect(Object.keys(requests)).toEqual(["/rpc/Store/Put", "/rpc/Store/Ping", "/rpc/Other/Find"]);
  expect(requests["/rpc/Store/Put"]?.({})?.listed.map(({ path }) => path)).toContainEqual(["text"]);
  const put = responses["/rpc/Store/Put"];
  expect(put?.check({})?.listed.map(({ path }) => path)).toContainEqual(["text"]);
  expect(put?.write?.({ big: 5n, imageData: "a" })).toEqual({
    big: "5",
    imageData: "a",
    image_data: "a",
    node: null,
  });
  expect(responses["/rpc/Store/Ping"]?.write({ more: 1 })).toEqual({});
});

test("requests and responses share what is the same for both", () => {
  const head = "webrpc = v1\nname = m\nversion = v1\nbasepath = /\n";
  const types =
    "enum Kind: string\n  - cat\nenum Numbered: uint8\n  - one\ntype Id: string\n  + pattern = ^a$\n";
  const struct = "struct Both\n  - kind: Kind\n  - numbered: Numbered\n  - id: Id\n";
  const text = textOf(
    planOf({ "m.ridl": `${head}${types}${struct}service A\n  - M(Both) => (Both)\n` }, "m.ridl"),
  );
  const declared = [...text.matchAll(/^(?:const|function) (\w*(?:Kind|Numbered|Id)\w*)/gim)].map(
    ([, name]) => name,
  );
  expect(declared).toEqual([
    "kindExpected",
    "numberedExpected",
    "idExpected",
    "idRules",
    "idPattern",
    "isKind",
    "toNumbered",
    "isId",
    "responseIsNumbered",
    "responseIsId",
  ]);
});

test("the validators of a struct grow with its kinds, not with their square, which compilers would not finish", () => {
  const lengthWith = (count: number): number => {
    const names = Array.from({ length: count }, (_, index) => `n${index + 100}`);
    const fields = names.map((name) => `  - ${name}?: string\n    + when = kind.${name}\n`).join("");
    const types = `enum Kind: string\n${names.map((name) => `  - ${name}\n`).join("")}struct Both\n  - kind: Kind\n${fields}`;
    const head = "webrpc = v1\nname = m\nversion = v1\nbasepath = /\n";
    return textOf(planOf({ "m.ridl": `${head}${types}service A\n  - M(Both) => (Both)\n` }, "m.ridl")).length;
  };
  const [small, medium, large] = [lengthWith(20), lengthWith(40), lengthWith(60)] as const;
  expect((large - medium) / (medium - small)).toBeLessThan(1.05);
});

function textOf(plan: Plan): string {
  return emitValidators(plan)[0]?.text ?? "";
}

describe("the same input gives the same bytes, with only what methods use", () => {
  test("twice", () => {
    expect(emitValidators(plan)).toEqual(emitValidators(plan));
    expect(emitJsonSchema(plan)).toEqual(emitJsonSchema(plan));
  });

  test("a type of no method has no function", () => {
    const lonely = planOf(
      {
        "m.ridl":
          "webrpc = v1\nname = m\nversion = v1\nbasepath = /\nstruct Lonely\n  - a: string\nstruct A\nservice S\n  - M(A) => (A)\n",
      },
      "m.ridl",
    );
    for (const { text: code } of emitValidators(lonely)) expect(code).not.toContain("Lonely");
    expect(emitJsonSchema(lonely)[0]?.text).toContain('"Lonely"');
  });

  test("a schema without services has no functions", () => {
    const bare = planOf({ "m.ridl": "webrpc = v1\nname = m\nversion = v1\n" }, "m.ridl");
    expect(textOf(bare)).not.toContain("function");
  });
});

test("a long chain of types is printed without recursion", () => {
  const short = planOf(
    {
      "m.ridl":
        "webrpc = v1\nname = m\nversion = v1\nbasepath = /\nstruct T0\n  - x?: T0\nservice S\n  - M(T0) => (T0)\n",
    },
    "m.ridl",
  );
  const [link] = short.types as readonly [PlannedStruct];
  const types = Array.from({ length: 8_000 }, (_, index): PlannedStruct => {
    const type = index === 7_999 ? ({ kind: "core", name: "bigint" } as const) : structNamed(`T${index + 1}`);
    return { ...link, name: `T${index}`, fields: link.fields.map((field) => ({ ...field, type })) };
  });
  const plan = { ...short, types, facts: factsOf(types), finder: new TypeFinder(types) };
  expect(textOf(plan)).toContain("faultsInT7999");
  expect(textOf(plan)).toContain("writeT7999");
  expect(emitJsonSchema(plan)[0]?.text).toContain("T7999.response");
});

function structNamed(name: string): PlannedField["type"] {
  return { kind: "struct", name };
}

describe("text of a schema never becomes code", () => {
  const evil = `"];globalThis.isBroken=true;//\`\${globalThis.isBroken=true}\`*/\u2028\n'\\`;

  test.each(["wireName", "pattern", "enum value", "default", "alias", "twin", "schema file"])(
    "%s",
    (place) => {
      const hostile = evilPlan(place, evil);
      const { read, check, write, jsonSchema } = loadValidators(hostile);
      read("Body")({ name: "a", kind: "b" });
      check("Body")({ name: "a", kind: "b" });
      write("Body")({ name: "a", kind: "b" });
      expect(jsonSchema.$defs).toBeDefined();
      expect(globalThis).not.toHaveProperty("isBroken");
    },
  );
});

/** Replaces a text in a plan by one that RIDL might reject but IR and YAML accept. */
function evilPlan(place: string, evil: string): Plan {
  const good = planOf(
    {
      "m.ridl":
        'webrpc = v1\nname = m\nversion = v1\nbasepath = /\nenum Kind: string\n  - cat\nstruct Body\n  - name?: string\n    + pattern = "^a$"\n    + default = "a"\n  - kind?: Kind\nservice S\n  - M(Body) => (Body)\n',
    },
    "m.ridl",
  );
  const types = good.types.map((type) => {
    if (type.kind === "enum" && place === "enum value") {
      return { ...type, values: type.values.map((value) => ({ ...value, wire: evil })) };
    }
    return type.kind === "struct" ? evilStruct(type, place, evil) : type;
  });
  return {
    ...good,
    types,
    finder: new TypeFinder(types),
    ...(place === "schema file" ? { schemaFile: evil } : {}),
  };
}

function evilStruct(struct: PlannedStruct, place: string, evil: string): PlannedStruct {
  const fields = struct.fields.map((field, index) => {
    if (index > 0) return field;
    const { constraints } = field;
    if (place === "pattern") return { ...field, constraints: { ...constraints, pattern: quoted(evil) } };
    if (place === "default") return { ...field, constraints: { ...constraints, default: evil } };
    if (place === "alias") return { ...field, aliases: [evil] };
    if (place === "twin") return { ...field, twins: [evil] };
    return place === "wireName" ? { ...field, wireName: evil } : field;
  });
  return { ...struct, fields };
}

/** Returns a regular expression that matches the text. Slashes stay, because patterns need not escape them. */
function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
