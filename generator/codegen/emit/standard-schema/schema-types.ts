import { unconstrained } from "../../../language/model/meta/read.ts";
import { withHolders } from "../../plan/holders.ts";
import { camelCase, withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import type { ConstrainedType } from "../validators/constrained-type.ts";

/** A type that gets a schema. */
export interface SchemaType {
  readonly type: PlannedType;
  /** Name of its constant: `orderSchema`. */
  readonly constant: string;
  /** The TypeScript type that callers write: `OrderInput`. */
  readonly input: string;
  /** The TypeScript type of the validated value: `OrderWithDefaults`. */
  readonly output: string;
}

export interface SchemaTypes {
  readonly included: readonly SchemaType[];
  /** Names of types with files, which JSON cannot represent. */
  readonly withFiles: readonly string[];
}

/** Returns the types of the schema and the requests of its methods. `claim` returns a unique name. */
export function schemaTypes(plan: Plan, claim: (wanted: string) => string): SchemaTypes {
  const { types, services, facts, callerTypes, handlerTypes } = plan;
  const responses = services.flatMap(({ methods }) =>
    methods.flatMap(({ response }) => (response.isOwn ? [response.typeName] : [])),
  );
  const ownResponses = new Set(responses);
  const withFiles = withHolders(
    types.filter((type) => type.kind === "struct" && type.files !== undefined).map(({ name }) => name),
    facts.holders,
  );
  const wanted = types.filter(({ name }) => !ownResponses.has(name));
  const included = wanted.filter(({ name }) => !withFiles.has(name));
  return {
    included: included.map((type) => ({
      type,
      constant: claim(`${camelCase(withoutEscape(type.name))}Schema`),
      input: callerTypes.get(type.name) ?? type.name,
      output: handlerTypes.get(type.name) ?? type.name,
    })),
    withFiles: wanted.filter(({ name }) => withFiles.has(name)).map(({ name }) => name),
  };
}

export function constrainedType(type: PlannedType): ConstrainedType {
  const constraints = type.kind === "alias" ? type.constraints : unconstrained;
  return { type: { kind: type.kind, name: type.name }, constraints };
}
