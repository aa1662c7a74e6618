import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emitJsonSchema } from "../../../../generator/codegen/emit/json-schema/index.ts";
import { emitValidators } from "../../../../generator/codegen/emit/validators/index.ts";
import { factsOf } from "../../../../generator/codegen/plan/facts.ts";
import { holdersIn } from "../../../../generator/codegen/plan/holders.ts";
import type { Plan, PlannedField, PlannedStruct } from "../../../../generator/codegen/plan/plan.ts";
import { validatorLoader } from "../../../../generator/codegen/runtime/v1/method-validators.ts";
import type { ServiceValidators } from "../../../../generator/codegen/runtime/v1/validators.ts";
import { validators } from "../../../fixtures/validation/generated/validators/index.ts";
import { expectCheckedIn } from "../../../support/checked-in.ts";
import { planOf } from "../../../support/sample-plan.ts";
import { loadValidators } from "../../../support/validators.ts";

const text = readFileSync(new URL("../../../fixtures/validation/schema.ridl", import.meta.url), "utf8");
const plan = planOf({ "schema.ridl": text }, "schema.ridl");

test("validators and JSON Schema match their reviewed files", async () => {
  await expectCheckedIn("validation", [...emitValidators(plan), ...emitJsonSchema(plan)]);
});

test("each method has its functions under its path, in the files of its service", async () => {
  expect(Object.keys(validators)).toEqual(["Store", "Other"]);
  const { requests, responses } = await validatorLoader(validators["Store"] as ServiceValidators, true)();
  expect(Object.keys(requests)).toEqual(["/rpc/Store/Put", "/rpc/Store/Ping"]);
  expect(requests["/rpc/Store/Put"]?.({})?.listed.map(({ path }) => path)).toContainEqual(["text"]);
  const put = responses["/rpc/Store/Put"];
  expect(put?.check({})?.listed.map(({ path }) => path)).toContainEqual(["text"]);
  expect(put?.write?.({ big: 5n, imageData: "a" })).toEqual({
    big: "5",
    imageData: "a",
    image_data: "a",
    node: null,
  });
  expect(responses["/rpc/Store/Ping"]).not.toHaveProperty("write");
});

describe("what several services use is in one shared file", () => {
  const head = "webrpc = v1\nname = m\nversion = v1\nbasepath = /\n";
  const types = `enum Kind: string\n  - cat\nstruct Both\n  - kind: Kind\n  - n: bigint\nstruct One\n  - both: Both\nstruct Two\n  - a: []One\n`;

  test("a type of a single service is in its file", () => {
    const services = "service A\n  - M(One) => (Two)\n\nservice Shared\n  - N(Both) => (Both)\n";
    const byPath = textsOf(planOf({ "m.ridl": head + types + services }, "m.ridl"));
    expect([...byPath.keys()]).toEqual([
      "validators/requests/a.ts",
      "validators/requests/shared.ts",
      "validators/requests/shared2.ts",
      "validators/responses/a.ts",
      "validators/responses/shared.ts",
      "validators/responses/shared2.ts",
      "validators/index.ts",
    ]);
    expect(byPath.get("validators/requests/a.ts")).toContain("function faultsInOne(");
    expect(byPath.get("validators/requests/a.ts")).toContain(
      'import {\n  faultsInBoth,\n} from "./shared2.ts";',
    );
    expect(byPath.get("validators/requests/shared.ts")).toContain("export function readBoth(");
    expect(byPath.get("validators/requests/shared2.ts")).toContain("export function faultsInBoth(");
    expect(byPath.get("validators/requests/shared2.ts")).toContain(
      '\nconst kindExpected: string = "one of cat";',
    );
    expect(byPath.get("validators/responses/shared2.ts")).toContain("export function writeBoth(");
  });

  test("one service shares nothing", () => {
    const plan = planOf({ "m.ridl": `${head}${types}service A\n  - M(One) => (Two)\n` }, "m.ridl");
    expect([...textsOf(plan).keys()]).toEqual([
      "validators/requests/a.ts",
      "validators/responses/a.ts",
      "validators/index.ts",
    ]);
  });
});

function textsOf(plan: Plan): ReadonlyMap<string, string> {
  return new Map(emitValidators(plan).map(({ path, text: code }) => [path, code]));
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
    expect([...textsOf(bare)].map(([path, code]) => [path, code.split("\n").at(-3)])).toEqual([
      ["validators/index.ts", "export const validators: Validators = {"],
    ]);
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
  const plan = { ...short, types, facts: factsOf(types, holdersIn(types), short) };
  const [requests, responses] = emitValidators(plan);
  expect(requests?.text).toContain("faultsInT7999");
  expect(responses?.text).toContain("writeT7999");
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
  return { ...good, types, ...(place === "schema file" ? { schemaFile: evil } : {}) };
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
