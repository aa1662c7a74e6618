/** Finds the fields that annotations name. */
import { type CoreType, isIntegerType } from "./core-types.ts";
import type { ArgumentModel, PayloadModel, TypeModel } from "./model.ts";
import { type ResolvedType, type UnaliasedType, unaliased } from "./types.ts";

/** The wire names that lead to a field. */
export type Path = readonly string[];

/** Why an annotation that names fields is ignored. */
export interface PathFault {
  readonly reason: string;
  readonly advice: string;
  /** A misspelled name, and the names in its place. */
  readonly unknown?: {
    readonly name: string;
    readonly known: readonly string[];
    /** The names in front of it. */
    readonly within: Path;
  };
}

/** A field or an argument under its wire name. */
export type Field = Pick<ArgumentModel, "name" | "optional" | "type" | "constraints">;

export interface Found {
  readonly path: Path;
  readonly fields: readonly Field[];
  readonly type: ResolvedType;
}

export class FieldFinder {
  readonly #typeOf: (name: string) => TypeModel | undefined;

  constructor(typeOf: (name: string) => TypeModel | undefined) {
    this.#typeOf = typeOf;
  }

  /** `text` is a path such as `page.size`. */
  find(text: string, payload: PayloadModel, side: string): Found | PathFault {
    const path = text.split(".");
    const fields: Field[] = [];
    let known = this.payloadFields(payload);
    for (const name of path) {
      const field = known.find((one) => one.name === name);
      if (field === undefined) {
        const within = fields.map((outer) => outer.name);
        const unknown = { name, known: known.map((one) => one.name), within };
        return { ...fault(`the ${side} has no field "${text}"`, "Write names as in JSON."), unknown };
      }
      fields.push(field);
      known = this.fieldsOf(field.type);
    }
    const { type } = fields.at(-1) as Field;
    return { path, fields, type: this.unaliased(type) };
  }

  /** Without the structs around a field, a client cannot build a request that sets the field. */
  requestFault({ path, fields }: Found): PathFault | undefined {
    for (const [index, { name, optional, type }] of fields.slice(0, -1).entries()) {
      const own = path[index + 1];
      const needed = this.fieldsOf(type).find((field) => field.name !== own && isRequired(field));
      if (optional && needed !== undefined)
        return fault(
          `"${name}" is optional, but "${needed.name}" in it is required`,
          `Make "${name}" required, or give "${needed.name}" a default.`,
        );
    }
    return undefined;
  }

  payloadFields(payload: PayloadModel): readonly Field[] {
    return payload.kind === "arguments" ? payload.arguments : this.fieldsOf(payload);
  }

  /** Returns the fields of a struct, and none for other types. */
  fieldsOf(type: ResolvedType): readonly Field[] {
    const target = this.unaliased(type);
    const struct = target.kind === "struct" ? this.#typeOf(target.name) : undefined;
    if (struct?.kind !== "struct") return [];
    return struct.fields.flatMap(({ wireName, optional, type: own, constraints }) =>
      wireName === undefined ? [] : [{ name: wireName, optional, type: own, constraints }],
    );
  }

  unaliased(type: ResolvedType): UnaliasedType {
    return unaliased(type, (name) => {
      const alias = this.#typeOf(name);
      return alias?.kind === "alias" ? alias.type : undefined;
    });
  }
}

export function fault(reason: string, advice: string): PathFault {
  return { reason, advice };
}

export function isRequired({ optional, constraints }: Field): boolean {
  return !optional && constraints.default === undefined;
}

export function isCore(type: ResolvedType, name: CoreType): boolean {
  return type.kind === "core" && type.name === name;
}

export function isInteger(type: ResolvedType): boolean {
  return type.kind === "core" && isIntegerType(type.name);
}
