import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import {
  isRedacted,
  type RecordedCall,
  type RecordedResponse,
  withoutRedactions,
} from "../replay/recording.ts";
import type { ResponseValidator } from "../responses/response-validator.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import { type Finding, Findings, type TestCall, testCall } from "./call.ts";
import { ResponseChecker, rejectionOf } from "./checkers.ts";

export interface RecordedCheckInput {
  readonly plan: Plan;
  readonly responses: ResponseValidator;
  readonly calls: readonly RecordedCall[];
  /** Whether the contract allows the request. */
  readonly allows: (method: PlannedMethod, request: Json) => Promise<boolean>;
}

/** Checks recorded responses against all rules that a single call can violate. */
export async function checkRecordedCalls(input: RecordedCheckInput): Promise<readonly Finding[]> {
  const { plan, responses, calls } = input;
  const findings = new Findings();
  const types = plan.finder;
  // Recorders do not store the data of errors.
  const checker = new ResponseChecker(plan, responses, { mayLackData: true });
  const sampled = { random: seededRandom(1), style: "plain", optional: "all" } as const;
  const requestSamples = new Samples(plan, { ...sampled, side: "request" });
  const responseSamples = new Samples(plan, { ...sampled, side: "response" });
  for (const { service: serviceName, method: name, request, response } of calls) {
    const service = plan.services.find((one) => one.name === serviceName);
    const method = service?.methods.find((one) => one.name === name);
    if (service === undefined || method === undefined) {
      const message = "it was called, but the schema does not have it";
      findings.report("methods-known", { service: serviceName, method: name }, message, []);
      continue;
    }
    if (response === undefined) continue;
    const body =
      request === undefined
        ? undefined
        : withoutRedactions(plan, method.request.typeName, request, requestSamples);
    const found = violationOf(method, response);
    const violation = found ?? (await requestViolation(method, request, response));
    if (violation === undefined) continue;
    const shownCalls: readonly TestCall[] = [callOf(method, body ?? {})];
    findings.report(violation.rule, { service: serviceName, method: name }, violation.message, shownCalls);
  }
  return findings.all;

  /** Recorders do not store the contents of files, so a call is shown without them. */
  function callOf(method: PlannedMethod, body: Json): TestCall {
    const { files: _, ...call } = testCall(types, method, body) ?? { path: method.path, body };
    return call;
  }

  function violationOf(method: PlannedMethod, response: RecordedResponse) {
    const text = textOf(method, response);
    // The recorder omits bodies that are too long.
    if (text === undefined) return undefined;
    const contentType = response.isFile ? "" : "application/json";
    return checker.check(method, { status: response.status, text, contentType }).violation;
  }

  function textOf(method: PlannedMethod, response: RecordedResponse): string | undefined {
    const { body, items, isFile, error } = response;
    const printed = (value: Json): string =>
      JSON.stringify(withoutRedactions(plan, method.response.typeName, value, responseSamples));
    if (items !== undefined)
      return [
        ...items.map(printed),
        ...(error === undefined ? [] : [JSON.stringify({ webrpcError: error })]),
      ].join("\n");
    if (error !== undefined) return JSON.stringify(error);
    if (isFile) return "";
    return body === undefined ? undefined : printed(body);
  }

  /** A redacted request is not checked: the omitted value may have been the invalid one. */
  async function requestViolation(
    method: PlannedMethod,
    request: Json | undefined,
    { error }: RecordedResponse,
  ) {
    if (request === undefined || isRedacted(request)) return undefined;
    const isAllowed = await input.allows(method, request);
    if (isAllowed) return isJsonObject(error) ? rejectionOf(error["code"]) : undefined;
    return error === undefined
      ? { rule: "rejects-invalid", message: "an invalid request was accepted" }
      : undefined;
  }
}
