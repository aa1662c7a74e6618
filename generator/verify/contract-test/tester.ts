import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { TestCall } from "./call.ts";
import type { ResponseCheck } from "./response-checker.ts";

/** The functions of the suite that resource tests use. */
export interface Tester {
  readonly plan: Plan;
  readonly isTimeUp: () => boolean;
  /** Generates valid requests of a method. */
  requests(method: PlannedMethod): readonly Json[];
  /** Sends a call and reports violations in its response; `before` lists the calls that preceded it. */
  call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before?: readonly TestCall[],
  ): Promise<ResponseCheck & { readonly call: TestCall }>;
  report(
    rule: string,
    service: PlannedService,
    method: PlannedMethod,
    message: string,
    calls: readonly TestCall[],
  ): void;
}
