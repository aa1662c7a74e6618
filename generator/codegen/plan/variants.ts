/**
 * Names the variants of types. A type with defaults can have several variants: callers may omit fields with a default, handlers
 * always receive them, and in responses defaults have no effect. Fields with `nullable = always` are always present in
 * responses, but may be absent in requests.
 */
import type { Plan, PlannedField, PlannedType } from "./plan.ts";
import { type Holders, reachable } from "./type-graph.ts";

/** Names of the variants that differ from the type itself, by type name. */
export interface VariantNames {
  readonly caller: ReadonlyMap<string, string>;
  readonly handler: ReadonlyMap<string, string>;
}

/** `claim` returns a unique name. */
export function variantNames(
  types: readonly PlannedType[],
  holders: Holders,
  claim: (wanted: string) => string,
): VariantNames {
  const withFiles = typesWithFiles(types, holders);
  const fieldsOf = (type: PlannedType): readonly PlannedField[] =>
    type.kind === "struct" ? type.fields : [];
  const typesWith = (isIncluded: (field: PlannedField) => boolean): ReadonlySet<string> =>
    reachable(namesOf(types.filter((type) => fieldsOf(type).some(isIncluded))), holders);
  const withDefaults = typesWith(hasDefault);
  // A field that is always present in responses, and may be absent in requests.
  const callerDiffers = typesWith((field) => field.nullable || (hasDefault(field) && !field.optional));
  // A default on a field that may be absent or null in responses.
  const handlerDiffers = typesWith((field) => field.nullable || (hasDefault(field) && field.optional));
  const caller = new Map<string, string>();
  const handler = new Map<string, string>();
  for (const { name, inRequests, inResponses } of types) {
    if (withFiles.has(name)) {
      handler.set(name, claim(`${name}Received`));
      continue;
    }
    if (!inRequests) continue;
    if (inResponses && callerDiffers.has(name)) caller.set(name, claim(`${name}Input`));
    const received = caller.get(name);
    if (!withDefaults.has(name)) {
      if (received !== undefined) handler.set(name, received);
    } else if (!inResponses || handlerDiffers.has(name)) handler.set(name, claim(`${name}WithDefaults`));
  }
  return { caller, handler };
}

/** Names the TypeScript types of files, which no type of the schema may have. */
export function fileTypes(
  types: readonly PlannedType[],
  claim: (wanted: string) => string,
): Plan["fileTypes"] {
  if (!types.some(hasFiles)) return { sent: "Blob", received: "UploadedFile" };
  const sent = claim("Blob") === "Blob" ? "Blob" : "globalThis.Blob";
  return { sent, received: claim("UploadedFile") };
}

/** Returns the names of the types with a file somewhere inside. */
export function typesWithFiles(types: readonly PlannedType[], holders: Holders): ReadonlySet<string> {
  return reachable(namesOf(types.filter(hasFiles)), holders);
}

export function hasFiles(type: PlannedType): boolean {
  return type.kind === "struct" && type.files !== undefined;
}

function namesOf(types: readonly PlannedType[]): readonly string[] {
  return types.map(({ name }) => name);
}

function hasDefault(field: PlannedField): boolean {
  return field.default !== undefined;
}
