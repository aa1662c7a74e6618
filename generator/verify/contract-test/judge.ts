import { possibleErrors } from "../../codegen/plan/errors.ts";
import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import type { AnswerJudge } from "../replay/answers.ts";
import { bodyOf, isRecord, type TestAnswer } from "./call.ts";

/** What an answer says, held to the contract. */
export interface Verdict {
  /** The answer of a success that fits. */
  readonly value?: unknown;
  /** The error that was answered, if it is one. */
  readonly error?: { readonly name: string; readonly code: number; readonly status: number };
  /** What the contract does not allow: the law, and how it is broken. */
  readonly fault?: { readonly law: string; readonly words: string };
}

export class Judge {
  readonly #plan: Plan;
  readonly #answers: AnswerJudge;

  constructor(plan: Plan, answers: AnswerJudge) {
    this.#plan = plan;
    this.#answers = answers;
  }

  judge(method: PlannedMethod, answer: TestAnswer): Verdict {
    if (answer.status === 0) return fault("answers", `no answer came: ${answer.text}`);
    if (method.fileOutput && answer.status === 200) return { value: answer.text };
    if (method.streamOutput && answer.status === 200) return this.#stream(method, answer);
    const body = bodyOf(answer);
    if (body === undefined)
      return fault("answers-json", `the answer with status ${answer.status} is no JSON`);
    if (answer.status !== 200) return this.#error(method, answer.status, body);
    if (!answer.contentType.startsWith("application/json"))
      return fault("answers-json", `the answer says that it is ${answer.contentType || "nothing"}`);
    return this.#value(method, body);
  }

  #value({ response }: PlannedMethod, body: unknown): Verdict {
    const [misfit] = response.isEmpty ? [] : this.#answers.misfits(response.typeName, body);
    return misfit === undefined ? { value: body } : fault("answer-fits", misfit.words);
  }

  #stream(method: PlannedMethod, { text }: TestAnswer): Verdict {
    const items = text.split("\n").filter((line) => line !== "");
    for (const item of items) {
      const body = bodyOf({ status: 200, text: item, contentType: "" });
      if (isRecord(body) && isRecord(body["webrpcError"]))
        return this.#error(method, Number(body["webrpcError"]["status"]), body["webrpcError"]);
      const verdict = this.#value(method, body);
      if (verdict.fault !== undefined) return verdict;
    }
    return { value: items };
  }

  #error(method: PlannedMethod, status: number, body: unknown): Verdict {
    if (!isRecord(body) || typeof body["error"] !== "string" || typeof body["code"] !== "number")
      return fault("error-form", `the answer with status ${status} is no error of the protocol`);
    const { error: name, code } = body as { readonly error: string; readonly code: number };
    const known = this.#plan.errors.find((error) => error.code === code);
    if (known === undefined)
      return fault("errors-declared", `the error ${name} with the code ${code} is not in the contract`);
    if (known.name !== name)
      return fault("errors-declared", `the code ${code} is that of ${known.name}, and ${name} was answered`);
    if (known.httpStatus !== status || (body["status"] !== undefined && body["status"] !== status))
      return fault("error-status", `${name} came with the status ${status}, and has ${known.httpStatus}`);
    if (status >= 500 && known.builtin) return fault("no-internal-errors", `${name} was answered`);
    if (code === 0) return fault("no-internal-errors", `${name} was answered`);
    const isAllowed = known.builtin || possibleErrors(this.#plan, method).includes(known);
    if (!isAllowed) return fault("errors-declared", `${name} is not among the errors of the method`);
    return { error: { name, code, status } };
  }
}

function fault(law: string, words: string): Verdict {
  return { fault: { law, words } };
}

/** WebrpcBadRequest. */
export const badRequest = -4;

/** A request that keeps to the contract may fail, and is not refused as one that does not. */
export function refusalOf(code: Json | undefined): Verdict["fault"] {
  return code === badRequest
    ? { law: "accepts-valid", words: "a request that keeps to the contract is refused" }
    : undefined;
}
