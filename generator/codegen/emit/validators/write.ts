import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import { claimName, valueIdentifier } from "../../plan/names.ts";
import type { Plan, PlannedAlias, PlannedField, PlannedStruct, TypeFinder } from "../../plan/plan.ts";
import { coreTypeText, type ValueForms, writerOf } from "../../plan/type-text.ts";
import { literalKey } from "../text.ts";
import { getField, lineWidth } from "./code.ts";
import type { ValidatorDeclaration } from "./function-registry.ts";

/** How a value is copied for JSON.stringify. */
type Writer =
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "each"; readonly each: "v.writeItems" | "v.writeEntries"; readonly item: Writer };

/**
 * Prints `write<Type>` for each struct of a response. It copies the declared fields, with additional names, null for
 * absent values, and text for bigints and Dates.
 */
export class WriterRegistry {
  readonly #types: TypeFinder;
  readonly #forms: ValueForms;
  readonly #endless: ReadonlySet<string>;
  readonly #pending: (PlannedStruct | PlannedAlias)[] = [];
  readonly #requested = new Set<string>();
  readonly #isShort: boolean;

  /** `isShort`: prints short code instead of fast code. */
  constructor(plan: Plan, { isShort }: { readonly isShort: boolean }) {
    this.#isShort = isShort;
    this.#types = plan.finder;
    this.#forms = plan;
    this.#endless = plan.facts.endless;
  }

  /** Returns the name of the function for a body. */
  body(typeName: string): string {
    return this.#request(this.#types.struct(typeName)).name;
  }

  printAll(): readonly ValidatorDeclaration[] {
    const functions: ValidatorDeclaration[] = [];
    // The list grows during the loop.
    for (const type of this.#pending) functions.push(this.#print(type));
    return functions;
  }

  #print(type: PlannedStruct | PlannedAlias): ValidatorDeclaration {
    const name = `write${type.name}`;
    const body =
      type.kind === "struct"
        ? this.#structLines(type)
        : [`  return ${callOf(this.#writer(type.type), "value")};`];
    return {
      name,
      lines: [`function ${name}(value: unknown): unknown {`, ...body, "}"],
    };
  }

  #structLines({ fields }: PlannedStruct): string[] {
    const locals = new Set(["v", "value"]);
    const texts = new Map(
      fields
        .filter(({ type }) => !this.#isShort && this.#isText(type))
        .map(({ wireName }) => [wireName, claimName(localName(wireName), locals)]),
    );
    const copied = fields.flatMap((field) => this.#fieldTexts(field, texts.get(field.wireName)));
    const line = `  return ${copied.length === 0 ? "{}" : `{ ${copied.join(", ")} }`};`;
    const isLine = copied.length === 0 || (this.#isShort && line.length <= lineWidth);
    return [
      "  if (!v.isObject(value)) return v.writeScalar(value);",
      ...[...texts].map(([wireName, local]) => `  const ${local} = ${getField(wireName)};`),
      ...(isLine ? [line] : ["  return {", ...copied.map((text) => `    ${text},`), "  };"]),
    ];
  }

  /** `local` is the variable of a text. */
  #fieldTexts({ wireName, type, nullable, twins }: PlannedField, local: string | undefined): string[] {
    const copy =
      local === undefined
        ? callOf(this.#writer(type), getField(wireName))
        : // A test costs less than a call.
          `typeof ${local} === "string" ? ${local} : v.writeScalar(${local})`;
    return [wireName, ...twins].map((name) => `${literalKey(name)}: ${copy}${nullable ? " ?? null" : ""}`);
  }

  #isText(type: ResolvedType): boolean {
    const resolved = this.#types.unaliased(type);
    return (
      resolved.kind === "enum" ||
      isBytes(resolved) ||
      (resolved.kind === "core" && coreTypeText(resolved.name, this.#forms) === "string")
    );
  }

  #writer(type: ResolvedType): Writer {
    switch (type.kind) {
      case "core":
        return { kind: "function", name: `v.${writerOf(type.name, this.#forms)}` };
      case "unknown":
        return { kind: "function", name: `v.${writerOf("any", this.#forms)}` };
      case "list":
        if (isBytes(type)) return { kind: "function", name: "v.writeScalar" };
        return { kind: "each", each: "v.writeItems", item: this.#writer(type.element) };
      case "map":
        return { kind: "each", each: "v.writeEntries", item: this.#writer(type.value) };
      case "enum":
        return { kind: "function", name: "v.writeScalar" };
      case "alias": {
        const alias = this.#types.alias(type.name);
        // An alias may lead back to itself without a struct.
        return this.#endless.has(type.name) ? this.#request(alias) : this.#writer(alias.type);
      }
      case "struct":
        return this.#request(this.#types.struct(type.name));
    }
  }

  #request(type: PlannedStruct | PlannedAlias): Extract<Writer, { readonly kind: "function" }> {
    if (!this.#requested.has(type.name)) this.#pending.push(type);
    this.#requested.add(type.name);
    const name = `write${type.name}`;
    return { kind: "function", name };
  }
}

/** Differs from all functions of the file. */
function localName(wireName: string): string {
  const name = valueIdentifier(wireName);
  return name.startsWith("write") ? `${name}$` : name;
}

function callOf(writer: Writer, value: string): string {
  return writer.kind === "function"
    ? `${writer.name}(${value})`
    : `${writer.each}(${value}, ${functionOf(writer.item)})`;
}

function functionOf(writer: Writer): string {
  return writer.kind === "function" ? writer.name : `(inner) => ${callOf(writer, "inner")}`;
}
