/** Example calls of each method, for the explorer. */
import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import { type SampleOptions, Samples } from "../../verify/samples/values.ts";
import { echo } from "./mock.ts";

type Body = Readonly<Record<string, Json>>;

/** A valid request for each method, without optional fields, by method: `Marketplace/GetOrders`. */
export function exampleRequests(plan: Plan): Readonly<Record<string, Body>> {
  return byMethod(plan, (method) => exampleRequest(plan, method));
}

interface ExampleCall {
  /** With optional fields. */
  readonly request: Body;
  /** Of the request without optional fields. Of a stream, an item. Null for a file. */
  readonly response: unknown;
}

/** Larger examples would need megabytes if types use each other in many fields. */
const maxValues = 200;

export function exampleCalls(plan: Plan): Readonly<Record<string, ExampleCall>> {
  const options = { style: "plain", optional: "all", entries: 1, maxValues } as const;
  const body = (side: SampleOptions["side"], typeName: string): Body =>
    new Samples(plan, { ...options, side, random: seededRandom(1) }).body(typeName);
  return byMethod(plan, (method) => ({
    request: body("request", method.request.typeName),
    response: method.fileOutput ? null : responseTo(method),
  }));
  function responseTo(method: PlannedMethod): unknown {
    const { typeName } = method.response;
    return echo(plan.finder, method, exampleRequest(plan, method), body("response", typeName));
  }
}

function exampleRequest(plan: Plan, { request: { typeName } }: PlannedMethod): Body {
  const options = { side: "request", style: "plain", optional: "none", entries: 1 } as const;
  return new Samples(plan, { ...options, random: seededRandom(1) }).body(typeName);
}

function byMethod<Value>(
  { services }: Plan,
  make: (method: PlannedMethod) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    services.flatMap(({ name, methods }) =>
      methods.map((method) => [`${name}/${method.name}`, make(method)] as const),
    ),
  );
}
