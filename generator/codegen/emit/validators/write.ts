import type { ResolvedType } from "../../../language/model/types.ts";
import type { Plan, PlannedField, PlannedStruct } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import { type ValueForms, writerOf } from "../../plan/value-forms.ts";
import { branch, getField, indent, setField } from "./code.ts";
import type { Declaration } from "./file-split.ts";

/** How a value is converted for JSON.stringify. */
type Writer =
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "each"; readonly each: "v.writeItems" | "v.writeEntries"; readonly item: Writer };

/** Prints `write<Type>` for structs that need it: for additional names, null for absent values, bigints and Dates. */
export class WriterRegistry {
  readonly #types: TypeFinder;
  readonly #forms: ValueForms;
  readonly #written: ReadonlySet<string>;
  readonly #pending: PlannedStruct[] = [];
  readonly #requested = new Set<string>();
  /** What the current function uses. */
  #uses = new Set<string>();

  constructor(plan: Plan) {
    this.#types = new TypeFinder(plan);
    this.#forms = plan;
    this.#written = plan.facts.written;
  }

  /** Returns the name of the function for a body. Undefined if JSON.stringify needs no help. */
  body(typeName: string): string | undefined {
    const writer = this.#writer({ kind: "struct", name: typeName });
    return writer?.kind === "function" ? writer.name : undefined;
  }

  printAll(): readonly Declaration[] {
    const functions: Declaration[] = [];
    // The list grows during the loop.
    for (const struct of this.#pending) functions.push(this.#print(struct));
    return functions;
  }

  #print(struct: PlannedStruct): Declaration {
    const name = `write${struct.name}`;
    this.#uses = new Set();
    return { name, lines: this.#lines(struct, name), uses: this.#uses };
  }

  #lines(struct: PlannedStruct, name: string): string[] {
    return [
      `function ${name}(value: unknown): unknown {`,
      "  if (!v.isObject(value)) return value;",
      "  const written: v.Fields = { ...value };",
      ...indent(struct.fields.flatMap((field, index) => this.#fieldLines(field, `field${index + 1}`))),
      "  return written;",
      "}",
    ];
  }

  #fieldLines({ wireName, type, nullable, twins }: PlannedField, local: string): string[] {
    const writer = this.#writer(type);
    if (writer === undefined && !nullable && twins.length === 0) return [];
    const value = writer === undefined ? local : callOf(writer, local);
    const changed = writer === undefined ? twins : [wireName, ...twins];
    const writes = changed.map((name) => setField(name, value, "written"));
    const read = `const ${local} = ${getField(wireName)};`;
    if (!nullable) return [read, ...branch(`if (${local} !== undefined)`, writes)];
    const nulls = [wireName, ...twins].map((name) => setField(name, "null", "written"));
    return [
      read,
      ...branch(`if (${local} === undefined || ${local} === null)`, nulls),
      ...(writes.length === 0 ? [] : branch("else", writes)),
    ];
  }

  #writer(type: ResolvedType): Writer | undefined {
    switch (type.kind) {
      case "core": {
        const writer = writerOf(type.name, this.#forms);
        return writer === undefined ? undefined : { kind: "function", name: `v.${writer}` };
      }
      case "list":
        return eachOf("v.writeItems", this.#writer(type.element));
      case "map":
        return eachOf("v.writeEntries", this.#writer(type.value));
      case "alias":
        // An alias that refers only to itself needs no writer.
        return this.#written.has(type.name) ? this.#writer(this.#types.alias(type.name).type) : undefined;
      case "struct":
        return this.#written.has(type.name) ? this.#request(this.#types.struct(type.name)) : undefined;
      default:
        return undefined;
    }
  }

  #request(struct: PlannedStruct): Writer {
    if (!this.#requested.has(struct.name)) this.#pending.push(struct);
    this.#requested.add(struct.name);
    const name = `write${struct.name}`;
    this.#uses.add(name);
    return { kind: "function", name };
  }
}

function eachOf(each: "v.writeItems" | "v.writeEntries", item: Writer | undefined): Writer | undefined {
  return item === undefined ? undefined : { kind: "each", each, item };
}

function callOf(writer: Writer, value: string): string {
  return writer.kind === "function"
    ? `${writer.name}(${value})`
    : `${writer.each}(${value}, ${functionOf(writer.item)})`;
}

function functionOf(writer: Writer): string {
  return writer.kind === "function" ? writer.name : `(inner) => ${callOf(writer, "inner")}`;
}
