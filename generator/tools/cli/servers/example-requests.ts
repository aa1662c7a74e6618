import type { Plan } from "../../../codegen/plan/plan.ts";
import type { HostInfo } from "../../../explorer/page/call/host-info.ts";
import { seededRandom } from "../../../verify/samples/random.ts";
import { Samples } from "../../../verify/samples/values.ts";

/** A valid request for each method, without optional fields, for the explorer. */
export function exampleRequests(plan: Plan): NonNullable<HostInfo["examples"]> {
  const options = { side: "request", style: "plain", optional: "none" } as const;
  return Object.fromEntries(
    plan.services.flatMap(({ name, methods }) =>
      methods.map((method) => {
        const samples = new Samples(plan, { ...options, random: seededRandom(1) });
        return [`${name}/${method.name}`, samples.body(method.request.typeName)];
      }),
    ),
  );
}
