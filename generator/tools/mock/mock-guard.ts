import { setTimeout as sleep } from "node:timers/promises";
import { possibleErrors } from "../../codegen/plan/errors.ts";
import { kebabCase } from "../../codegen/plan/names.ts";
import type { Plan, PlannedError, PlannedMethod } from "../../codegen/plan/plan.ts";
import { credentialNames } from "../../language/model/annotations.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import type { Random } from "../../verify/samples/random.ts";
import { type MockSettings, readControls } from "./mock-controls.ts";

export interface GuardSettings extends MockSettings {
  /** Share of calls that fail, from 0 to 1. */
  readonly errorRate: number;
  /** Whether methods with `@auth` require a credential. */
  readonly wantsCredentials: boolean;
  /** The header of each credential in `@auth`. */
  readonly credentialHeaders: ReadonlyMap<string, string>;
}

/** A subset of `Call` in generator/runtime/src/options.ts. */
export interface HookCall {
  readonly method: { readonly service: string; readonly name: string };
  readonly signal: AbortSignal;
  readonly errors: Readonly<Record<string, (about?: object) => Error>>;
  header(name: string): string | undefined;
}

/** Runs before a request is parsed. Delays the call, checks credentials, and raises requested or random errors. */
export function mockGuard(
  loaded: LoadedContract,
  settings: GuardSettings,
  random: Random,
): (call: HookCall) => Promise<void> {
  const { plan } = loaded;
  return async (call) => {
    const method = methodOf(plan, call.method);
    if (method === undefined) return;
    const possible = [...plan.errors.filter(({ builtin }) => builtin), ...possibleErrors(plan, method)];
    const controls = readControls((name) => call.header(name), settings, possible);
    if (typeof controls === "string")
      throw loaded.builtinError(badRequest, { cause: controls, expose: true });
    if (controls.delayMs > 0) await sleep(controls.delayMs, undefined, { signal: call.signal });
    const rejection = settings.wantsCredentials ? credentialError(method, call, settings) : undefined;
    if (rejection !== undefined) throw rejection;
    const wanted =
      controls.error ??
      (random.below(1_000_000) < settings.errorRate * 1_000_000 ? randomError(method) : undefined);
    if (wanted !== undefined) throw raise(wanted, call);
  };

  function raise(name: string, { errors }: HookCall): Error {
    const error = Object.hasOwn(errors, name) ? errors[name]?.() : undefined;
    const code = plan.errors.find((error) => error.name === name)?.code ?? internalError;
    return error ?? loaded.builtinError(code);
  }

  /** Picks an error of the method; WebrpcInternalError if it has none. */
  function randomError(method: PlannedMethod): string {
    const own = ownErrors(plan, method);
    const other = plan.errors.find(({ code }) => code === internalError)?.name ?? "";
    return own.length === 0 ? other : random.pick(own).name;
  }

  /** Returns the error for a call that lacks a credential. Undefined if nothing is missing, or if the schema has no error with status 401 or 403. */
  function credentialError(
    method: PlannedMethod,
    call: HookCall,
    { credentialHeaders }: GuardSettings,
  ): Error | undefined {
    const names = credentialNames(method.annotations.get("auth"));
    // `@auth` without a name takes any credential.
    const needed = method.annotations.has("auth") && names.length === 0 ? [""] : names;
    const isMissing = needed.some(
      (name) => !headersOf(name, credentialHeaders).some((header) => call.header(header)),
    );
    if (!isMissing) return undefined;
    const errors = possibleErrors(plan, method);
    const error =
      errors.find(({ httpStatus }) => httpStatus === 401) ??
      errors.find(({ httpStatus }) => httpStatus === 403);
    return error === undefined ? undefined : call.errors[error.name]?.();
  }
}

export const badRequest = -4;
const internalError = -7;

/** Errors of the schema that the method lists; all of them if it has no list. */
export function ownErrors(plan: Plan, { errors }: PlannedMethod): readonly PlannedError[] {
  return (errors ?? plan.errors).filter(({ builtin }) => !builtin);
}

/** The headers that may contain a credential: the configured one, or else common ones. */
function headersOf(name: string, known: ReadonlyMap<string, string>): readonly string[] {
  const own = known.get(name);
  if (own !== undefined) return [own.toLowerCase()];
  if (name === "") return [...commonHeaders, ...known.values()];
  const kebab = kebabCase(name).replaceAll("_", "-");
  return [...commonHeaders, kebab, `x-${kebab}`];
}

const commonHeaders = ["authorization", "cookie", "x-api-key", "x-access-key"];

function methodOf(
  { services }: Plan,
  called: { readonly service: string; readonly name: string },
): PlannedMethod | undefined {
  return services
    .find(({ name }) => name === called.service)
    ?.methods.find(({ name }) => name === called.name);
}
