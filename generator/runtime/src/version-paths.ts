import {
  type ApiDefinition,
  describeMethod,
  type MethodDefinition,
  type ServiceDefinition,
} from "./definition.ts";
import { describeIssues, type ErrorInfo } from "./errors.ts";
import { type ErrorMakers, type FailureAbout, type MethodInfo, RpcFailure } from "./handler.ts";
import { hasOwn } from "./json.ts";
import type { Conversion, KeptVersion } from "./kept-version.ts";
import type { FileField, ServerOptions } from "./options.ts";
import { protocolErrorCode } from "./reply.ts";
import {
  issuesOf,
  type RequestFaults,
  type RequestValidators,
  type ResponseValidators,
  type ResponseWriters,
} from "./validation.ts";

/* How the calls of each method are converted from a kept version to the current one. */

/** What all versions of an API share. */
export interface CurrentVersion<Carrier> {
  readonly api: ApiDefinition;
  readonly version: string;
  readonly handlers: object;
  readonly options: ServerOptions<unknown, string, Carrier>;
}

/** A method of the current version. */
interface TargetMethod {
  readonly info: MethodInfo;
  readonly definition: MethodDefinition;
  readonly errors: ErrorMakers<string>;
  readonly raised: ReadonlySet<ErrorInfo>;
}

/** How calls of a method of a kept version reach a method of the current version. */
export interface ConversionPath {
  readonly kind: "converted";
  readonly target: TargetMethod;
  /** In the order in which requests pass them. Responses pass them in reverse. */
  readonly steps: readonly ConversionStep[];
}

/** A method that a later version removed. */
interface RemovedMethod {
  readonly kind: "removed";
  /** The version that lacks the method. */
  readonly in: string;
}

/** Converts between a version and the next one. */
interface ConversionStep {
  readonly request: Conversion | undefined;
  readonly response: Conversion | undefined;
  /** The custom conversions between the two versions. */
  readonly custom: unknown;
  readonly versions: readonly [older: string, newer: string];
}

/** The errors of the current version in an earlier one. */
type OlderErrors = ReadonlyMap<ErrorInfo, OlderError>;

interface OlderError {
  readonly info: ErrorInfo;
  /** Convert the data, like a response. Undefined if a version has none. */
  readonly steps: readonly ConversionStep[] | undefined;
}

/** The next version as an earlier one sees it: the current one, or a kept one. */
export interface NextVersion {
  readonly version: string;
  readonly api: ApiDefinition;
  /** By the path of the method. */
  readonly methods: ReadonlyMap<string, ConversionPath | RemovedMethod>;
  readonly errors: OlderErrors;
}

/** Returns the current version as the version before it sees it. */
export function currentAsNext({ api, version }: CurrentVersion<never>): NextVersion {
  const current = api.services.flatMap(({ name: service, methods }) =>
    methods.map((definition): [string, ConversionPath] => {
      const { info, errors, raised } = describeMethod(api, service, definition);
      const target = { info, definition, errors, raised: new Set(raised) };
      return [definition.path, { kind: "converted", target, steps: [] }];
    }),
  );
  return {
    version,
    api,
    methods: new Map(current),
    errors: new Map(api.schemaErrors.map((info) => [info, { info, steps: [] }])),
  };
}

/** Returns a kept version as the version before it sees it. */
export function keptAsNext(kept: KeptVersion, next: NextVersion, custom: unknown): NextVersion {
  const { version, steps = {}, errorData = {} } = kept;
  const versions: ConversionStep["versions"] = [version, next.version];
  const api = apiOf(kept, next.api);
  const paths = api.services.flatMap(({ methods }) => methods.map(({ path }) => path));
  const methods = paths.map((path): [string, ConversionPath | RemovedMethod] => {
    const step = hasOwn(steps, path) ? steps[path] : {};
    const after = step && next.methods.get(step.path ?? path);
    if (step === undefined || after === undefined) return [path, { kind: "removed", in: next.version }];
    if (after.kind === "removed") return [path, after];
    const { request, response } = step;
    const first: ConversionStep = { request, response, custom, versions };
    return [path, { ...after, steps: [first, ...after.steps] }];
  });
  const errors = [...next.errors].map(([current, newer]): [ErrorInfo, OlderError] => {
    const info = errorIn(api.schemaErrors, newer.info);
    // An error that both versions share has the same data.
    const response = info === newer.info ? {} : errorData[info.name];
    const first: ConversionStep = { request: undefined, response, custom, versions };
    return [current, { info, steps: response && newer.steps && [first, ...newer.steps] }];
  });
  return { version, api, methods: new Map(methods), errors: new Map(errors) };
}

/** Errors keep their names, or at least their codes. Clients can read errors that they do not know. */
function errorIn(known: readonly ErrorInfo[], error: ErrorInfo): ErrorInfo {
  return (
    known.find(({ name }) => name === error.name) ?? known.find(({ code }) => code === error.code) ?? error
  );
}

/** Returns a kept version as a whole. */
function apiOf(kept: KeptVersion, next: ApiDefinition): ApiDefinition {
  const { services = [], missing = [], errors = [], missingErrors = [], validators = {} } = kept;
  const changed = new Set([
    ...missing,
    ...services.flatMap(({ methods }) => methods.map(({ path }) => path)),
  ]);
  const names = new Set([...next.services, ...services].map(({ name }) => name));
  const methodsOf = (of: readonly ServiceDefinition[], service: string): readonly MethodDefinition[] =>
    of.flatMap(({ name, methods }) => (name === service ? methods : []));
  const replaced = new Set([...missingErrors, ...errors.map(({ name }) => name)]);
  return {
    ...next,
    webrpc: kept.webrpc,
    basepath: kept.basepath ?? next.basepath,
    schemaErrors: [...next.schemaErrors.filter(({ name }) => !replaced.has(name)), ...errors],
    services: [...names]
      .map((name) => {
        const unchanged = methodsOf(next.services, name).filter(({ path }) => !changed.has(path));
        return { name, methods: [...unchanged, ...methodsOf(services, name)] };
      })
      .filter(({ methods }) => methods.length > 0),
    validators: {
      requests: { ...next.validators.requests, ...checksOf(validators.requests) },
      responses: { ...next.validators.responses, ...unchecked(validators.responses) },
      errorData: { ...next.validators.errorData, ...unchecked(validators.errorData) },
    },
    ...(kept.uploads && { uploads: kept.uploads }),
  };
}

function checksOf(requests: RequestFaults = {}): RequestValidators {
  return mapValues(requests, (faultsIn) => (value) => issuesOf(faultsIn(value, 1)));
}

/** Responses of kept versions are checked before and after their conversion. */
function unchecked(writers: ResponseWriters = {}): ResponseValidators {
  return mapValues(writers, (write) => ({ check: () => undefined, write }));
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/* Converts requests and responses between a kept version and the current one. */

/** Code of the error for clients whose version the server cannot serve. */
const outdatedCode = -100;

/** Converts between one kept version and the current one. */
export class VersionConverter {
  readonly #api: Pick<ApiDefinition, "protocolErrors">;
  readonly #kept: string;
  readonly #current: string;

  constructor(api: Pick<ApiDefinition, "protocolErrors">, kept: string, current: string) {
    this.#api = api;
    this.#kept = kept;
    this.#current = current;
  }

  request({ steps, target }: ConversionPath, request: unknown): unknown {
    const converted = steps.reduce(
      (value, step) => this.#convert(step, "request", value, target.info),
      request,
    );
    // Validators do not check files, which a form sends in parts of their own.
    const missing = target.definition.files?.find((file) => isMissing(file, converted));
    if (missing !== undefined)
      throw outdated(
        this.#api,
        `the request of ${this.#kept} is not valid in ${this.#current}: ${pathOf(missing)}: expected a file, found nothing`,
      );
    return converted;
  }

  response({ steps, target }: ConversionPath, response: unknown): unknown {
    return this.#down(steps, response, target.info);
  }

  /** Returns undefined for data that the earlier version cannot have: its callers learn of the error alone. */
  errorData({ steps = [], info }: OlderError, data: unknown): unknown {
    try {
      return this.#down(steps, data, info);
    } catch (thrown) {
      if (RpcFailure.read(thrown)?.info.code === outdatedCode) return undefined;
      throw thrown;
    }
  }

  #down(steps: readonly ConversionStep[], value: unknown, of: Converted): unknown {
    // Anything else is not a response, which the server reports.
    if (typeof value !== "object" || value === null) return value;
    return steps.reduceRight<unknown>((newer, step) => this.#convert(step, "response", newer, of), value);
  }

  #convert(step: ConversionStep, side: "request" | "response", value: unknown, of: Converted): unknown {
    const conversion = step[side];
    if (conversion === undefined) return value;
    const [older, newer] = step.versions;
    let converted = value;
    try {
      if (conversion.convert !== undefined) converted = conversion.convert(value, step.custom);
    } catch (thrown) {
      if (RpcFailure.read(thrown) !== undefined) throw thrown;
      const name = "service" in of ? `${of.service}.${of.name}` : of.name;
      const [from, to, field] = side === "request" ? [older, newer, "up"] : [newer, older, "down"];
      const text = `versions["${older}"].${field}: converting the ${side} of ${name} from ${from} to ${to} threw ${String(thrown)}`;
      // Older TypeScript libraries do not declare `cause`.
      const cause = Object.assign(new Error(text), { cause: thrown });
      throw protocolFailure(this.#api, protocolErrorCode.internalError, { cause });
    }
    const issues = issuesOf(conversion.check?.(converted, 1));
    if (issues === undefined) return converted;
    const [source, other] = side === "request" ? [this.#kept, newer] : [this.#current, older];
    throw outdated(this.#api, `the ${side} of ${source} is not valid in ${other}: ${describeIssues(issues)}`);
  }
}

function isMissing({ name, within, isOptional }: FileField, request: unknown): boolean {
  const fields = request as Readonly<Record<string, unknown>>;
  const holder = within === undefined ? fields : fields[within];
  // An optional argument with files may be absent.
  if (isOptional || typeof holder !== "object" || holder === null) return false;
  return ((holder as Readonly<Record<string, unknown>>)[name] ?? undefined) === undefined;
}

function pathOf({ name, within }: FileField): string {
  return within === undefined ? `/${name}` : `/${within}/${name}`;
}

/** The method or the error whose value is converted. */
type Converted = Pick<MethodInfo, "service" | "name"> | ErrorInfo;

/** Creates the error for a client whose version the server cannot serve. */
export function outdated(api: Pick<ApiDefinition, "protocolErrors">, cause: string): RpcFailure {
  return protocolFailure(api, outdatedCode, { cause, expose: true });
}

/** Creates a protocol error by its code. */
export function protocolFailure(
  { protocolErrors }: Pick<ApiDefinition, "protocolErrors">,
  wanted: number,
  about: FailureAbout,
): RpcFailure {
  const info = protocolErrors.find(({ code }) => code === wanted);
  if (info === undefined) throw new Error(`the API has no error with the code ${wanted}`);
  return new RpcFailure(info, about);
}
