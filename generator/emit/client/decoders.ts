/** Which functions read the bigints of answers, and what each reads. None are printed for a schema without bigints. */
import type { ResolvedType } from "../../model/types.ts";
import { innermost } from "../../plan/parts.ts";
import { isLeftOut, type Plan, type PlannedStruct, type PlannedType } from "../../plan/plan.ts";
import { literalKey } from "../text.ts";

export interface Decoder {
  readonly name: string;
  readonly typeName: string;
  readonly fields: readonly { readonly key: string; readonly read: string }[];
}

/** `Transfer` → `decodeTransfer`. */
export function decoderName(typeName: string): string {
  return `decode${typeName}`;
}

/** One for every struct that an answer with bigints leads to, in the order of the plan. */
export function decoders({ types, services }: Plan): readonly Decoder[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  const wanted = new Set<string>();
  const visit = (name: string): void => {
    const type = byName.get(name);
    if (type?.kind !== "struct" || !type.hasBigint || wanted.has(name)) return;
    wanted.add(name);
    for (const field of type.fields) {
      const inside = structIn(field.type, byName);
      if (inside !== undefined) visit(inside);
    }
  };
  for (const method of services.flatMap(({ methods }) => methods)) {
    if (!isLeftOut(method)) visit(method.response.typeName);
  }
  return types
    .filter((type) => type.kind === "struct")
    .flatMap((type) => (wanted.has(type.name) ? [decoder(type, byName)] : []));
}

type TypesByName = ReadonlyMap<string, PlannedType>;

function decoder({ name, fields }: PlannedStruct, byName: TypesByName): Decoder {
  return {
    name: decoderName(name),
    typeName: name,
    fields: fields.flatMap(({ wireName, type }) => {
      const read = reading(type, byName);
      return read === undefined ? [] : [{ key: literalKey(wireName), read }];
    }),
  };
}

/** The expression of a function that reads a type; undefined if there is no bigint in it. */
function reading(type: ResolvedType, byName: TypesByName): string | undefined {
  switch (type.kind) {
    case "core":
      return type.name === "bigint" ? "readBigint" : undefined;
    case "list":
      return around("readList", reading(type.element, byName));
    case "map":
      return around("readMap", reading(type.value, byName));
    case "alias":
    case "struct": {
      const planned = byName.get(type.name);
      // An alias that holds itself holds nothing else, and so no bigint.
      if (planned === undefined || planned.kind === "enum" || !planned.hasBigint) return undefined;
      return planned.kind === "alias" ? reading(planned.type, byName) : decoderName(planned.name);
    }
    default:
      return undefined;
  }
}

function around(call: string, inner: string | undefined): string | undefined {
  return inner === undefined ? undefined : `${call}(${inner})`;
}

/** The name of the struct that a type holds, through lists, maps and aliases. */
function structIn(type: ResolvedType, byName: TypesByName): string | undefined {
  let inside = innermost(type);
  for (let seen = 0; inside.kind === "alias" && seen < byName.size; seen++) {
    const planned = byName.get(inside.name);
    if (planned?.kind !== "alias") return undefined;
    inside = innermost(planned.type);
  }
  return inside.kind === "struct" ? inside.name : undefined;
}
