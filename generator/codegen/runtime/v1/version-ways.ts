/** The way of each method from an earlier version to the current one. */
import { type ErrorInfo, type ErrorMakers, errorMakers } from "./failure.ts";
import type { MethodInfo } from "./handler.ts";
import type { ServerOptions } from "./hooks.ts";
import type { Conversion, ErrorsThen, KeptVersion } from "./kept-version.ts";
import type { RoutedApi, RoutedMethod } from "./route.ts";

/** What all versions of an API share. */
export interface CurrentVersion<Carrier> {
  readonly api: RoutedApi;
  readonly version: string;
  readonly handlers: object;
  readonly options: ServerOptions<unknown, string, Carrier>;
}

/** A method of the current version. */
export interface TargetMethod {
  readonly info: MethodInfo;
  readonly definition: RoutedMethod;
  readonly errors: ErrorMakers<string>;
  readonly raised: ReadonlySet<ErrorInfo>;
}

/** The way of a method to the current version. */
export interface Way {
  readonly target: TargetMethod;
  /** In the order in which requests pass them. Responses pass them in reverse. */
  readonly hops: readonly Hop[];
}

export interface Hop {
  readonly request: Conversion | undefined;
  readonly response: Conversion | undefined;
  /** The conversions written by hand. */
  readonly written: unknown;
  /** The version of the caller's side of the hop, and of the other side. */
  readonly versions: readonly [then: string, now: string];
}

/** The next version as an earlier one sees it: the current one, or a kept one. */
export interface NextVersion {
  readonly version: string;
  /** By path. Undefined if a later version removed the method. */
  readonly ways: ReadonlyMap<string, Way | RemovedIn>;
  readonly errors: ErrorsThen;
}

/** The version that lacks the method. */
export type RemovedIn = string;

/** Returns the current version as the version before it sees it. */
export function currentAsNext({ api, version }: CurrentVersion<never>): NextVersion {
  const ways = api.services.flatMap(({ name: service, methods }) =>
    methods.map((definition): [string, Way] => {
      const { name, path, annotations, errors } = definition;
      const raised = api.schemaErrors.filter((error) => errors?.includes(error.name) ?? true);
      const info = Object.freeze({ service, name, path, annotations: Object.freeze({ ...annotations }) });
      const target = { info, definition, errors: errorMakers<string>(raised), raised: new Set(raised) };
      return [path, { target, hops: [] }];
    }),
  );
  return {
    version,
    ways: new Map(ways),
    errors: new Map(api.schemaErrors.map((error) => [error, error])),
  };
}

/** Returns a kept version as the version before it sees it. */
export function keptAsNext(
  { version, api, steps }: KeptVersion,
  next: NextVersion,
  written: unknown,
): NextVersion {
  const paths = api.services.flatMap(({ methods }) => methods.map(({ path }) => path));
  const ways = paths.map((path): [string, Way | RemovedIn] => {
    const step = steps[path];
    const way = step && next.ways.get(step.path);
    if (step === undefined || way === undefined) return [path, next.version];
    if (typeof way === "string") return [path, way];
    const { request, response } = step;
    const hop: Hop = { request, response, written, versions: [version, next.version] };
    return [path, { target: way.target, hops: [hop, ...way.hops] }];
  });
  const errors = [...next.errors].map(([now, then]): [ErrorInfo, ErrorInfo] => [
    now,
    errorIn(api.schemaErrors, then),
  ]);
  return { version, ways: new Map(ways), errors: new Map(errors) };
}

/** Errors keep their names, or at least their codes. Clients can read errors that they do not know. */
function errorIn(known: readonly ErrorInfo[], error: ErrorInfo): ErrorInfo {
  return (
    known.find(({ name }) => name === error.name) ?? known.find(({ code }) => code === error.code) ?? error
  );
}
