/** Converts requests and responses between an earlier version and the current one. */
import type { ConversionPath, ConversionStep, TargetMethod } from "./conversion-path.ts";
import { type FailureAbout, RpcFailure } from "./failure.ts";
import { describeIssues } from "./issue.ts";
import { builtinCode } from "./reply.ts";
import type { RoutedApi } from "./route.ts";

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

  request({ steps, target }: ConversionPath, request: unknown): unknown {
    return steps.reduce((value, step) => this.#convert(step, "request", value, target), request);
  }

  response({ steps, target }: ConversionPath, response: unknown): unknown {
    // Anything else is not a response, which the server reports.
    if (typeof response !== "object" || response === null) return response;
    return steps.reduceRight<unknown>(
      (value, step) => this.#convert(step, "response", value, target),
      response,
    );
  }

  #convert(
    step: ConversionStep,
    side: "request" | "response",
    value: unknown,
    target: TargetMethod,
  ): unknown {
    const conversion = step[side];
    if (conversion === undefined) return value;
    const [older, newer] = step.versions;
    let converted = value;
    try {
      if (conversion.convert !== undefined) converted = conversion.convert(value, step.custom);
    } catch (thrown) {
      if (RpcFailure.read(thrown) !== undefined) throw thrown;
      const { service, name } = target.info;
      const [from, to, field] = side === "request" ? [older, newer, "up"] : [newer, older, "down"];
      const text = `versions["${older}"].${field}: converting the ${side} of ${service}.${name} from ${from} to ${to} threw ${String(thrown)}`;
      // Older TypeScript libraries do not declare `cause`.
      const cause = Object.assign(new Error(text), { cause: thrown });
      throw builtinFailure(this.#api, builtinCode.internalError, { cause });
    }
    const issues = conversion.check?.(converted);
    if (issues === undefined) return converted;
    const [source, other] = side === "request" ? [this.#kept, newer] : [this.#current, older];
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
