import type { Plan } from "../../../codegen/plan/plan.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { credentialNames } from "../../../language/model/annotations.ts";
import { methodsByName } from "../../../language/model/methods.ts";
import {
  badRoute,
  type MethodWithoutSuccess,
  type ReturnedError,
  type UnreachedMethod,
} from "../../../verify/contract-test/coverage.ts";
import { didYouMean } from "../command-error.ts";
import type { Target } from "./send-calls.ts";

export interface MethodChoice {
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
}

/**
 * Returns whether to test a method, by its name: `Shop.GetOrder`. An option takes services, methods, and patterns with `*`, such
 * as `*.Delete*`. Returns a message if an option matches nothing.
 */
export function selectMethods(
  { services }: Plan,
  { only, skip = [] }: MethodChoice,
): ((name: string) => boolean) | string {
  const methods = [...methodsByName({ services }).keys()];
  const names = [...services.map(({ name }) => name), ...methods];
  for (const [option, patterns] of Object.entries({ only: only ?? [], skip })) {
    const unknown = patterns.find((pattern) => !methods.some((name) => matches(pattern, name)));
    if (unknown === undefined) continue;
    const near = methods.find((name) => name.endsWith(`.${unknown}`)) ?? suggest(unknown, names);
    return `--${option}: the schema has no service or method "${unknown}".${didYouMean(near)}`;
  }
  const isSelected = (name: string): boolean =>
    (only === undefined || only.some((pattern) => matches(pattern, name))) &&
    !skip.some((pattern) => matches(pattern, name));
  return methods.some(isSelected) ? isSelected : "--only and --skip leave no method to test.";
}

function matches(pattern: string, name: string): boolean {
  const source = pattern.replace(/[^\w*]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${source}${pattern.includes(".") ? "" : "[.].*"}$`).test(name);
}

export interface UnreachedReport {
  readonly method: string;
  /** `only 401 Unauthorized`. */
  readonly reason: string;
  readonly help: string;
}

export interface UnreachedInput {
  readonly plan: Plan;
  /** From the configuration: the header of each credential in `@auth`. */
  readonly credentialHeaders: ReadonlyMap<string, string>;
  readonly target: Target;
  /** The method after which the server refused the credential: `Auth.Logout`. */
  readonly sessionEndedBy: string | undefined;
}

/** Explains why no call reached a method's handler, and how to fix it. */
export function explainUnreached(
  { method, errors, invalid }: UnreachedMethod,
  input: UnreachedInput,
): UnreachedReport {
  const { sessionEndedBy } = input;
  if (invalid !== undefined)
    return {
      method,
      reason: `not called, because no valid value was found for ${invalid}`,
      help: "Give it a valid value in the schema: + example",
    };
  if (errors.length === 0 && sessionEndedBy !== undefined)
    return {
      method,
      reason: `not called, because ${sessionEndedBy} made the server refuse the credential`,
      help: `Leave that method out: --skip ${sessionEndedBy}`,
    };
  if (errors.length === 0)
    return { method, reason: "not called, because time ran out", help: "Allow more time with --seconds." };
  return { method, reason: errorsText(errors), help: helpFor(method, errors, input) };
}

/** `only 401 Unauthorized and 429 RateLimited`. */
export function errorsText(errors: MethodWithoutSuccess["errors"]): string {
  return `only ${errors.map(({ name, status }) => `${status} ${name}`).join(" and ")}`;
}

function helpFor(method: string, errors: readonly ReturnedError[], input: UnreachedInput): string {
  const { plan, target } = input;
  const statuses = new Set(errors.map(({ status }) => status));
  const routeErrors = plan.errors.filter(({ code }) => code === badRoute).map(({ name }) => name);
  if (errors.some(({ name }) => routeErrors.includes(name)))
    return "The server does not have this method: check --url and the schema version of the server.";
  if (statuses.has(429) || statuses.has(503))
    return "Raise the server's rate limits for the test, or run the test later.";
  if (statuses.has(405))
    return `Make the server accept ${methodsByName(plan).get(method)?.route?.verb ?? "POST"} at this path.`;
  const given = Object.keys(target.credentials);
  if (given.length > 0)
    return `${given.join(" and ")} did not grant access: check the permissions of the credential.`;
  return passCredentials(method, input);
}

/** `Pass credentials: --header 'X-Access-Key: …'`, with a header for each credential of the method. */
function passCredentials(fullName: string, { plan, credentialHeaders }: UnreachedInput): string {
  const method = methodsByName(plan).get(fullName);
  const names = method === undefined ? [] : credentialNames(method.annotations.get("auth"));
  const known = names.flatMap((name) => credentialHeaders.get(name) ?? []);
  if (known.length > 0) return `Pass credentials: ${known.map(headerOption).join(" ")}`;
  const which = names.length === 0 ? "" : ` (${names.join(" and ")})`;
  return `Pass credentials${which}: ${headerOption("NAME")}`;
}

function headerOption(name: string): string {
  const value = name.toLowerCase() === "authorization" ? "Bearer …" : "…";
  return `--header '${name}: ${value}'`;
}
