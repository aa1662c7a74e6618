import { possibleErrors } from "../../codegen/plan/errors.ts";
import type { Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import type { ResponseValidator } from "../replay/response-validator.ts";
import { isRecord, jsonBody, type TestResponse } from "./call.ts";

/** What an answer says, held to the contract. */
export interface ResponseCheck {
  /** The answer of a success that fits. */
  readonly value?: unknown;
  /** The error that was answered, if it is one. */
  readonly error?: { readonly name: string; readonly code: number; readonly status: number };
  /** What the contract does not allow: the law, and how it is broken. */
  readonly violation?: { readonly law: string; readonly words: string };
}

export class ResponseChecker {
  readonly #plan: Plan;
  readonly #validator: ResponseValidator;

  constructor(plan: Plan, answers: ResponseValidator) {
    this.#plan = plan;
    this.#validator = answers;
  }

  check(method: PlannedMethod, answer: TestResponse): ResponseCheck {
    if (answer.status === 0) return violation("answers", `no answer came: ${answer.text}`);
    if (method.fileOutput && answer.status === 200) return { value: answer.text };
    if (method.streamOutput && answer.status === 200) return this.#stream(method, answer);
    const body = jsonBody(answer);
    if (body === undefined)
      return violation("answers-json", `the answer with status ${answer.status} is no JSON`);
    if (answer.status !== 200) return this.#error(method, answer.status, body);
    if (!answer.contentType.startsWith("application/json"))
      return violation("answers-json", `the answer says that it is ${answer.contentType || "nothing"}`);
    return this.#value(method, body);
  }

  #value({ response }: PlannedMethod, body: unknown): ResponseCheck {
    const [misfit] = response.isEmpty ? [] : this.#validator.mismatches(response.typeName, body);
    return misfit === undefined ? { value: body } : violation("answer-fits", misfit.message);
  }

  #stream(method: PlannedMethod, { text }: TestResponse): ResponseCheck {
    const items = text.split("\n").filter((line) => line !== "");
    for (const item of items) {
      const body = jsonBody({ status: 200, text: item, contentType: "" });
      if (isRecord(body) && isRecord(body["webrpcError"]))
        return this.#error(method, Number(body["webrpcError"]["status"]), body["webrpcError"]);
      const verdict = this.#value(method, body);
      if (verdict.violation !== undefined) return verdict;
    }
    return { value: items };
  }

  #error(method: PlannedMethod, status: number, body: unknown): ResponseCheck {
    if (!isRecord(body) || typeof body["error"] !== "string" || typeof body["code"] !== "number")
      return violation("error-form", `the answer with status ${status} is no error of the protocol`);
    const { error: name, code } = body as { readonly error: string; readonly code: number };
    const known = this.#plan.errors.find((error) => error.code === code);
    if (known === undefined)
      return violation("errors-declared", `the error ${name} with the code ${code} is not in the contract`);
    if (known.name !== name)
      return violation(
        "errors-declared",
        `the code ${code} is that of ${known.name}, and ${name} was answered`,
      );
    if (known.httpStatus !== status || (body["status"] !== undefined && body["status"] !== status))
      return violation("error-status", `${name} came with the status ${status}, and has ${known.httpStatus}`);
    if (status >= 500 && known.builtin) return violation("no-internal-errors", `${name} was answered`);
    if (code === 0) return violation("no-internal-errors", `${name} was answered`);
    const isAllowed = known.builtin || possibleErrors(this.#plan, method).includes(known);
    if (!isAllowed) return violation("errors-declared", `${name} is not among the errors of the method`);
    return { error: { name, code, status } };
  }
}

function violation(law: string, words: string): ResponseCheck {
  return { violation: { law, words } };
}

/** WebrpcBadRequest. */
export const badRequest = -4;

/** A request that keeps to the contract may fail, and is not refused as one that does not. */
export function rejectionOf(code: Json | undefined): ResponseCheck["violation"] {
  return code === badRequest
    ? { law: "accepts-valid", words: "a request that keeps to the contract is refused" }
    : undefined;
}
