import type { IrSchema } from "../../language/ir/schema.ts";
import { hashIr } from "../../language/ir/write.ts";
import type { Model } from "../../language/model/model.ts";
import { type ProtocolErrorNames, planErrors } from "./errors.ts";
import { TypeNames } from "./names.ts";
import { type Plan, TypeFinder } from "./plan.ts";
import { planBodies, planServices } from "./services.ts";
import { bigintFinder, factsOf, findUses } from "./type-graph.ts";
import type { ValueForms } from "./type-text.ts";
import { TypePlanner } from "./types.ts";
import { withDefaults } from "./values.ts";
import { fileTypes, variantNames } from "./variants.ts";

/** What the plan of a schema depends on. */
export interface PlanOptions extends ValueForms {
  /** Path of the root schema, as the first line of each file prints it. */
  readonly schemaFile: string;
  readonly protocolErrors: ProtocolErrorNames;
  /** The kept versions, the oldest first. */
  readonly history: readonly Contract[];
}

/** A version of a schema. */
export interface Contract {
  readonly model: Model;
  readonly ir: IrSchema;
}

/** Builds the plan: names, order and imports of all generated code. `earlier`: the plans of `history`. */
export function buildPlan(
  model: Model,
  { schemaFile, protocolErrors, history, int64, timestamps, enums }: PlanOptions,
  { irText = "", earlier = [] }: { readonly irText?: string; readonly earlier?: readonly Plan[] } = {},
): Plan {
  const forms = { int64, timestamps, enums };
  const hasHistory = history.length > 0;
  const names = new TypeNames(model, timestamps);
  const claim = (wanted: string): string => names.claim(wanted);
  const uses = findUses(model);
  const planner = new TypePlanner(names, {
    hasBigint: bigintFinder(model, forms),
    usesOf: (typeName) => uses.get(typeName) ?? { inRequests: false, inResponses: false },
  });
  const declared = model.types.map((type) => planner.plan(type));
  const bodies = planBodies(model, names, planner);
  const types = withDefaults([...declared, ...bodies.structs], forms);
  const finder = new TypeFinder(types);
  const facts = factsOf(types);
  const variants = variantNames(types, facts.holders, claim);
  const errors = planErrors(model.errors, protocolErrors, hasHistory, (typeName) => {
    const type = names.of(typeName);
    const struct = finder.unaliased({ kind: "alias", name: type });
    return { type, typeName: struct.kind === "struct" ? struct.name : "" };
  });
  return {
    schemaFile,
    schemaName: model.name,
    schemaVersion: model.version,
    schemaHash: hashIr(irText),
    irText,
    basepath: model.basepath,
    ...forms,
    types,
    errors,
    services: planServices({ model, bodies, variants, errors, finder, forms, hasHistory }),
    callerTypes: variants.caller,
    handlerTypes: variants.handler,
    facts,
    finder,
    fileTypes: fileTypes(types, claim),
    brandType: types.some((type) => type.kind === "alias" && type.brander !== undefined)
      ? claim("Brand")
      : "Brand",
    earlier,
  };
}
