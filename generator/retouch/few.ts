import type { AliasModel, EnumModel, Model, StructModel } from "../model/model.ts";
import type { ResolvedType } from "../model/types.ts";
import { Declarations } from "../plan/declarations.ts";
import { withDefaults } from "../plan/defaults.ts";
import { type Int64Form, isWide } from "../plan/int64.ts";
import { innermost } from "../plan/parts.ts";
import type { Plan, PlannedStruct, PlannedType, Uses } from "../plan/plan.ts";
import type { TypeNames } from "../plan/type-names.ts";
import { TypePlanner } from "../plan/types.ts";
import { partOf } from "../plan/whole.ts";
import type { Before } from "./before.ts";

/** What all structs of a schema have in common. */
export interface Surroundings {
  readonly model: Model;
  readonly names: TypeNames;
  readonly before: Before;
  readonly head: Pick<Plan, "schemaFile" | "schemaVersion" | "int64" | "timestamps">;
}

/** A plan that has one struct and what it directly speaks of; of the rest it knows what was found before. */
export interface FewTypes {
  readonly model: StructModel;
  readonly struct: PlannedStruct;
  readonly plan: Plan;
}

export function planFew(struct: StructModel, { model, names, before, head }: Surroundings): FewTypes {
  const { int64, timestamps } = head;
  const { whole, viewNames } = before;
  const usesOf = (typeName: string): Uses => {
    const name = names.of(typeName);
    return { inRequests: whole.has("inRequests", name), inResponses: whole.has("inResponses", name) };
  };
  const planner = new TypePlanner(names, {
    usesOf,
    hasBigint: (type) => hasBigint(type, int64, (typeName) => whole.has("hasBigint", names.of(typeName))),
  });
  const planned = [struct, ...spokenOf(struct, model)].map((type): PlannedType => {
    if (type === struct || type.kind !== "struct") return planner.plan(type);
    return {
      kind: "struct",
      name: names.of(type.name),
      docs: [],
      fields: [],
      hasBigint: planner.hasBigint({ kind: "struct", name: type.name }),
      ...usesOf(type.name),
    };
  });
  const types = withDefaults(planned, int64);
  const declarations = new Declarations(types, head, (wanted) => wanted, viewNames);
  const first = types[0] as PlannedStruct;
  return {
    model: struct,
    struct: first,
    plan: partOf(whole, {
      schemaFile: head.schemaFile,
      schemaVersion: head.schemaVersion,
      int64,
      timestamps,
      // Of the whole, which no struct says.
      schemaHash: "",
      irText: "",
      schemaName: model.name,
      basepath: model.basepath,
      types,
      errors: [],
      services: [],
      declarations: declarations.of(first),
    }),
  };
}

function hasBigint(type: ResolvedType, int64: Int64Form, isFound: (typeName: string) => boolean): boolean {
  const inside = innermost(type);
  if (inside.kind === "unknown") return false;
  return inside.kind === "core"
    ? inside.name === "bigint" || isWide(inside.name, int64)
    : isFound(inside.name);
}

/** The types that a struct names, and those that its aliases lead to; each once, without the struct itself. */
function spokenOf(
  struct: StructModel,
  { typeByName }: Model,
): ReadonlySet<StructModel | EnumModel | AliasModel> {
  const found = new Set<StructModel | EnumModel | AliasModel>();
  const open: ResolvedType[] = struct.fields.map(({ type }) => type);
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "list") open.push(type.element);
    else if (type.kind === "map") open.push(type.key, type.value);
    else if (type.kind !== "core" && type.kind !== "unknown") {
      const declared = typeByName.get(type.name);
      if (declared === undefined || found.has(declared) || declared.name === struct.name) continue;
      found.add(declared);
      if (declared.kind === "alias") open.push(declared.type);
    }
  }
  return found;
}
