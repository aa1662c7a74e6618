/** Example calls of each method, for the explorer. */
import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod, TypeFinder } from "../../codegen/plan/plan.ts";
import { type Constraints, unconstrained } from "../../language/model/meta/read.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import { redacted } from "../../verify/replay/recording.ts";
import { seededRandom } from "../../verify/samples/random.ts";
import { itemSlot, type SampleOptions, Samples, type ValueSlot } from "../../verify/samples/values.ts";
import { echo } from "./mock.ts";

type Body = Readonly<Record<string, Json>>;

/** A valid request for each method, without optional fields, by method: `Marketplace/GetOrders`. */
export function exampleRequests(plan: Plan): Readonly<Record<string, Body>> {
  return byMethod(plan, (method) => exampleRequest(plan, method));
}

interface ExampleCall {
  /** With optional fields. */
  readonly request: Body;
  /** Of the request without optional fields, without secrets. Of a stream, an item. Null for a file. */
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
    const response = echo(plan.finder, method, exampleRequest(plan, method), body("response", typeName));
    const type = { kind: "struct", name: typeName } as const;
    return withoutSecrets({ type, constraints: unconstrained }, response, plan.finder);
  }
}

/** Replaces generated values of secret fields. Readers could take them for real ones. Those that the schema gives as examples stay. */
function withoutSecrets({ type, constraints }: ValueSlot, value: unknown, types: TypeFinder): unknown {
  if (value === null || value === undefined) return value;
  if (isHidden(constraints)) return redacted;
  const resolved = types.unaliased(type);
  const inner = (item: ResolvedType, one: unknown): unknown =>
    withoutSecrets(itemSlot(item, types), one, types);
  if (resolved.kind === "list" && Array.isArray(value))
    return value.map((item) => inner(resolved.element, item));
  if (resolved.kind !== "struct" && resolved.kind !== "map") return value;
  const fields = resolved.kind === "struct" ? types.struct(resolved.name).fields : [];
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (resolved.kind === "map") return [name, inner(resolved.value, one)];
      const field = fields.find(({ wireName, twins }) => wireName === name || twins.includes(name));
      return [name, field === undefined ? one : withoutSecrets(field, one, types)];
    }),
  );
}

function isHidden({ secret, examples }: Constraints): boolean {
  return secret && examples.length === 0;
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
