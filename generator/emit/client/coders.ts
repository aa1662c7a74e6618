/** Which functions bring the bigints of a body into another form, and what each does. None are printed where there is nothing to do. */
import type { CoreType, ResolvedType } from "../../model/types.ts";
import { wideTypes } from "../../plan/int64.ts";
import { innermost, withHolders } from "../../plan/parts.ts";
import {
  isLeftOut,
  type Plan,
  type PlannedMethod,
  type PlannedStruct,
  type PlannedType,
} from "../../plan/plan.ts";
import { finder, type IsFound } from "../finder.ts";
import { literalKey } from "../text.ts";

export interface Coder {
  readonly name: string;
  readonly typeName: string;
  /** Expressions of functions. */
  readonly fields: readonly { readonly key: string; readonly call: string }[];
}

/** The functions of one direction, and those of the runtime that they are made of. */
export interface Coding {
  /** `decode` gives `decodeTransfer`. */
  readonly verb: "decode" | "encode";
  readonly words: Readonly<Record<"bigint" | "fields" | "list" | "map", string>>;
  /** Core types with something to be done. */
  coreTypes(plan: Plan): readonly CoreType[];
  /** Whether there is something to be done in a struct or an alias. */
  types(plan: Plan): IsFound;
  /** Name of the struct that a method sends or receives. */
  body(method: PlannedMethod): string;
}

/** Answers: JSON has text for a bigint, and a number for an integer of 64 bits. */
export const decoding: Coding = {
  verb: "decode",
  words: { bigint: "readBigint", fields: "readFields", list: "readList", map: "readMap" },
  coreTypes: decodedCoreTypes,
  types: finder("isDecoded", (plan) => holdersOf(decodedCoreTypes(plan), plan)),
  body: ({ response }) => response.typeName,
};

/** Requests, where a bigint alone does not say which of both it is. */
export const encoding: Coding = {
  verb: "encode",
  words: { bigint: "writeBigint", fields: "writeFields", list: "writeList", map: "writeMap" },
  coreTypes: encodedCoreTypes,
  types: finder("isEncoded", (plan) => holdersOf(encodedCoreTypes(plan), plan)),
  body: ({ request }) => request.typeName,
};

function decodedCoreTypes({ int64 }: Plan): readonly CoreType[] {
  return ["bigint", ...wideTypes(int64)];
}

function encodedCoreTypes({ int64 }: Plan): readonly CoreType[] {
  return int64 === "bigint" ? ["bigint"] : [];
}

function holdersOf(coreTypes: readonly CoreType[], { types }: Plan): ReadonlySet<string> {
  return withHolders(types, coreTypes);
}

/** `Transfer` → `decodeTransfer`. */
function coderName({ verb }: Coding, typeName: string): string {
  return `${verb}${typeName}`;
}

/** The functions that a file has, in the order of the plan. */
export class CoderBook {
  readonly #coding: Coding;
  readonly #plan: Plan;
  readonly #coreTypes: ReadonlySet<CoreType>;
  /** Whether there is something to be done in a struct or an alias. */
  readonly #isNeeding: IsFound;
  readonly #byName: ReadonlyMap<string, PlannedType>;

  constructor(coding: Coding, plan: Plan) {
    const coreTypes = coding.coreTypes(plan);
    this.#coding = coding;
    this.#plan = plan;
    this.#coreTypes = new Set(coreTypes);
    this.#isNeeding = coding.types(plan);
    this.#byName = new Map(plan.types.map((type) => [type.name, type]));
  }

  /** The function for the body of a method; undefined if JSON alone carries it. */
  nameFor(method: PlannedMethod): string | undefined {
    const typeName = this.#coding.body(method);
    return this.#isNeeding(typeName) ? coderName(this.#coding, typeName) : undefined;
  }

  /** One for every struct that a body leads to. */
  all(): readonly Coder[] {
    const wanted = this.#reached();
    return this.#plan.types.flatMap((type) =>
      type.kind === "struct" && wanted.has(type.name) ? [this.coderOf(type)] : [],
    );
  }

  #reached(): ReadonlySet<string> {
    const methods = this.#plan.services.flatMap((service) => service.methods);
    const found = new Set<string>();
    for (const method of methods) if (!isLeftOut(method)) found.add(this.#coding.body(method));
    // A set may grow while it is walked.
    for (const name of found) {
      const type = this.#byName.get(name);
      if (type?.kind !== "struct" || !this.#isNeeding(name)) found.delete(name);
      else for (const field of type.fields) this.#addStructIn(field.type, found);
    }
    return found;
  }

  /** The struct that a type holds, through lists, maps and aliases. */
  #addStructIn(type: ResolvedType, found: Set<string>): void {
    let inside = innermost(type);
    for (let seen = 0; inside.kind === "alias" && seen < this.#byName.size; seen++) {
      const planned = this.#byName.get(inside.name);
      if (planned?.kind !== "alias") return;
      inside = innermost(planned.type);
    }
    if (inside.kind === "struct" && this.#isNeeding(inside.name)) found.add(inside.name);
  }

  coderOf({ name, fields }: PlannedStruct): Coder {
    return {
      name: coderName(this.#coding, name),
      typeName: name,
      fields: fields.flatMap(({ wireName, type }) => {
        const call = this.#call(type);
        return call === undefined ? [] : [{ key: literalKey(wireName), call }];
      }),
    };
  }

  /** The expression of a function for a type; undefined if there is nothing to do in it. */
  #call(type: ResolvedType): string | undefined {
    const { words } = this.#coding;
    switch (type.kind) {
      case "core":
        return this.#coreTypes.has(type.name) ? words.bigint : undefined;
      case "list":
        return around(words.list, this.#call(type.element));
      case "map":
        return around(words.map, this.#call(type.value));
      case "alias":
      case "struct": {
        const planned = this.#byName.get(type.name);
        // An alias that holds itself holds nothing else, and so no bigint.
        if (planned === undefined || planned.kind === "enum" || !this.#isNeeding(type.name)) return undefined;
        return planned.kind === "alias" ? this.#call(planned.type) : coderName(this.#coding, planned.name);
      }
      default:
        return undefined;
    }
  }
}

function around(call: string, inner: string | undefined): string | undefined {
  return inner === undefined ? undefined : `${call}(${inner})`;
}
