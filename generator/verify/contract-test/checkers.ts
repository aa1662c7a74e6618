import { possibleErrors } from "../../codegen/plan/errors.ts";
import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import { isOmitted, type Plan, type PlannedMethod } from "../../codegen/plan/plan.ts";
import { parseExact } from "../client/exact-json.ts";
import type { LoadedContract } from "../in-memory/load.ts";
import { httpRequest } from "../replay/http-request.ts";
import type { ResponseValidator } from "../responses/response-validator.ts";
import { jsonBody, type TestResponse, testCall } from "./call.ts";

/** Checks whether a request is valid, by sending it to the generated server of the contract. */
export function requestChecker(
  loaded: LoadedContract,
): (method: PlannedMethod, request: Json) => Promise<boolean> {
  let isAccepted = false;
  const accept = (): never => {
    isAccepted = true;
    throw new Error("the request was accepted");
  };
  const handlers = Object.fromEntries(
    loaded.plan.services.map(({ name, methods }) => [
      name,
      Object.fromEntries(methods.filter((one) => !isOmitted(one)).map((method) => [method.name, accept])),
    ]),
  );
  const fetch = loaded.fetchHandler(loaded.createServer(handlers));
  const types = loaded.plan.finder;
  return async (method, request) => {
    isAccepted = false;
    const call = testCall(types, method, request);
    if (call !== undefined) await fetch(httpRequest("http://check", call));
    return isAccepted;
  };
}

/** The result of checking a response against the contract. */
export interface ResponseCheck {
  /** The body of a valid success. Integers beyond 2^53 are bigints, so that requests can refer to them. */
  readonly value?: unknown;
  /** The error, if the response is a valid error. */
  readonly error?: { readonly name: string; readonly code: number; readonly status: number };
  /** The violated rule, and how the response violates it. */
  readonly violation?: { readonly rule: string; readonly message: string };
}

export class ResponseChecker {
  readonly #plan: Plan;
  readonly #validator: ResponseValidator;
  /** Whether errors may lack their data. */
  readonly #mayLackData: boolean;

  constructor(
    plan: Plan,
    validator: ResponseValidator,
    { mayLackData = false }: { readonly mayLackData?: boolean } = {},
  ) {
    this.#plan = plan;
    this.#validator = validator;
    this.#mayLackData = mayLackData;
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
    return this.#value(method, body) ?? { value: parseExact(response.text) };
  }

  #value({ response }: PlannedMethod, body: unknown): ResponseCheck | undefined {
    const [mismatch] = response.isEmpty ? [] : this.#validator.mismatches(response.typeName, body);
    return mismatch && violation("response-schema", mismatch.message);
  }

  #stream(method: PlannedMethod, { text }: TestResponse): ResponseCheck {
    const items = text.split("\n").filter((line) => line !== "");
    for (const item of items) {
      const body = jsonBody({ status: 200, text: item, contentType: "" });
      if (isJsonObject(body) && isJsonObject(body["webrpcError"]))
        return this.#error(method, Number(body["webrpcError"]["status"]), body["webrpcError"]);
      const verdict = this.#value(method, body);
      if (verdict !== undefined) return verdict;
    }
    return { value: items.map(parseExact) };
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
    const isTooLarge = known.name === "WebrpcBadRequest" && status === 413;
    if (
      (known.httpStatus !== status && !isTooLarge) ||
      (body["status"] !== undefined && body["status"] !== status)
    )
      return violation("error-status", `${name} has the status ${status} instead of ${known.httpStatus}`);
    if (status >= 500 && known.isOfProtocol) return violation("no-internal-errors", `${name} was returned`);
    if (code === 0) return violation("no-internal-errors", `${name} was returned`);
    const isAllowed = known.isOfProtocol || possibleErrors(this.#plan, method).includes(known);
    if (!isAllowed) return violation("errors-declared", `${name} is not one of the errors of the method`);
    if (known.data !== undefined && !(this.#mayLackData && body["data"] === undefined)) {
      const [mismatch] = this.#validator.mismatches(known.data.type, body["data"]);
      if (mismatch !== undefined)
        return violation("response-schema", `the data of ${name}: ${mismatch.message}`);
    }
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
