import { setTimeout as sleep } from "node:timers/promises";
import type { Plan, PlannedError, PlannedMethod } from "../../codegen/plan/plan.ts";
import { credentialNames } from "../../language/model/credentials.ts";
import type { LiveContract } from "../../verify/live/load.ts";
import type { Random } from "../../verify/samples/random.ts";
import { type MockSettings, readControls } from "./mock-controls.ts";

export interface GuardSettings extends MockSettings {
  /** From 0 to 1. */
  readonly errorRate: number;
  /** Whether calls of methods with `@auth` need a credential. */
  readonly wantsCredentials: boolean;
  /** Headers of a credential by its name in `@auth`. */
  readonly credentialHeaders: ReadonlyMap<string, string>;
}

/** A call as hooks of the generated server see it; see `Call` in generator/codegen/runtime/v1/hooks.ts. */
export interface HookCall {
  readonly method: { readonly service: string; readonly name: string };
  readonly signal: AbortSignal;
  readonly errors: Readonly<Record<string, (about?: object) => Error>>;
  header(name: string): string | undefined;
}

/** Decides before a request is read: delays, credentials, and errors that somebody asked for or that chance brings. */
export function mockGuard(
  live: LiveContract,
  settings: GuardSettings,
  random: Random,
): (call: HookCall) => Promise<void> {
  const { plan } = live;
  return async (call) => {
    const controls = readControls((name) => call.header(name), settings, plan);
    if (typeof controls === "string") throw live.builtinError(badRequest, { cause: controls, expose: true });
    if (controls.delayMs > 0) await sleep(controls.delayMs, undefined, { signal: call.signal });
    const method = methodOf(plan, call.method);
    if (method === undefined) return;
    const refusal = settings.wantsCredentials ? credentialError(method, call, settings) : undefined;
    if (refusal !== undefined) throw refusal;
    const wanted =
      controls.error ??
      (random.below(1_000_000) < settings.errorRate * 1_000_000 ? randomError(method) : undefined);
    if (wanted !== undefined) throw raise(wanted, call);
  };

  function raise(name: string, { errors }: HookCall): Error {
    const made = Object.hasOwn(errors, name) ? errors[name]?.() : undefined;
    const code = plan.errors.find((error) => error.name === name)?.code ?? internalError;
    return made ?? live.builtinError(code);
  }

  /** One of the method's own; where it has none, WebrpcInternalError. */
  function randomError(method: PlannedMethod): string {
    const own = ownErrors(plan, method);
    const other = plan.errors.find(({ code }) => code === internalError)?.name ?? "";
    return own.length === 0 ? other : random.pick(own).name;
  }

  /** The error for a call without credentials; undefined if it has them, needs none, or the schema has no error for that. */
  function credentialError(
    method: PlannedMethod,
    call: HookCall,
    { credentialHeaders }: GuardSettings,
  ): Error | undefined {
    const isMissing = credentialNames(method.annotations.get("auth")).some(
      (name) => !headersOf(name, credentialHeaders).some((header) => call.header(header)),
    );
    if (!isMissing) return undefined;
    const errors = [...ownErrors(plan, method), ...plan.errors.filter(({ builtin }) => !builtin)];
    const error =
      errors.find(({ httpStatus }) => httpStatus === 401) ??
      errors.find(({ httpStatus }) => httpStatus === 403);
    return error === undefined ? undefined : call.errors[error.name]?.();
  }
}

export const badRequest = -4;
const internalError = -7;

/** Errors that the handler may raise. */
export function ownErrors(plan: Plan, { errors }: PlannedMethod): readonly PlannedError[] {
  return (errors ?? plan.errors).filter(({ builtin }) => !builtin);
}

/** Where a credential may stand: as the configuration says, or else where credentials are wont to. */
function headersOf(name: string, known: ReadonlyMap<string, string>): readonly string[] {
  const own = known.get(name);
  if (own !== undefined) return [own.toLowerCase()];
  const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return ["authorization", "cookie", "x-api-key", "x-access-key", kebab, `x-${kebab}`];
}

function methodOf(
  { services }: Plan,
  called: { readonly service: string; readonly name: string },
): PlannedMethod | undefined {
  return services
    .find(({ name }) => name === called.service)
    ?.methods.find(({ name }) => name === called.name);
}
