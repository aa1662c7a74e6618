import { isBranded } from "../../language/model/meta/read.ts";
import type {
  AliasModel,
  EnumModel,
  FieldModel,
  FileModel,
  Model,
  PayloadModel,
  StructModel,
} from "../../language/model/model.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import { deprecationReason, documented, withDeprecation } from "./docs.ts";
import { propertyKey, type TypeNames, withoutEscape } from "./names.ts";
import type {
  PlannedAlias,
  PlannedEnum,
  PlannedField,
  PlannedFile,
  PlannedStruct,
  PlannedType,
  Uses,
} from "./plan.ts";

type Arguments = Extract<PayloadModel, { readonly kind: "arguments" }>["arguments"];

/** Results of analyzing the whole schema. Type names are those of the schema, not of TypeScript. */
interface TypeAnalysis {
  hasBigint(type: ResolvedType): boolean;
  usesOf(typeName: string): Uses;
}

const none: readonly string[] = [];

/** Plans the types of a model. Defaults are parsed later, when all types are known. */
export class TypePlanner {
  readonly hasBigint: (type: ResolvedType) => boolean;
  readonly #names: TypeNames;
  readonly #analysis: TypeAnalysis;

  constructor(names: TypeNames, analysis: TypeAnalysis) {
    this.hasBigint = analysis.hasBigint;
    this.#names = names;
    this.#analysis = analysis;
  }

  plan(type: Model["types"][number]): PlannedType {
    const uses = this.#analysis.usesOf(type.name);
    const name = this.#names.of(type.name);
    switch (type.kind) {
      case "struct":
        return this.#struct(type, name, uses);
      case "enum":
        return this.#enum(type, name, uses);
      case "alias":
        return this.#alias(type, name, uses);
    }
  }

  /** Plans a struct for the arguments of a method. */
  body(name: string, list: Arguments, uses: Uses): PlannedStruct {
    const fields = list.map(
      ({ name: wireName, optional, type, constraints }): PlannedField => ({
        wireName,
        key: propertyKey(wireName),
        optional,
        nullable: false,
        type: this.#names.resolve(type),
        constraints,
        aliases: none,
        twins: none,
        ...documented(none, deprecationReason(constraints)),
      }),
    );
    const hasBigint = list.some(({ type }) => this.hasBigint(type));
    return { kind: "struct", name, docs: none, fields, hasBigint, ...uses };
  }

  #struct(struct: StructModel, name: string, uses: Uses): PlannedStruct {
    const fields: PlannedField[] = [];
    // Fields with `json = -` are never sent.
    for (const field of struct.fields)
      if (field.wireName !== undefined) fields.push(this.#field(field, field.wireName));
    const hasBigint = this.hasBigint({ kind: "struct", name: struct.name });
    const { docs, deprecated } = documented(struct.docs);
    const { inRequests, inResponses } = uses;
    const { files, derivedFrom: source } = struct;
    const derivedFrom = source === undefined ? {} : { derivedFrom: this.#names.of(source) };
    const planned = {
      kind: "struct",
      name,
      docs,
      fields,
      hasBigint,
      inRequests,
      inResponses,
      ...derivedFrom,
    } as const;
    const withFiles = files.length === 0 ? planned : { ...planned, files: files.map(planFile) };
    return withDeprecation(withFiles, deprecated);
  }

  #field(field: FieldModel, wireName: string): PlannedField {
    const { constraints, aliases, twins, group, when } = field;
    const nullable = constraints.nullable === "always";
    const { docs, deprecated } = documented(field.docs, deprecationReason(constraints));
    const planned = {
      wireName,
      ...(field.queryName !== undefined && { queryName: field.queryName }),
      key: propertyKey(wireName),
      optional: field.optional && !nullable,
      nullable,
      type: this.#names.resolve(field.type),
      constraints,
      aliases,
      twins,
      ...(group === undefined ? {} : { group }),
      ...(when === undefined ? {} : { when }),
      docs,
    };
    return withDeprecation(planned, deprecated);
  }

  #enum({ base, values, docs }: EnumModel, name: string, uses: Uses): PlannedEnum {
    const planned = values.map((value) => ({
      key: propertyKey(value.name),
      wire: value.wire,
      ...(base === "string" ? {} : { number: value.value }),
      ...documented(value.docs),
    }));
    const hasNumbers =
      base !== "string" &&
      values.length > 0 &&
      values.every(({ value }) => Number.isSafeInteger(Number(value)));
    return {
      kind: "enum",
      name,
      ...documented(docs),
      base,
      values: planned,
      numbersName: hasNumbers ? this.#names.claim(`${name}Number`) : undefined,
      ...uses,
    };
  }

  #alias({ type, constraints, docs, meta }: AliasModel, name: string, uses: Uses): PlannedAlias {
    return {
      kind: "alias",
      name,
      brander: isBranded({ meta }) ? this.#names.claim(`to${withoutEscape(name)}`) : undefined,
      ...documented(docs, deprecationReason(constraints)),
      type: this.#names.resolve(type),
      constraints,
      ...uses,
    };
  }
}

export function planFile({ name, optional, isList, docs, deprecated, within }: FileModel): PlannedFile {
  const { docs: text, deprecated: reason } = documented(docs, deprecated === true ? "" : deprecated);
  const file = { name, key: propertyKey(name), optional, isList, docs: text };
  return withDeprecation(within === undefined ? file : { ...file, within }, reason);
}
