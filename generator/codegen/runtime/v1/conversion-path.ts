/** How the calls of each method are converted from an earlier version to the current one. */
import { type ErrorInfo, type ErrorMakers, errorMakers } from "./failure.ts";
import type { MethodInfo } from "./handler.ts";
import type { ServerOptions } from "./hooks.ts";
import type { Conversion, KeptVersion, OlderErrors } from "./kept-version.ts";
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

/** How calls of a method of an earlier version reach a method of the current version. */
export interface ConversionPath {
  readonly kind: "converted";
  readonly target: TargetMethod;
  /** In the order in which requests pass them. Responses pass them in reverse. */
  readonly steps: readonly ConversionStep[];
}

/** A method that a later version removed. */
export interface RemovedMethod {
  readonly kind: "removed";
  /** The version that lacks the method. */
  readonly in: string;
}

/** Converts between a version and the next one. */
export interface ConversionStep {
  readonly request: Conversion | undefined;
  readonly response: Conversion | undefined;
  /** The custom conversions between the two versions. */
  readonly custom: unknown;
  readonly versions: readonly [older: string, newer: string];
}

/** The next version as an earlier one sees it: the current one, or a kept one. */
export interface NextVersion {
  readonly version: string;
  /** By the path of the method. */
  readonly methods: ReadonlyMap<string, ConversionPath | RemovedMethod>;
  readonly errors: OlderErrors;
}

/** Returns the current version as the version before it sees it. */
export function currentAsNext({ api, version }: CurrentVersion<never>): NextVersion {
  const current = api.services.flatMap(({ name: service, methods }) =>
    methods.map((definition): [string, ConversionPath] => {
      const { name, path, annotations, errors } = definition;
      const raised = api.schemaErrors.filter((error) => errors?.includes(error.name) ?? true);
      const info = Object.freeze({ service, name, path, annotations: Object.freeze({ ...annotations }) });
      const target = { info, definition, errors: errorMakers<string>(raised), raised: new Set(raised) };
      return [path, { kind: "converted", target, steps: [] }];
    }),
  );
  return {
    version,
    methods: new Map(current),
    errors: new Map(api.schemaErrors.map((error) => [error, error])),
  };
}

/** Returns a kept version as the version before it sees it. */
export function keptAsNext(
  { version, api, steps }: KeptVersion,
  next: NextVersion,
  custom: unknown,
): NextVersion {
  const paths = api.services.flatMap(({ methods }) => methods.map(({ path }) => path));
  const methods = paths.map((path): [string, ConversionPath | RemovedMethod] => {
    const step = steps[path];
    const after = step && next.methods.get(step.path);
    if (step === undefined || after === undefined) return [path, { kind: "removed", in: next.version }];
    if (after.kind === "removed") return [path, after];
    const { request, response } = step;
    const first: ConversionStep = { request, response, custom, versions: [version, next.version] };
    return [path, { ...after, steps: [first, ...after.steps] }];
  });
  const errors = [...next.errors].map(([current, newer]): [ErrorInfo, ErrorInfo] => [
    current,
    errorIn(api.schemaErrors, newer),
  ]);
  return { version, methods: new Map(methods), errors: new Map(errors) };
}

/** Errors keep their names, or at least their codes. Clients can read errors that they do not know. */
function errorIn(known: readonly ErrorInfo[], error: ErrorInfo): ErrorInfo {
  return (
    known.find(({ name }) => name === error.name) ?? known.find(({ code }) => code === error.code) ?? error
  );
}
