/** Which functions read the bigints of answers, and what each reads. None are printed for a schema without bigints. */
import type { ResolvedType } from "../../model/types.ts";
import { pascalCase } from "../../plan/names.ts";
import type { Plan, PlannedStruct, PlannedType } from "../../plan/plan.ts";

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
    for (const field of type.fields) for (const found of structsIn(field.type, byName)) visit(found);
  };
  for (const { response, streamOutput } of services.flatMap(({ methods }) => methods))
    if (!streamOutput) visit(response.typeName);
  return types
    .filter((type) => type.kind === "struct")
    .flatMap((type) => (wanted.has(type.name) ? [decoder(type, byName)] : []));
}

type TypesByName = ReadonlyMap<string, PlannedType>;

function decoder({ name, fields }: PlannedStruct, byName: TypesByName): Decoder {
  return {
    name: decoderName(name),
    typeName: name,
    fields: fields.flatMap(({ key, wireName, type }) => {
      const read = reading(type, byName);
      // Written plainly, this one key would set the prototype of the table.
      return read === undefined ? [] : [{ key: wireName === "__proto__" ? '["__proto__"]' : key, read }];
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
      const planned = byName.get(pascalCase(type.name));
      if (planned?.kind === "alias") return reading(planned.type, byName);
      return planned?.kind === "struct" && planned.hasBigint ? decoderName(planned.name) : undefined;
    }
    default:
      return undefined;
  }
}

function around(call: string, inner: string | undefined): string | undefined {
  return inner === undefined ? undefined : `${call}(${inner})`;
}

/** Names of the structs right inside of a type. */
function structsIn(type: ResolvedType, byName: TypesByName): readonly string[] {
  switch (type.kind) {
    case "list":
      return structsIn(type.element, byName);
    case "map":
      return structsIn(type.value, byName);
    case "struct":
      return [pascalCase(type.name)];
    case "alias": {
      const planned = byName.get(pascalCase(type.name));
      return planned?.kind === "alias" ? structsIn(planned.type, byName) : [];
    }
    default:
      return [];
  }
}
