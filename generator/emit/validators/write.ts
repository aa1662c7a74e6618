import { camelCase, pascalCase, propertyKey } from "../../plan/names.ts";
import type { Plan, PlannedField, PlannedStruct, PlannedType } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import type { ResolvedType } from "../../model/types.ts";
import { literal } from "../text.ts";
import { getField, indent } from "./code.ts";

/** Prints `write<Type>` for types that JSON.stringify alone would not write right: second names, null for absent, bigints. */
export class WriterBook {
  readonly #types: TypeFinder;
  readonly #needing: ReadonlySet<string>;
  readonly #waiting: PlannedStruct[] = [];
  readonly #asked = new Set<string>();

  constructor(plan: Plan) {
    this.#types = new TypeFinder(plan);
    this.#needing = typesToWrite(plan.types);
  }

  /** The function for a body; undefined if the body can be written as it is. */
  body(typeName: string): string | undefined {
    return this.#writer({ kind: "struct", name: typeName });
  }

  printAll(): readonly (readonly string[])[] {
    const functions: string[][] = [];
    for (let struct = this.#waiting.shift(); struct !== undefined; struct = this.#waiting.shift()) {
      functions.push(this.#lines(struct));
    }
    return functions;
  }

  #lines(struct: PlannedStruct): string[] {
    return [
      `/** ${struct.name} as it goes over the wire. Changes nothing in place. */`,
      `export function write${struct.name}(value: unknown): unknown {`,
      "  if (!v.isObject(value)) return value;",
      "  const written: v.Fields = { ...value };",
      ...indent(struct.fields.flatMap((field) => this.#fieldLines(field))),
      "  return written;",
      "}",
    ];
  }

  #fieldLines({ wireName, type, nullable, twins }: PlannedField): string[] {
    const write = this.#writer(type);
    if (write === undefined && !nullable && twins.length === 0) return [];
    const local = `field${pascalCase(camelCase(wireName))}`;
    const own = literal(wireName);
    const value = write === undefined ? local : call(write, local);
    const names = [wireName, ...twins];
    const writes = names
      .filter((name) => name !== wireName || write !== undefined)
      .map((name) => `${target(name)} = ${value};`);
    const lines = [`const ${local} = ${getField(wireName)};`];
    if (nullable) {
      const nulls = names.map((name) => `${target(name)} = null;`);
      lines.push(`if (${local} === undefined || ${local} === null) {`, ...indent(nulls), "}");
      if (writes.length > 0) lines.push("else {", ...indent(writes), "}");
      return lines;
    }
    const [only] = writes;
    if (writes.length === 1) return [...lines, `if (${local} !== undefined) ${only}`];
    return [...lines, `if (${local} !== undefined) {`, ...indent(writes), "}"];
  }

  /** An expression of a function that writes the type; undefined if nothing is to be done. */
  #writer(type: ResolvedType): string | undefined {
    const end = this.#types.end(type);
    switch (end.kind) {
      case "core":
        return end.name === "bigint" ? "v.writeBigint" : undefined;
      case "list":
        return nested("v.writeItems", this.#writer(end.element));
      case "map":
        return nested("v.writeEntries", this.#writer(end.value));
      case "struct": {
        const struct = this.#types.struct(end.name);
        if (!this.#needing.has(struct.name)) return undefined;
        if (!this.#asked.has(struct.name)) this.#waiting.push(struct);
        this.#asked.add(struct.name);
        return `write${struct.name}`;
      }
      default:
        return undefined;
    }
  }
}

function target(name: string): string {
  const key = propertyKey(name);
  return key === name && name !== "__proto__" ? `written[${literal(name)}]` : `written[${literal(name)}]`;
}

function nested(each: string, write: string | undefined): string | undefined {
  return write === undefined ? undefined : `(items: unknown) => ${each}(items, ${write})`;
}

/** `(items: unknown) => v.writeItems(items, w)` applied to `x` is `v.writeItems(x, w)`. */
function call(write: string, value: string): string {
  const arrow = /^\(items: unknown\) => (v\.write\w+)\(items, (.*)\)$/s.exec(write);
  return arrow === null ? `${write}(${value})` : `${arrow[1]}(${value}, ${arrow[2]})`;
}

/** Structs with something to be done in them, directly or in what they hold: from those up to all that hold them. */
function typesToWrite(types: readonly PlannedType[]): ReadonlySet<string> {
  const holders = new Map<string, string[]>();
  const found = new Set<string>();
  const open: string[] = [];
  for (const type of types) {
    if (type.kind === "enum") continue;
    const fields = type.kind === "struct" ? type.fields.map((field) => field.type) : [type.type];
    const ends = fields.map(innermost);
    for (const end of ends) {
      if (end.kind === "struct" || end.kind === "alias") {
        const name = pascalCase(end.name);
        const known = holders.get(name);
        if (known === undefined) holders.set(name, [type.name]);
        else known.push(type.name);
      }
    }
    const isOwn =
      ends.some((end) => end.kind === "core" && end.name === "bigint") ||
      (type.kind === "struct" && type.fields.some(({ nullable, twins }) => nullable || twins.length > 0));
    if (isOwn) open.push(type.name);
  }
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...(holders.get(name) ?? []));
  }
  return found;
}
