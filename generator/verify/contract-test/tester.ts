import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, PlannedRoute, PlannedService } from "../../codegen/plan/plan.ts";
import { routeVerbs } from "../../language/syntax/route-verbs.ts";
import type { CallRequest } from "../requests/routed-request.ts";
import type { TestCall, TestResponse } from "./call.ts";
import type { ResponseCheck } from "./checkers.ts";

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

/** The verbs of requests that change nothing. */
const safeVerbs: ReadonlySet<string> = new Set(["GET", "QUERY"]);

/** The routes of an API. */
export class Routes {
  readonly #routes: readonly PlannedRoute[];

  constructor({ services }: Plan) {
    const methods = services.flatMap((service) => service.methods);
    this.#routes = methods.flatMap(({ route }) => (route === undefined ? [] : [route]));
  }

  /** Whether a request is a call of the method. A value in the path may be the text of another route: `/pets/new`. */
  isCallOf({ route }: PlannedMethod, { path }: CallRequest): boolean {
    if (route === undefined) return true;
    const rivals = this.#at(path).filter(({ verb }) => verb === route.verb);
    return rivals.every(({ parameters }) => parameters.length >= route.parameters.length);
  }

  /** A verb for which no route matches the path, if there is one. */
  otherVerb(path: string, isReadOnly: boolean): string | undefined {
    const served = new Set(this.#at(path).map(({ verb }) => verb));
    return routeVerbs.find((verb) => !served.has(verb) && (safeVerbs.has(verb) || !isReadOnly));
  }

  #at(path: string): readonly PlannedRoute[] {
    const segments = segmentsOf(path.replace(/\?.*$/s, ""));
    return this.#routes.filter((route) => {
      const template = segmentsOf(route.path);
      return (
        template.length === segments.length &&
        template.every((part, index) => part.startsWith("{") || part === segments[index])
      );
    });
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/");
}
