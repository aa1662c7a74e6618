import { possibleErrors } from "../../codegen/plan/errors.ts";
import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type { Plan, PlannedMethod } from "../../codegen/plan/plan.ts";
import type { ResponseValidator } from "../responses/response-validator.ts";
import { jsonBody, type TestResponse } from "./call.ts";

/** The result of checking a response against the contract. */
export interface ResponseCheck {
  /** The body of a valid success. */
  readonly value?: unknown;
  /** The error, if the response is a valid error. */
  readonly error?: { readonly name: string; readonly code: number; readonly status: number };
  /** The violated rule, and how the response violates it. */
  readonly violation?: { readonly rule: string; readonly message: string };
}

export class ResponseChecker {
  readonly #plan: Plan;
  readonly #validator: ResponseValidator;

  constructor(plan: Plan, validator: ResponseValidator) {
    this.#plan = plan;
    this.#validator = validator;
  }

  check(method: PlannedMethod, response: TestResponse): ResponseCheck {
    if (response.status === 0) return violation("responds", `no response: ${response.text}`);
    if (method.fileOutput && response.status === 200) return { value: response.text };
    if (method.streamOutput && response.status === 200) return this.#stream(method, response);
    const body = jsonBody(response);
    if (body === undefined)
      return violation("response-json", `the response with status ${response.status} is not JSON`);
    if (response.status !== 200) return this.#error(method, response.status, body);
    if (!response.contentType.startsWith("application/json"))
      return violation(
        "response-json",
        `the response has the content type ${response.contentType || "(none)"}, not application/json`,
      );
    return this.#value(method, body);
  }

  #value({ response }: PlannedMethod, body: unknown): ResponseCheck {
    const [mismatch] = response.isEmpty ? [] : this.#validator.mismatches(response.typeName, body);
    return mismatch === undefined ? { value: body } : violation("response-schema", mismatch.message);
  }

  #stream(method: PlannedMethod, { text }: TestResponse): ResponseCheck {
    const items = text.split("\n").filter((line) => line !== "");
    for (const item of items) {
      const body = jsonBody({ status: 200, text: item, contentType: "" });
      if (isJsonObject(body) && isJsonObject(body["webrpcError"]))
        return this.#error(method, Number(body["webrpcError"]["status"]), body["webrpcError"]);
      const verdict = this.#value(method, body);
      if (verdict.violation !== undefined) return verdict;
    }
    return { value: items };
  }

  #error(method: PlannedMethod, status: number, body: unknown): ResponseCheck {
    if (!isJsonObject(body) || typeof body["error"] !== "string" || typeof body["code"] !== "number")
      return violation("error-format", `the response with status ${status} is not an error of the protocol`);
    const { error: name, code } = body as { readonly error: string; readonly code: number };
    const known = this.#plan.errors.find((error) => error.code === code);
    if (known === undefined)
      return violation("errors-declared", `the error ${name} with the code ${code} is not in the contract`);
    if (known.name !== name)
      return violation(
        "errors-declared",
        `the code ${code} belongs to ${known.name}, but ${name} was returned`,
      );
    if (known.httpStatus !== status || (body["status"] !== undefined && body["status"] !== status))
      return violation("error-status", `${name} has the status ${status} instead of ${known.httpStatus}`);
    if (status >= 500 && known.builtin) return violation("no-internal-errors", `${name} was returned`);
    if (code === 0) return violation("no-internal-errors", `${name} was returned`);
    const isAllowed = known.builtin || possibleErrors(this.#plan, method).includes(known);
    if (!isAllowed) return violation("errors-declared", `${name} is not one of the errors of the method`);
    return { error: { name, code, status } };
  }
}

function violation(rule: string, message: string): ResponseCheck {
  return { violation: { rule, message } };
}

/** WebrpcBadRequest. */
export const badRequest = -4;

/** A valid request may fail for other reasons, but must not be rejected as invalid. */
export function rejectionOf(code: Json | undefined): ResponseCheck["violation"] {
  return code === badRequest ? { rule: "accepts-valid", message: "a valid request was rejected" } : undefined;
}
