import type { Side } from "./constraints.ts";
import type { Plan } from "./plan.ts";

/** What is found of a type by looking at all of its schema. */
export const findings = [
  "inRequests",
  "inResponses",
  "hasBigint",
  /** In JSON Schema requests and answers have a definition each. */
  "isSplit",
  /** Its values may be nested without an end. */
  "isEndless",
  /** The same where `any` counts as nested. */
  "isCounted",
  /** Something is to be done before an answer is written. */
  "isWritten",
  "isDecoded",
  "isEncoded",
] as const;

export type Finding = (typeof findings)[number];

/** What was found of the types of a whole schema, for a plan that has but a few of them. */
export interface WholeSchema {
  has(finding: Finding, typeName: string): boolean;
  /** What a function of validators is called, where that is not what it would be called by itself. */
  otherName(side: Side, key: string): string | undefined;
}

const wholes = new WeakMap<Plan, WholeSchema>();

/** Tells of a plan that it has but some of the types of a schema. */
export function partOf(whole: WholeSchema, plan: Plan): Plan {
  wholes.set(plan, whole);
  return plan;
}

/** Undefined for a plan that has all types. */
export function wholeOf(plan: Plan): WholeSchema | undefined {
  return wholes.get(plan);
}
