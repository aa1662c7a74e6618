import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import type { AnswerJudge } from "../replay/answers.ts";
import { filledIn, isRedacted, type RecordedAnswer, type RecordedCall } from "../replay/recording.ts";
import { seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";
import { type Finding, isRecord, type TestCall } from "./call.ts";
import { Findings } from "./findings.ts";
import { Judge, refusalOf } from "./judge.ts";

export interface RecordedInput {
  readonly plan: Plan;
  readonly answers: AnswerJudge;
  readonly calls: readonly RecordedCall[];
  /** Whether the contract allows the request. */
  readonly allows: (method: PlannedMethod, request: Json) => Promise<boolean>;
}

/** Holds recorded answers to the laws that a single call can show. */
export async function judgeRecorded(input: RecordedInput): Promise<readonly Finding[]> {
  const { plan, answers, calls } = input;
  const findings = new Findings();
  const judge = new Judge(plan, answers);
  const sampled = { random: seededRandom(1), style: "plain", optional: "all" } as const;
  const asked = new Samples(plan, { ...sampled, side: "request" });
  const answered = new Samples(plan, { ...sampled, side: "response" });
  for (const { service: serviceName, method: name, request, answer } of calls) {
    const service = plan.services.find((one) => one.name === serviceName);
    const method = service?.methods.find((one) => one.name === name);
    if (service === undefined || method === undefined) {
      const words = "it was called, and the schema does not have it";
      findings.tell("methods-known", { service: serviceName, method: name }, words, []);
      continue;
    }
    if (answer === undefined) continue;
    const body = request === undefined ? undefined : filledIn(plan, method.request.typeName, request, asked);
    const told = faultOf(method, answer);
    const fault = told ?? (await requestFault(method, request, answer));
    if (fault === undefined) continue;
    const shown: readonly TestCall[] = [{ path: method.path, body: body ?? {} }];
    findings.tell(fault.law, { service: serviceName, method: name }, fault.words, shown);
  }
  return findings.all;

  function faultOf(method: PlannedMethod, answer: RecordedAnswer) {
    const text = textOf(method, answer);
    // It was too long for the recording.
    if (text === undefined) return undefined;
    const contentType = answer.isFile ? "" : "application/json";
    return judge.judge(method, { status: answer.status, text, contentType }).fault;
  }

  function textOf(method: PlannedMethod, answer: RecordedAnswer): string | undefined {
    const { body, items, isFile, error } = answer;
    const filled = (value: Json): string =>
      JSON.stringify(filledIn(plan, method.response.typeName, value, answered));
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
  async function requestFault(method: PlannedMethod, request: Json | undefined, { error }: RecordedAnswer) {
    if (request === undefined || isRedacted(request)) return undefined;
    const isAllowed = await input.allows(method, request);
    if (isAllowed) return isRecord(error) ? refusalOf(error["code"]) : undefined;
    return error === undefined
      ? { law: "refuses-invalid", words: "a request is answered that does not keep to the contract" }
      : undefined;
  }
}
