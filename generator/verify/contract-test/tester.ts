import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { TestCall } from "./call.ts";
import type { Verdict } from "./judge.ts";

/** What laws ask of the suite that they are part of. */
export interface Tester {
  readonly plan: Plan;
  /** `true` when time is up. */
  readonly isOver: () => boolean;
  /** Valid requests of a method. */
  requests(method: PlannedMethod): readonly Json[];
  /** Sends, and tells what does not fit in the answer; `before` are the calls that led here. */
  call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before?: readonly TestCall[],
  ): Promise<Verdict & { readonly call: TestCall }>;
  tell(
    law: string,
    service: PlannedService,
    method: PlannedMethod,
    words: string,
    calls: readonly TestCall[],
  ): void;
}
