import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import {
  isRedacted,
  type RecordedCall,
  type RecordedResponse,
  withoutRedactions,
} from "../replay/recording.ts";
import type { ResponseValidator } from "../replay/response-validator.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import { type Finding, isRecord, type TestCall } from "./call.ts";
import { Findings } from "./findings.ts";
import { ResponseChecker, rejectionOf } from "./response-checker.ts";

export interface RecordedCheckInput {
  readonly plan: Plan;
  readonly responses: ResponseValidator;
  readonly calls: readonly RecordedCall[];
  /** Whether the contract allows the request. */
  readonly allows: (method: PlannedMethod, request: Json) => Promise<boolean>;
}

/** Holds recorded answers to the laws that a single call can show. */
export async function checkRecordedCalls(input: RecordedCheckInput): Promise<readonly Finding[]> {
  const { plan, responses, calls } = input;
  const findings = new Findings();
  const judge = new ResponseChecker(plan, responses);
  const sampled = { random: seededRandom(1), style: "plain", optional: "all" } as const;
  const asked = new Samples(plan, { ...sampled, side: "request" });
  const answered = new Samples(plan, { ...sampled, side: "response" });
  for (const { service: serviceName, method: name, request, response } of calls) {
    const service = plan.services.find((one) => one.name === serviceName);
    const method = service?.methods.find((one) => one.name === name);
    if (service === undefined || method === undefined) {
      const words = "it was called, and the schema does not have it";
      findings.report("methods-known", { service: serviceName, method: name }, words, []);
      continue;
    }
    if (response === undefined) continue;
    const body =
      request === undefined ? undefined : withoutRedactions(plan, method.request.typeName, request, asked);
    const told = faultOf(method, response);
    const fault = told ?? (await requestFault(method, request, response));
    if (fault === undefined) continue;
    const shown: readonly TestCall[] = [{ path: method.path, body: body ?? {} }];
    findings.report(fault.law, { service: serviceName, method: name }, fault.words, shown);
  }
  return findings.all;

  function faultOf(method: PlannedMethod, answer: RecordedResponse) {
    const text = textOf(method, answer);
    // It was too long for the recording.
    if (text === undefined) return undefined;
    const contentType = answer.isFile ? "" : "application/json";
    return judge.check(method, { status: answer.status, text, contentType }).violation;
  }

  function textOf(method: PlannedMethod, answer: RecordedResponse): string | undefined {
    const { body, items, isFile, error } = answer;
    const filled = (value: Json): string =>
      JSON.stringify(withoutRedactions(plan, method.response.typeName, value, answered));
    if (items !== undefined)
      return [
        ...items.map(filled),
        ...(error === undefined ? [] : [JSON.stringify({ webrpcError: error })]),
      ].join("\n");
    if (error !== undefined) return JSON.stringify(error);
    if (isFile) return "";
    return body === undefined ? undefined : filled(body);
  }

  /** What is left out of a recording may be what was wrong with the request. */
  async function requestFault(method: PlannedMethod, request: Json | undefined, { error }: RecordedResponse) {
    if (request === undefined || isRedacted(request)) return undefined;
    const isAllowed = await input.allows(method, request);
    if (isAllowed) return isRecord(error) ? rejectionOf(error["code"]) : undefined;
    return error === undefined
      ? { law: "refuses-invalid", words: "a request is answered that does not keep to the contract" }
      : undefined;
  }
}
