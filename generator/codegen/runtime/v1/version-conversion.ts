/** Converts requests and responses between an earlier version and the current one. */
import { type FailureAbout, RpcFailure } from "./failure.ts";
import { describeIssues } from "./issue.ts";
import { builtinCode } from "./reply.ts";
import type { RoutedApi } from "./route.ts";
import type { Hop, TargetMethod, Way } from "./version-ways.ts";

/** Code of the error for clients whose version the server cannot serve. */
const outdatedCode = -100;

/** Converts between one kept version and the current one. */
export class VersionConverter {
  readonly #api: Pick<RoutedApi, "builtinErrors">;
  readonly #kept: string;
  readonly #current: string;

  constructor(api: Pick<RoutedApi, "builtinErrors">, kept: string, current: string) {
    this.#api = api;
    this.#kept = kept;
    this.#current = current;
  }

  request({ hops, target }: Way, request: unknown): unknown {
    return hops.reduce((value, hop) => this.#convert(hop, "request", value, target), request);
  }

  response({ hops, target }: Way, response: unknown): unknown {
    // Anything else is not a response, which the server reports.
    if (typeof response !== "object" || response === null) return response;
    return hops.reduceRight<unknown>((value, hop) => this.#convert(hop, "response", value, target), response);
  }

  #convert(hop: Hop, side: "request" | "response", value: unknown, target: TargetMethod): unknown {
    const conversion = hop[side];
    if (conversion === undefined) return value;
    const [then, now] = hop.versions;
    let converted = value;
    try {
      if (conversion.convert !== undefined) converted = conversion.convert(value, hop.written);
    } catch (thrown) {
      if (RpcFailure.read(thrown) !== undefined) throw thrown;
      const { service, name } = target.info;
      const [from, to, field] = side === "request" ? [then, now, "up"] : [now, then, "down"];
      const text = `versions["${then}"].${field}: converting the ${side} of ${service}.${name} from ${from} to ${to} threw ${String(thrown)}`;
      // Older TypeScript libraries do not declare `cause`.
      const cause = Object.assign(new Error(text), { cause: thrown });
      throw builtinFailure(this.#api, builtinCode.internalError, { cause });
    }
    const issues = conversion.check?.(converted);
    if (issues === undefined) return converted;
    const [source, other] = side === "request" ? [this.#kept, now] : [this.#current, then];
    throw outdated(this.#api, `the ${side} of ${source} is not valid in ${other}: ${describeIssues(issues)}`);
  }
}

/** Creates the error for a client whose version the server cannot serve. */
export function outdated(api: Pick<RoutedApi, "builtinErrors">, cause: string): RpcFailure {
  return builtinFailure(api, outdatedCode, { cause, expose: true });
}

/** Creates a built-in error by its code. */
export function builtinFailure(
  { builtinErrors }: Pick<RoutedApi, "builtinErrors">,
  wanted: number,
  about: FailureAbout,
): RpcFailure {
  const info = builtinErrors.find(({ code }) => code === wanted);
  if (info === undefined) throw new Error(`the API has no error with the code ${wanted}`);
  return new RpcFailure(info, about);
}
