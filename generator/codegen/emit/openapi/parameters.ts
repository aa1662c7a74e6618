import type { Json } from "../../plan/json.ts";
import type { Documented, Plan, PlannedField, PlannedRoute, RouteField } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import { coreTypeText, type ValueForms } from "../../plan/value-forms.ts";
import { documentationKeywords } from "../documentation-keywords.ts";
import type { Schema, Views } from "../json-schema/schema.ts";
import { SchemaBuilder } from "../json-schema/schema-builder.ts";
import { defaultOf, examples, isDescribedByAlias } from "../json-schema/type-schema.ts";

/** Prints the fields in paths and queries. */
export class ParameterPrinter {
  readonly #forms: ValueForms;
  readonly #types: TypeFinder;
  readonly #builder: SchemaBuilder;

  constructor(plan: Plan, views: Views) {
    this.#forms = plan;
    this.#types = new TypeFinder(plan);
    this.#builder = new SchemaBuilder("request", views, this.#types);
  }

  /** `pathNames` are the parameters' names in the path of the document, which another method may have chosen. */
  parameters(requestType: string, route: PlannedRoute, pathNames: readonly string[]): readonly Json[] {
    const { fields } = this.#types.struct(requestType);
    const print = (parameter: RouteField, place: "path" | "query", name = parameter.name): readonly Json[] =>
      fields
        .filter(({ wireName }) => wireName === parameter.name)
        .map((field) => ({ name, in: place, ...this.#parameter(parameter, field, place === "path") }));
    return [
      ...route.parameters.flatMap((parameter, index) => print(parameter, "path", pathNames[index])),
      ...(route.query ?? []).flatMap((parameter) => print(parameter, "query")),
    ];
  }

  #parameter(parameter: RouteField, field: PlannedField, isInPath: boolean): Schema {
    const schema = this.#schema(field);
    const isDescribed = "$ref" in schema && isDescribedByAlias(field, this.#types);
    return {
      required: isInPath || isRequired(parameter, field),
      ...documentationKeywords(this.#documentation(parameter, field)),
      ...(parameter.isList ? { style: "form", explode: true } : {}),
      schema: {
        ...schema,
        ...defaultOf(field, "request", this.#types),
        ...(isDescribed ? {} : examples(field.constraints, field.type, this.#types)),
      },
    };
  }

  /** Numbers of JavaScript lose digits of 64-bit integers, so a client has to write their text. */
  #documentation({ type }: RouteField, field: PlannedField): Documented {
    if (coreTypeText(type, this.#forms) !== "bigint") return field;
    return { ...field, docs: [...field.docs, "Decimal digits, up to 64 bits."] };
  }

  /** A list is not a reference, because the style of the parameter depends on it. */
  #schema(field: PlannedField): Schema {
    const target = this.#types.unaliased(field.type);
    return target.kind === "list"
      ? this.#builder.target(target, field.constraints)
      : this.#builder.schema(field);
  }
}

/** Servers read a missing list as an empty one. */
function isRequired({ isOptional, isList }: RouteField, { constraints }: PlannedField): boolean {
  return !isOptional && (!isList || (constraints.minItems ?? 0) > 0);
}
