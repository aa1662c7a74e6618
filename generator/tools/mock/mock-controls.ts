import { setTimeout as sleep } from "node:timers/promises";
import { possibleErrors } from "../../codegen/plan/errors.ts";
import { kebabCase } from "../../codegen/plan/names.ts";
import type { Plan, PlannedError, PlannedMethod } from "../../codegen/plan/plan.ts";
import { suggest } from "../../language/diagnostics/suggest.ts";
import { credentialNames } from "../../language/model/annotations.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import type { Random } from "../../verify/samples/random.ts";

/** Default settings of responses. Headers of a call override them. */
export interface MockSettings {
  readonly seed: number;
  readonly delayMs: number;
  /** Number of stream items. */
  readonly items: number;
  readonly itemDelayMs: number;
}

/** The settings of a single call. */
export interface MockControls extends MockSettings {
  /** The error to return. */
  readonly error: string | undefined;
}

type Header = (name: string) => string | undefined;

/** The largest settings. Clients time out before the longest delay, of one minute, has passed. */
export const mockLimits = {
  seed: 999_999_999,
  records: 1_000,
  items: 100_000,
  delayMs: 60_000,
  errorRate: 1,
} as const;

/** What `readDelay` reads, for messages. */
export const delayForm = "a time of at most one minute, such as 200ms or 1.5s";

/** Reads the headers Mock-Error, Mock-Delay, Mock-Seed and Mock-Items. Mock-Error names one of `errors`. Returns a message if a header is invalid. */
export function readControls(
  header: Header,
  settings: MockSettings,
  errors: readonly PlannedError[],
): MockControls | string {
  const given = header("mock-error")?.trim();
  const delayText = header("mock-delay");
  const error =
    given === undefined ? undefined : errors.find(({ name, code }) => [name, `${code}`].includes(given));
  if (given !== undefined && error === undefined) return unknownError(given, errors);
  const delayMs = delayText === undefined ? settings.delayMs : readDelay(delayText);
  if (delayMs === undefined) return `Mock-Delay takes ${delayForm}; found "${delayText}"`;
  const seed = readInteger(header("mock-seed"), settings.seed, mockLimits.seed);
  if (seed === undefined) return `Mock-Seed takes an integer from 0 to ${mockLimits.seed}`;
  const items = readInteger(header("mock-items"), settings.items, mockLimits.items);
  if (items === undefined) return `Mock-Items takes an integer from 0 to ${mockLimits.items}`;
  const itemDelayMs = delayText === undefined ? settings.itemDelayMs : delayMs;
  return { seed, delayMs, items, itemDelayMs, error: error?.name };
}

/** Parses `200ms`, `1.5s` or `200` to milliseconds. Undefined if the text is invalid. */
export function readDelay(text: string): number | undefined {
  const [, number, unit] = /^([0-9]{1,6}(?:[.][0-9]{1,3})?) ?(ms|s)?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const ms = Number(number) * (unit === "s" ? 1_000 : 1);
  return ms <= mockLimits.delayMs ? ms : undefined;
}

function readInteger(text: string | undefined, fallback: number, max: number): number | undefined {
  if (text === undefined) return fallback;
  return /^[0-9]{1,9}$/.test(text.trim()) && Number(text) <= max ? Number(text) : undefined;
}

function unknownError(given: string, errors: readonly PlannedError[]): string {
  const names = errors.map(({ name }) => name);
  const near = suggest(given, names);
  const hint = near === undefined ? "." : `; did you mean ${near}?`;
  return `Mock-Error names "${given}", which is not an error of the method${hint} Its errors: ${names.join(", ")}`;
}

export interface GuardSettings extends MockSettings {
  /** Share of calls that fail, from 0 to 1. */
  readonly errorRate: number;
  /** Whether methods with `@auth` require a credential. */
  readonly wantsCredentials: boolean;
  /** The header of each credential in `@auth`. */
  readonly credentialHeaders: ReadonlyMap<string, string>;
}

/** Errors with data take it. */
export type ErrorMakers = Readonly<Record<string, (data?: object) => Error>>;

/** Creates an error by its name, with data of the seed. Undefined if the call cannot raise it. */
export type MakeError = (name: string, errors: ErrorMakers, seed: number) => Error | undefined;

/** A subset of `Call` in generator/runtime/src/options.ts. */
export interface HookCall {
  readonly method: { readonly service: string; readonly name: string };
  readonly signal: AbortSignal;
  readonly errors: ErrorMakers;
  header(name: string): string | undefined;
}

/** Runs before a request is parsed. Delays the call, checks credentials, and raises requested or random errors. */
export function mockGuard(
  loaded: LoadedContract,
  settings: GuardSettings,
  { random, makeError }: { readonly random: Random; readonly makeError: MakeError },
): (call: HookCall) => Promise<void> {
  const { plan } = loaded;
  return async (call) => {
    const method = methodOf(plan, call.method);
    if (method === undefined) return;
    const possible = [
      ...plan.errors.filter(({ isOfProtocol }) => isOfProtocol),
      ...possibleErrors(plan, method),
    ];
    const controls = readControls((name) => call.header(name), settings, possible);
    if (typeof controls === "string")
      throw loaded.protocolError(badRequest, { cause: controls, expose: true });
    if (controls.delayMs > 0) await sleep(controls.delayMs, undefined, { signal: call.signal });
    const rejection = settings.wantsCredentials ? credentialError(method, call, controls.seed) : undefined;
    if (rejection !== undefined) throw rejection;
    const wanted =
      controls.error ??
      (random.below(1_000_000) < settings.errorRate * 1_000_000 ? randomError(method) : undefined);
    if (wanted !== undefined) throw raise(wanted, call, controls.seed);
  };

  function raise(name: string, { errors }: HookCall, seed: number): Error {
    const error = makeError(name, errors, seed);
    const code = plan.errors.find((error) => error.name === name)?.code ?? internalError;
    return error ?? loaded.protocolError(code);
  }

  /** Picks an error of the method; WebrpcInternalError if it has none. */
  function randomError(method: PlannedMethod): string {
    const own = ownErrors(plan, method);
    const other = plan.errors.find(({ code }) => code === internalError)?.name ?? "";
    return own.length === 0 ? other : random.pick(own).name;
  }

  /** Returns the error for a call that lacks a credential: WebrpcRequestFailed if the method has no error with status 401 or 403. */
  function credentialError(method: PlannedMethod, call: HookCall, seed: number): Error | undefined {
    const names = credentialNames(method.annotations.get("auth"));
    // `@auth` without a name takes any credential.
    const needed = method.annotations.has("auth") && names.length === 0 ? [""] : names;
    const isMissing = needed.some(
      (name) => !headersOf(name, settings.credentialHeaders).some((header) => call.header(header)),
    );
    if (!isMissing) return undefined;
    const errors = possibleErrors(plan, method);
    const error =
      errors.find(({ httpStatus }) => httpStatus === 401) ??
      errors.find(({ httpStatus }) => httpStatus === 403);
    if (error !== undefined) return makeError(error.name, call.errors, seed);
    const cause =
      "The call lacks the credential of @auth, and the method has no error with HTTP 401 or 403. --no-auth turns the check off.";
    return loaded.protocolError(requestFailed, { cause, expose: true });
  }
}

export const badRequest = -4;
export const requestFailed = -1;
const internalError = -7;

/** Errors of the schema that the method lists; all of them if it has no list. */
export function ownErrors(plan: Plan, { errors }: PlannedMethod): readonly PlannedError[] {
  return (errors ?? plan.errors).filter(({ isOfProtocol }) => !isOfProtocol);
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
