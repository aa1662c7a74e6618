import { buildPlan } from "../../../codegen/plan/build.ts";
import { filterModel } from "../../../codegen/plan/filter.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../../codegen/plan/plan.ts";
import type { Model } from "../../../language/model/model.ts";
import type { MethodName } from "./find-method.ts";

/** A method with the plan of everything that it uses. */
export interface PlannedCall {
  readonly plan: Plan;
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** Plans a single method: the plan of a large schema takes longer than the call. */
export function planCall(
  model: Model,
  name: MethodName,
  builtinErrors: Parameters<typeof buildPlan>[0]["builtinErrors"] = {},
): PlannedCall | undefined {
  const services = model.services
    .filter((service) => service.name === name.service)
    .map((service) => ({
      ...service,
      methods: service.methods.filter((method) => method.name === name.method),
    }));
  const plan = buildPlan({
    model: filterModel({ ...model, services }, { services: [name.service], methodTreeShake: true }),
    schemaFile: "",
    irText: "",
    schemaHash: "",
    builtinErrors,
    // All integers of the contract, with every digit.
    int64: "bigint",
  });
  const [service] = plan.services;
  const [method] = service?.methods ?? [];
  return service && method && { plan, service, method };
}
