import type { FieldModel, Model, StructModel } from "../model/model.ts";
import type { IrField, IrSchema, IrType } from "./schema.ts";

/** Writes derived structs as structs, for readers that do not know the meta keys of their aliases. */
export function expandIr(ir: IrSchema, { typeByName }: Model): IrSchema {
  const all = new Map(ir.types?.map((type) => [type.name, type]));
  const types = ir.types?.map((type) => {
    const struct = typeByName.get(type.name);
    return type.kind === "alias" && struct?.kind === "struct" ? structOf(type, struct, all) : type;
  });
  return { ...ir, types: types ?? null };
}

function structOf(
  { name, type, comments = [] }: IrType,
  { fields }: StructModel,
  all: ReadonlyMap<string, IrType>,
): IrType {
  let source = all.get(type ?? "");
  while (source?.kind === "alias") source = all.get(source.type ?? "");
  const declared = new Map(source?.fields?.map((field) => [field?.name, field]));
  const expanded = fields.map((field) => fieldOf(field, declared.get(field.name)));
  return { kind: "struct", name, fields: expanded, comments };
}

function fieldOf({ name, optional, meta }: FieldModel, declared: IrField | null | undefined): IrField {
  return { ...declared, name, optional, meta: meta.map(({ key, value }) => new Map([[key, value]])) };
}
