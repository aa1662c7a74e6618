import type { PlannedEnumValue, PlannedField, PlannedStruct, TypeFinder } from "./plan.ts";

/** Fields of a struct of which each value sets those of one case. */
export type Union = GroupUnion | KindUnion;

/** A group (`oneOf`). Each case has one field. */
export interface GroupUnion {
  readonly kind?: undefined;
  readonly members: readonly PlannedField[];
  readonly cases: readonly UnionCase[];
}

/** The fields with `when`. */
export interface KindUnion {
  /** The field that names the case. */
  readonly kind: PlannedField;
  readonly members: readonly PlannedField[];
  readonly cases: readonly (UnionCase & { readonly kind: PlannedEnumValue })[];
}

export interface UnionCase {
  /** The value of the kind field. */
  readonly kind?: PlannedEnumValue;
  readonly required: readonly PlannedField[];
  readonly optional: readonly PlannedField[];
}

/** Whether the other fields of the struct decide whether the field is set. */
export function isInUnion({ group, when }: Pick<PlannedField, "group" | "when">): boolean {
  return group !== undefined || when !== undefined;
}

/** Returns the unions of a struct. */
export function unionsOf(struct: Pick<PlannedStruct, "fields">, types: TypeFinder): readonly Union[] {
  const { fields } = struct;
  const groups = new Set(fields.flatMap(({ group }) => group ?? []));
  const unions = [...groups].map((name): Union => {
    const members = fields.filter(({ group }) => group === name);
    return { members, cases: members.map((member) => ({ required: [member], optional: [] })) };
  });
  const ofKinds = kindUnionOf(struct, types);
  return ofKinds === undefined ? unions : [...unions, ofKinds];
}

/** Returns the union of the fields with `when`. They are ordinary optional fields in a struct without its kind field. */
export function kindUnionOf(
  { fields }: Pick<PlannedStruct, "fields">,
  types: TypeFinder,
): KindUnion | undefined {
  const members = fields.filter(({ when }) => when !== undefined);
  const kind = fields.find(({ wireName }) => wireName === members[0]?.when?.[0]?.kind);
  const type = kind && types.unaliased(kind.type);
  if (kind === undefined || type?.kind !== "enum") return undefined;
  const cases = types.enum(type.name).values.map((value) => {
    const [required = [], optional = []] = [false, true].map((isOptional) =>
      members.filter(({ when = [] }) =>
        when.some((one) => one.value === value.wire && one.isOptional === isOptional),
      ),
    );
    return { kind: value, required, optional };
  });
  return { kind, members, cases };
}

/** The members of a union, and its kind. */
export function fieldsOf({ kind, members }: Union): readonly PlannedField[] {
  return kind === undefined ? members : [kind, ...members];
}

/** The members of a union that a case excludes. */
export function excludedBy({ required, optional }: UnionCase, { members }: Union): readonly PlannedField[] {
  return members.filter((member) => !required.includes(member) && !optional.includes(member));
}
