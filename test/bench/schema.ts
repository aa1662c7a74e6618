import { seededRandom } from "../support/random.ts";

/**
 * Generates a large but realistic schema: structs of four fields with comments, optional fields, lists, maps, references to earlier and
 * later types, and one enum per ten types. Deterministic for its arguments.
 */
export function benchSchema(size: { readonly types: number; readonly methods: number }): string {
  const random = seededRandom(size.types);
  const structs = Array.from({ length: size.types }, (_, index) => index).filter((index) => index % 10 !== 0);
  const typeText = (): string => {
    const name = random.chance(50) ? `Type${random.pick(structs)}` : random.pick(scalars);
    return random.pick([name, name, name, `[]${name}`, `map<string,${name}>`]);
  };
  const lines = ["webrpc = v1", "", "name = bench", "version = v1.0.0", "basepath = /rpc", ""];
  for (let index = 0; index < size.types; index++) {
    if (index % 10 === 0) {
      lines.push(
        `enum Type${index}: string`,
        ...["FIRST", "SECOND", "THIRD"].map((value) => `  - ${value}`),
        "",
      );
      continue;
    }
    lines.push(`# The type of number ${index}.`, `struct Type${index}`, "  - id: uint64");
    lines.push(
      `  - field1: ${typeText()} # said on the line`,
      `  - field2?: ${typeText()}`,
      "    + json = renamed",
    );
    lines.push("  # Said above the field.", `  - field3: ${typeText()}`, "");
  }
  lines.push('error 1 NotFound "not found" HTTP 404', "");
  for (let index = 0; index < size.methods; index++) {
    if (index % methodsPerService === 0) lines.push("", `service Service${index / methodsPerService}`);
    const argument = `Type${random.pick(structs)}`;
    lines.push(
      `  # Gets the thing of number ${index}.`,
      index % 2 === 0
        ? `  - Get${index}(id: uint64, filter?: ${typeText()}) => (thing: ${argument}, more: bool)`
        : `  - Get${index}(${argument}) => (${argument}) errors NotFound`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** The size of the largest service in a hand-written schema. */
const methodsPerService = 50;
const scalars: readonly string[] = [
  "string",
  "uint64",
  "int32",
  "bool",
  "bigint",
  "timestamp",
  "float64",
  "any",
];
