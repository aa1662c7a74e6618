import { requestCheckCode } from "../../codegen/emit/validators/index.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import { parseInt64Json } from "../../codegen/runtime/v1/int64-json.ts";
import { type Issue, issue, pointerOf, toIssues } from "../../codegen/runtime/v1/issue.ts";
import { BodyFault, parseJson } from "../../codegen/runtime/v1/json.ts";
import * as validation from "../../codegen/runtime/v1/validation.ts";
import type { Check } from "../../codegen/runtime/v1/validators.ts";

/** Nesting that generated servers accept by default. */
const jsonMaxDepth = 64;

/** Why a request does not match its contract. */
export interface RequestFault {
  /** One line for each invalid value: `/id: expected an integer, found "x"`. */
  readonly lines: readonly string[];
  readonly issues: readonly Issue[];
}

/** Checks the text of a request as generated validators do. The plan needs 64-bit integers as bigints. */
export function checkRequest(plan: Plan, method: PlannedMethod, text: string): RequestFault | undefined {
  const value = parseJson(text, jsonMaxDepth, parseInt64Json);
  if (value instanceof BodyFault) return { lines: [value.reason], issues: [] };
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const found = isObject
    ? requestCheck(plan, method)(value)
    : toIssues([issue([], "an object", validation.describe(value))]);
  if (found === undefined) return undefined;
  const { listed, more } = found;
  const lines = listed.map(({ path, message }) => `${pointerOf(path) || "body"}: ${message}`);
  return {
    lines: more === 0 ? lines : [...lines, `and ${more} more`],
    issues: listed,
  };
}

function requestCheck(plan: Plan, method: PlannedMethod): Check {
  return new Function("v", requestCheckCode(plan, method))(validation) as Check;
}
