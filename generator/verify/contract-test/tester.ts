import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { TestCall, TestResponse } from "./call.ts";
import type { ResponseCheck } from "./checkers.ts";
import type { Routes } from "./routes.ts";

export interface TestedMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** The functions of the suite that tests of resources and routes use. */
export interface Tester {
  readonly plan: Plan;
  readonly routes: Routes;
  readonly isTimeUp: () => boolean;
  /** Whether the run tests a method. */
  isTested(tested: TestedMethod): boolean;
  /** Generates valid requests of a method. Every other one refers to known records if it can. */
  requests(tested: TestedMethod): readonly Json[];
  /** Sends a call and reports violations in its response; `before` lists the calls that preceded it. */
  call(
    service: PlannedService,
    method: PlannedMethod,
    body: Json,
    before?: readonly TestCall[],
  ): Promise<ResponseCheck & { readonly call: TestCall }>;
  /** Returns undefined if the URL of the method cannot hold a value, or would be that of another method. */
  callOf(method: PlannedMethod, body: Json): TestCall | undefined;
  /** Sends a call without checking its response. */
  send(call: TestCall): Promise<TestResponse>;
  report(
    rule: string,
    service: PlannedService,
    method: PlannedMethod,
    message: string,
    calls: readonly TestCall[],
  ): void;
}
