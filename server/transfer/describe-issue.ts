import type { Issue } from "../../generated/records/runtime/v1/issue.ts";

/** `/priceAmount: expected text that matches …, found nothing`; `expected an object, found 5` for the whole line. */
export function describeIssue({ path, expected, found }: Issue): string {
  return `${path === "" ? "" : `${path}: `}expected ${expected}, found ${found}`;
}
