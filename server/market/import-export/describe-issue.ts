import { type Issue, type Issues, pointerOf } from "ridlkit-runtime/errors";

/** `/priceAmount: expected text that matches …, found nothing`; `expected an object, found 5` for the whole line. */
export function describeIssue({ path, message }: Issue): string {
  return path.length === 0 ? message : `${pointerOf(path)}: ${message}`;
}

export function describeIssues({ listed, more }: Issues): string {
  return [...listed.map(describeIssue), ...(more === 0 ? [] : [`and ${more} more`])].join("; ");
}
