import type { Plan, PlannedMethod } from "../../../codegen/plan/plan.ts";
import { credentialNames } from "../../../language/model/credentials.ts";
import {
  badRoute,
  type MethodWithoutSuccess,
  type ReturnedError,
  type UnreachedMethod,
} from "../../../verify/contract-test/coverage.ts";
import type { Target } from "./send-calls.ts";

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
}

/** Explains why no call reached a method's handler, and how to fix it. */
export function explainUnreached(
  { method, errors }: UnreachedMethod,
  input: UnreachedInput,
): UnreachedReport {
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
    return `Make the server accept ${methodOf(method, plan)?.route?.verb ?? "POST"} at this path.`;
  const given = Object.keys(target.credentials);
  if (given.length > 0)
    return `${given.join(" and ")} did not grant access: check the permissions of the credential.`;
  return passCredentials(method, input);
}

/** `Pass credentials: --header 'X-Access-Key: …'`, with a header for each credential of the method. */
function passCredentials(fullName: string, { plan, credentialHeaders }: UnreachedInput): string {
  const method = methodOf(fullName, plan);
  const names = method === undefined ? [] : credentialNames(method.annotations.get("auth"));
  const known = names.flatMap((name) => credentialHeaders.get(name) ?? []);
  if (known.length > 0) return `Pass credentials: ${known.map(headerOption).join(" ")}`;
  const which = names.length === 0 ? "" : ` (${names.join(" and ")})`;
  return `Pass credentials${which}: ${headerOption("NAME")}`;
}

function methodOf(fullName: string, { services }: Plan): PlannedMethod | undefined {
  return services
    .flatMap(({ name, methods }) => methods.map((one) => ({ fullName: `${name}.${one.name}`, one })))
    .find((each) => each.fullName === fullName)?.one;
}

function headerOption(name: string): string {
  const value = name.toLowerCase() === "authorization" ? "Bearer …" : "…";
  return `--header '${name}: ${value}'`;
}
