import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../command-error.ts";

/** A method by its full name, `Shop.GetOrder`. */
export interface MethodName {
  readonly service: string;
  readonly method: string;
}

/** Most names in a message. */
const maxListed = 20;

/** Finds a method by its full name, or by its own name if that is unique. Returns a message if there is no such method. */
export function findMethod(wanted: string, all: readonly MethodName[]): MethodName | string {
  const exact = all.find((one) => fullName(one) === wanted);
  const named = all.filter(({ method }) => method === wanted);
  const found = exact ?? (named.length === 1 ? named[0] : undefined);
  if (found !== undefined) return found;
  if (named.length > 1) return `Several services have the method "${wanted}": ${listed(named)}.`;
  const near =
    suggest(wanted, all.map(fullName)) ??
    suggest(
      wanted,
      all.map(({ method }) => method),
    );
  return `Unknown method "${wanted}".${didYouMean(near) || ` Methods: ${listed(all)}.`}`;
}

export function fullName({ service, method }: MethodName): string {
  return `${service}.${method}`;
}

/** `Shop.Buy, Shop.Ping and 12 more`. */
export function listed(all: readonly MethodName[]): string {
  if (all.length === 0) return "none";
  const names = all.slice(0, maxListed).map(fullName).join(", ");
  return all.length > maxListed ? `${names} and ${all.length - maxListed} more` : names;
}
