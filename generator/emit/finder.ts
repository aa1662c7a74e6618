import type { Plan } from "../plan/plan.ts";
import { type Finding, wholeOf } from "../plan/whole.ts";

/** Whether something is so of a type, by its name. */
export type IsFound = (typeName: string) => boolean;

/** Looks at a plan once, whoever asks how often; of a plan that has but some of the types it is known. */
export function finder(finding: Finding, find: (plan: Plan) => ReadonlySet<string>): (plan: Plan) => IsFound {
  const found = new WeakMap<Plan, ReadonlySet<string>>();
  return (plan) => {
    const whole = wholeOf(plan);
    if (whole !== undefined) return (typeName) => whole.has(finding, typeName);
    const names = found.get(plan) ?? find(plan);
    found.set(plan, names);
    return (typeName) => names.has(typeName);
  };
}
