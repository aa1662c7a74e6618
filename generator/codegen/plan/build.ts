import type { IrSchema } from "../../language/ir/schema.ts";
import { hashIr } from "../../language/ir/write.ts";
import type { Model } from "../../language/model/model.ts";
import { bigintFinder } from "./bigints.ts";
import { Declarations, type Role } from "./declarations.ts";
import { withDefaults } from "./defaults.ts";
import { type BuiltinNames, planErrors } from "./errors.ts";
import { factsOf } from "./facts.ts";
import { holdersIn } from "./holders.ts";
import { planPaging } from "./paging.ts";
import type { Plan, PlannedBody, PlannedRead, PlannedService } from "./plan.ts";
import { planResume } from "./resume.ts";
import { planRoute } from "./routes.ts";
import { type Body, type Service, ServicePlanner } from "./services.ts";
import { TypeFinder } from "./type-finder.ts";
import { TypeNames } from "./type-names.ts";
import { TypePlanner } from "./types.ts";
import { findUses } from "./uses.ts";
import type { ValueForms } from "./value-forms.ts";

/** What the plan of a schema depends on. */
export interface PlanOptions extends ValueForms {
  /** Path of the root schema, as the first line of each file prints it. */
  readonly schemaFile: string;
  readonly builtinErrors: BuiltinNames;
  /** The earlier versions that the server speaks, the oldest first. */
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
  { schemaFile, builtinErrors, history, int64, timestamps, enums }: PlanOptions,
  { irText = "", earlier = [] }: { readonly irText?: string; readonly earlier?: readonly Plan[] } = {},
): Plan {
  const forms = { int64, timestamps, enums };
  const hasHistory = history.length > 0;
  const names = new TypeNames(model, timestamps);
  const uses = findUses(model);
  const typePlanner = new TypePlanner(names, {
    hasBigint: bigintFinder(model, forms),
    usesOf: (typeName) => uses.get(typeName) ?? { inRequests: false, inResponses: false },
  });
  const errors = planErrors(model.errors, builtinErrors, hasHistory);
  const servicePlanner = new ServicePlanner(model, names, typePlanner, errors);
  const services = servicePlanner.plan();
  const types = withDefaults(
    [...model.types.map((type) => typePlanner.plan(type)), ...servicePlanner.bodies],
    forms,
  );
  const finder = new TypeFinder({ types });
  const holders = holdersIn(types);
  const declarations = new Declarations(types, holders, forms, (wanted) => names.claim(wanted));
  return {
    schemaFile,
    schemaName: model.name,
    schemaVersion: model.version,
    schemaHash: hashIr(irText),
    irText,
    earlier,
    basepath: model.basepath,
    ...forms,
    types,
    errors,
    services: services.map((service) =>
      withRoleTypes(service, declarations, { finder, hasHistory, ...forms }),
    ),
    declarations: declarations.all(),
    callerTypes: declarations.viewNames.caller,
    handlerTypes: declarations.viewNames.handler,
    facts: factsOf(types, holders),
  };
}

/** A response depends on the version of its caller. */
function variedByVersion(read: PlannedRead): PlannedRead {
  return { ...read, vary: [...read.vary, "Webrpc"] };
}

/** Adds the names of the types that callers and handlers use for each body. */
function withRoleTypes(
  service: Service,
  declarations: Declarations,
  types: ValueForms & { readonly finder: TypeFinder; readonly hasHistory: boolean },
): PlannedService {
  const withNames = (body: Body, caller: Role, handler: Role): PlannedBody => {
    // There are thousands of bodies, and spreading objects is slow in V8.
    const { typeName, isOwn, isEmpty, hasBigint } = body;
    const callerType = declarations.nameOf(typeName, caller);
    const handlerType = declarations.nameOf(typeName, handler);
    return { typeName, isOwn, isEmpty, hasBigint, callerType, handlerType };
  };
  return {
    ...service,
    // The planner created these objects, so mutating them is safe.
    methods: service.methods.map((method) =>
      Object.assign(method, {
        request: withNames(method.request, "caller", "handler"),
        response: withNames(method.response, "response", "response"),
        ...(method.route && { route: planRoute(method.route, method.request.typeName, types.finder) }),
        ...(method.read && types.hasHistory && { read: variedByVersion(method.read) }),
        ...(method.resume && {
          resume: planResume(
            method.resume,
            { request: method.request.typeName, response: method.response.typeName },
            types,
          ),
        }),
        ...(method.paging && {
          paging: planPaging(
            method.paging,
            { request: method.request.typeName, response: method.response.typeName },
            types,
          ),
        }),
      }),
    ),
  };
}
