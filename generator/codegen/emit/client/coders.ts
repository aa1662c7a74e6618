/**
 * Prints shapes: descriptions of how the client converts bodies between JSON and TypeScript. A type that needs no
 * conversion has no shape.
 */
import {
  type CoreType,
  coreTypeNames,
  coreTypes,
  mayExceedSafeInteger,
} from "../../../language/model/core-types/index.ts";
import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import { enumNames } from "../../plan/enum-names.ts";
import { innermost, memberTypes, withHolders } from "../../plan/holders.ts";
import {
  isOmitted,
  type Plan,
  type PlannedField,
  type PlannedMethod,
  type PlannedStruct,
  type PlannedType,
} from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import { coreTypeText, writerOf } from "../../plan/value-forms.ts";
import { literalKey } from "../text.ts";

export interface Coder {
  readonly name: string;
  readonly typeName: string;
  readonly fields: readonly CodedField[];
}

interface CodedField {
  readonly key: string;
  /** The code of a shape. */
  readonly call: string;
  /** The shape is a getter, because it refers to a shape that is initialized later. */
  readonly isLate: boolean;
}

/** How shapes are printed for one direction. */
export interface Coding {
  /** Prefix of the shapes' names: `decodeTransfer`. */
  readonly direction: "decode" | "encode";
  /** The runtime functions that shapes use, by runtime source. */
  readonly runtimeFunctions: Readonly<Record<string, readonly string[]>>;
  /** Returns the function for a core type. Undefined if JSON represents it. */
  core(name: CoreType, plan: Plan): string | undefined;
  /** Return the code for containers; `inner` is the code for their elements. Undefined if no conversion is needed. */
  list(inner: string | undefined): string | undefined;
  map(inner: string | undefined): string | undefined;
  /** Whether values and keys of enums are checked. */
  checksEnums(plan: Plan): boolean;
  readonly bytes: string | undefined;
  optional(container: string): string;
  nullable(container: string): string;
  /** Returns the names of structs and aliases that need a conversion. */
  types(plan: Plan): ReadonlySet<string>;
  /** Returns the name of the struct that a method sends or receives. */
  body(method: PlannedMethod): string;
}

/** For responses: bigints are text in JSON, 64-bit integers are numbers, and Go writes null for empty values. */
export const decoding: Coding = {
  direction: "decode",
  runtimeFunctions: {
    bigint: ["readBigint", "readFloat"],
    "client-date": ["readDate"],
    "read-enum": ["readEnum", "readEnumMap"],
    "read-shape": ["orAbsent", "orNull", "readBytes", "readMap"],
    shape: ["safeInteger"],
  },
  core: decodedCore,
  list: (inner = "") => `[${inner}]`,
  map: (inner = "") => `/* @__PURE__ */ readMap(${inner})`,
  checksEnums: ({ enums }) => enums === "closed",
  bytes: "readBytes",
  optional: (container) => `/* @__PURE__ */ orAbsent(${container === "[]" ? "" : container})`,
  nullable: (container) => `/* @__PURE__ */ orNull(${container})`,
  types: (plan) => {
    const withContainers = plan.types
      .filter((type) => memberTypes(type).some(isContainer))
      .map(({ name }) => name);
    const enums = plan.enums === "closed" ? enumNames(plan.types) : [];
    const start = [...convertedCores(plan, decodedCore), ...withContainers, ...enums];
    return withHolders(start, plan.facts.holders);
  },
  body: ({ response }) => response.typeName,
};

/**
 * For requests. A bigint may be a `bigint` of the schema, which is text in JSON, or a 64-bit integer, which is a number.
 * Only the shape tells them apart.
 */
export const encoding: Coding = {
  direction: "encode",
  runtimeFunctions: {
    "client-date": ["writeDate"],
    shape: ["safeInteger"],
    "write-shape": ["writeBigint", "writeMap"],
  },
  core: encodedCore,
  list: (inner) => (inner === undefined ? undefined : `[${inner}]`),
  map: (inner) => (inner === undefined ? undefined : `/* @__PURE__ */ writeMap(${inner})`),
  checksEnums: () => false,
  bytes: undefined,
  optional: (container) => container,
  nullable: (container) => container,
  types: (plan) => withHolders(convertedCores(plan, encodedCore), plan.facts.holders),
  body: ({ request }) => request.typeName,
};

function isContainer({ kind }: ResolvedType): boolean {
  return kind === "list" || kind === "map";
}

function convertedCores(plan: Plan, core: Coding["core"]): readonly CoreType[] {
  return coreTypeNames.filter((name) => core(name, plan) !== undefined);
}

function decodedCore(name: CoreType, plan: Plan): string | undefined {
  const text = coreTypeText(name, plan);
  if (text === "Date") return "readDate";
  if (text === "bigint") return "readBigint";
  if (coreTypes[name].kind === "float" && plan.int64 === "bigint") return "readFloat";
  return mayExceedSafeInteger(name) ? "safeInteger" : undefined;
}

function encodedCore(name: CoreType, plan: Plan): string | undefined {
  const writer = writerOf(name, plan);
  if (writer !== undefined) return writer === "writeBigint" && plan.int64 === "number" ? undefined : writer;
  return mayExceedSafeInteger(name) && coreTypeText(name, plan) === "number" ? "safeInteger" : undefined;
}

/** Returns the runtime functions that shapes use, by runtime source. */
export function usedFunctions(
  { runtimeFunctions }: Coding,
  coders: readonly Coder[],
): readonly { readonly file: string; readonly names: readonly string[] }[] {
  const used = new Set(
    coders.flatMap(({ fields }) => fields.flatMap(({ call }) => call.match(/\w+/g) ?? [])),
  );
  return Object.entries(runtimeFunctions).map(([file, names]) => ({
    file,
    names: names.filter((name) => used.has(name)),
  }));
}

/** Imports the constant of an enum and returns its local name. */
type ImportEnum = (name: string) => string;

function coderName({ direction }: Coding, typeName: string): string {
  return `${direction}${typeName}`;
}

/** The shapes of a file. Each comes after the ones that it uses. */
export class CoderRegistry {
  readonly #coding: Coding;
  readonly #plan: Plan;
  readonly #types: TypeFinder;
  /** Names of structs and aliases that need a conversion. */
  readonly #converted: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, PlannedType>;

  constructor(coding: Coding, plan: Plan) {
    this.#coding = coding;
    this.#plan = plan;
    this.#types = new TypeFinder(plan);
    this.#converted = coding.types(plan);
    this.#byName = new Map(plan.types.map((type) => [type.name, type]));
  }

  /** Returns the name of the shape for a method's body. Undefined if JSON represents it. */
  nameFor(method: PlannedMethod): string | undefined {
    const typeName = this.#coding.body(method);
    return this.#converted.has(typeName) ? coderName(this.#coding, typeName) : undefined;
  }

  /** Returns a shape for every struct that a body contains. `importEnum` returns the local name of an enum's constant. */
  all(importEnum: ImportEnum): readonly Coder[] {
    const methods = this.#plan.services.flatMap((service) => service.methods);
    const found = new Map<string, Coder>();
    const pending: { readonly struct: PlannedStruct; readonly isExpanded: boolean }[] = [];
    const visit = (name: string): void => {
      const type = this.#byName.get(name);
      if (type?.kind === "struct" && this.#converted.has(name))
        pending.push({ struct: type, isExpanded: false });
    };
    const seen = new Set<string>();
    for (const method of methods) {
      if (isOmitted(method)) continue;
      visit(this.#coding.body(method));
      // Does not recurse, because chains of types may be longer than the call stack.
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        const { struct, isExpanded } = next;
        if (isExpanded) found.set(struct.name, this.#coderOf(struct, found, importEnum));
        else if (!seen.has(struct.name)) {
          seen.add(struct.name);
          pending.push({ struct, isExpanded: true });
          for (const { type } of struct.fields.toReversed()) {
            const inside = this.#structIn(type);
            if (inside !== undefined) visit(inside);
          }
        }
      }
    }
    return [...found.values()];
  }

  /** Returns the struct inside lists, maps and aliases. */
  #structIn(type: ResolvedType): string | undefined {
    let inside = innermost(this.#types.unaliased(type));
    for (let level = 0; inside.kind === "alias" && level < this.#byName.size; level++)
      inside = innermost(this.#types.unaliased(inside));
    return inside.kind === "struct" ? inside.name : undefined;
  }

  /** `found` has the shapes that come before. */
  #coderOf(
    { name, fields }: PlannedStruct,
    found: ReadonlyMap<string, Coder>,
    importEnum: ImportEnum,
  ): Coder {
    return {
      name: coderName(this.#coding, name),
      typeName: name,
      fields: fields.flatMap((field) => {
        const call = this.#fieldCall(field, importEnum);
        if (call === undefined) return [];
        const inside = this.#structIn(field.type);
        return [
          {
            key: literalKey(field.wireName),
            call,
            isLate: inside !== undefined && this.#converted.has(inside) && !found.has(inside),
          },
        ];
      }),
    };
  }

  #fieldCall(
    { type, optional, nullable, default: defaultValue }: PlannedField,
    importEnum: ImportEnum,
  ): string | undefined {
    const call = this.#call(type, importEnum);
    if (call === undefined || this.#types.emptyText(type) === undefined) return call;
    const { bytes } = this.#coding;
    // Null needs no conversion if the elements need none.
    if (nullable)
      return call === "[]" || call === bytes || call.endsWith("()") ? undefined : this.#coding.nullable(call);
    return optional || defaultValue !== undefined ? this.#coding.optional(call) : call;
  }

  /** Returns the code of a shape for a type. Undefined if it needs no conversion. */
  #call(
    type: ResolvedType,
    importEnum: ImportEnum,
    within: ReadonlySet<string> = new Set(),
  ): string | undefined {
    switch (type.kind) {
      case "core":
        return this.#coding.core(type.name, this.#plan);
      case "list":
        if (isBytes(type)) return this.#coding.bytes;
        return this.#coding.list(this.#call(type.element, importEnum, within));
      case "map": {
        const inner = this.#call(type.value, importEnum, within);
        const values = this.#enumCall(type.key, importEnum);
        if (values === undefined) return this.#coding.map(inner);
        return `/* @__PURE__ */ readEnumMap(${inner === undefined ? values : `${values}, ${inner}`})`;
      }
      case "enum": {
        const values = this.#enumCall(type, importEnum);
        return values === undefined ? undefined : `/* @__PURE__ */ readEnum(${values})`;
      }
      case "alias":
      case "struct": {
        const planned = this.#byName.get(type.name);
        if (planned === undefined || planned.kind === "enum" || !this.#converted.has(type.name))
          return undefined;
        if (planned.kind === "struct") return coderName(this.#coding, planned.name);
        // An alias that is a list of itself is converted only one level deep.
        return within.has(planned.name)
          ? undefined
          : this.#call(planned.type, importEnum, new Set([...within, planned.name]));
      }
      default:
        return undefined;
    }
  }

  /** Returns the local name of the constant of an enum, or of an alias of an enum. Undefined if it is not checked. */
  #enumCall(type: ResolvedType, importEnum: ImportEnum): string | undefined {
    if (!this.#coding.checksEnums(this.#plan)) return undefined;
    const resolved = this.#types.unaliased(type);
    return resolved.kind === "enum" ? importEnum(resolved.name) : undefined;
  }
}
