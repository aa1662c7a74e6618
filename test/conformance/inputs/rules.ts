import { type CaseInput, ridlCases } from "./rows.ts";

/** Checks after parsing: the order and scope of the rules. */
export function ruleInputs(): CaseInput[] {
  return ridlCases("rule", [...rows, ...longOnes()]);
}

const rows = [
  ["recursive struct", "struct A\n - a: A\n"],
  ["recursive by list", "struct A\n - a: []A\n"],
  ["recursive by map", "struct A\n - a: map<string,A>\n"],
  ["recursive pair", "struct A\n - b: B\nstruct B\n - a?: A\n"],
  [
    "fields of kinds and groups",
    "enum K: uint8\n - x\n - y = 4\nstruct A\n - k: K\n - a?: int\n  + when = k.x\n  + when = k.y?\n - b?: int\n  + oneOf = g\n - c?: int\n  + oneOf = g\n",
  ],
  ["unused types", "struct A\nenum E: int\ntype T: int\n"],
  ["alias to a struct", "struct A\ntype T: A\n"],
  ["order of types", "struct A\nenum B: int\ntype C: int\nstruct D\nenum E: int\ntype F: int\n"],
  ["alias unknown", "type T: Nope\n"],
  ["alias lower case target", "struct A\ntype T: a\n"],
  ["struct field unknown", "struct A\n - x: Nope\n"],
  ["argument unknown", "service S\n - P(a: Nope)\n"],
  ["answer unknown", "service S\n - P() => (a: Nope)\n"],
  ["map value unknown", "struct A\n - x: map<string,Nope>\n"],
  ["list element unknown", "struct A\n - x: []Nope\n"],
  ["struct as map key", "struct K\nstruct A\n - x: map<K,int>\n"],
  ["struct as map key in an argument", "struct K\nservice S\n - P(a: map<K,int>)\n"],
  ["struct as map key in an alias", "struct K\ntype A: map<K,int>\n"],
  ["struct with alias type name as key", "struct A\n - x: map<T,int>\ntype T: E\nenum E: string\n"],
  ["enum key of other case in alias", "type T: map<e1,int>\nenum E1: int\n"],
  ["long name", `struct A${"a".repeat(500)}\n`],
] as const;

function longOnes(): readonly (readonly [string, string])[] {
  return [
    ["deep list", `struct A\n - x: ${"[]".repeat(60)}int\n`],
    ["deep map", `struct A\n - x: ${"map<string,".repeat(60)}int${">".repeat(60)}\n`],
    ["many fields", `struct A\n${Array.from({ length: 120 }, (_, index) => ` - f${index}: int\n`).join("")}`],
    [
      "many enum values",
      `enum A: int\n${Array.from({ length: 120 }, (_, index) => ` - f${index}\n`).join("")}`,
    ],
    [
      "long chain of aliases",
      Array.from(
        { length: 60 },
        (_, index) => `type T${index}: ${index === 59 ? "int" : `T${index + 1}`}\n`,
      ).join(""),
    ],
  ];
}
