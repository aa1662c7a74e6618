import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { TestCall } from "./call.ts";
import type { ResponseCheck } from "./response-checker.ts";

/** What laws ask of the suite that they are part of. */
export interface Tester {
  readonly plan: Plan;
  /** `true` when time is up. */
  readonly isTimeUp: () => boolean;
  /** Valid requests of a method. */
  requests(method: PlannedMethod): readonly Json[];
  /** Sends, and tells what does not fit in the answer; `before` are the calls that led here. */
  call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before?: readonly TestCall[],
  ): Promise<ResponseCheck & { readonly call: TestCall }>;
  report(
    law: string,
    service: PlannedService,
    method: PlannedMethod,
    words: string,
    calls: readonly TestCall[],
  ): void;
}
