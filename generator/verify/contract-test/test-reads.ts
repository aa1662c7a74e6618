import type { Json } from "../../codegen/plan/json.ts";
import type { PlannedMethod, PlannedRead, PlannedService } from "../../codegen/plan/plan.ts";
import { readRequests } from "../requests/routed-request.ts";
import { isRejectedEarly, type TestCall, type TestResponse } from "./call.ts";
import type { ResponseCheck } from "./checkers.ts";
import { unreadableValues } from "./test-routes.ts";
import type { Tester } from "./tester.ts";

export interface ReadTest {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
  /** A request that has succeeded. */
  readonly body: Json;
}

type Violation = ResponseCheck["violation"];

/** Checks that caches can use the responses of a method with `@cache`. */
export async function testRead(suite: Tester, { service, method, body }: ReadTest): Promise<void> {
  const { read, route } = method;
  if (read === undefined || !method.annotations.has("cache")) return;
  const routed = suite.callOf(method, body);
  const calls = route === undefined ? readRequests(method.path, body) : routed === undefined ? [] : [routed];

  async function check(call: TestCall, violationIn: (response: TestResponse) => Violation) {
    if (suite.isTimeUp()) return undefined;
    const response = await suite.send(call);
    if (isRejectedEarly(response)) return undefined;
    const violation = violationIn(response);
    if (violation === undefined) return response;
    suite.report(violation.rule, service, method, violation.message, [call]);
    return undefined;
  }

  for (const call of calls) {
    const first = await check(call, (response) => violationOfRead(response, call, method, read));
    const head = { ...call, verb: "HEAD" };
    if (first !== undefined && call.verb === "GET")
      await check(head, (response) => violationOfRead(response, head, method, read));
    if (first?.etag === undefined) continue;
    const again = { ...call, headers: { "if-none-match": first.etag } };
    await check(again, (response) => violationOfCondition(response, first));
    const unknown = { ...call, headers: { "if-none-match": unknownTag } };
    const second = await check(unknown, violationOfUnknownTag);
    if (second !== undefined && hasOldTag(second, first))
      suite.report("etag-changes", service, method, "the response has changed, but not its ETag", [
        call,
        call,
      ]);
  }
  for (const call of rejectedCalls(suite, method, body)) await check(call, violationOfError);
}

/** No response has this tag. */
const unknownTag = '"ridlkit-unknown-tag"';

function violationOfUnknownTag({ status }: TestResponse): Violation {
  return status === 304 ? violation("not-modified", "the status is 304 for an unknown ETag") : undefined;
}

/** A weak tag may stay the same if the meaning does. */
function hasOldTag({ status, etag, text }: TestResponse, first: TestResponse): boolean {
  return status === 200 && etag === first.etag && !first.etag?.startsWith("W/") && text !== first.text;
}

/** Returns reads that the server must reject. */
function rejectedCalls(suite: Tester, method: PlannedMethod, body: Json): readonly TestCall[] {
  if (method.route === undefined) return [{ verb: "GET", path: `${method.path}?q=x` }];
  const [unreadable] = unreadableValues(method, body);
  const call = unreadable && suite.callOf(method, unreadable.body);
  return call === undefined ? [] : [call];
}

function violationOfError({ status, cacheControl }: TestResponse): Violation {
  if (status < 400 || wordsOf(cacheControl).has("no-store")) return undefined;
  return violation(
    "errors-not-cached",
    `Cache-Control of an error is ${shown(cacheControl)} instead of "no-store"`,
  );
}

function violationOfRead(
  { status, etag, cacheControl, vary }: TestResponse,
  { verb }: TestCall,
  { fileOutput }: PlannedMethod,
  read: PlannedRead,
): Violation {
  if (status !== 200)
    return violation("serves-reads", `${verb} got status ${status}, but the same request succeeded before`);
  const missing = read.vary.filter((name) => !wordsOf(vary).has(name.toLowerCase()) && vary !== "*");
  const faults = [
    !isSame(cacheControl, read.cacheControl) &&
      `Cache-Control is ${shown(cacheControl)} instead of "${read.cacheControl}"`,
    missing.length > 0 && `Vary is ${shown(vary)}, without ${missing.join(", ")}`,
    // A file that is sent while it is read has no hash.
    etag === undefined && !fileOutput && "ETag is missing",
  ].filter((fault) => fault !== false);
  return faults.length === 0 ? undefined : violation("cache-headers", faults.join("; "));
}

/** If the response has changed in the meantime, it has another tag and another body. */
function violationOfCondition(response: TestResponse, first: TestResponse): Violation {
  const fault = faultOfCondition(response, first);
  return fault === undefined ? undefined : violation("not-modified", fault);
}

function faultOfCondition(
  { status, text, etag, cacheControl, vary }: TestResponse,
  first: TestResponse,
): string | undefined {
  if (status === 200 && etag !== first.etag)
    return text === first.text ? "the ETag has changed, but not the response" : undefined;
  if (status !== 304) return `the status is ${status} instead of 304 for the current ETag`;
  const isComplete =
    etag === first.etag && isSame(cacheControl, first.cacheControl) && isSame(vary, first.vary);
  return isComplete ? undefined : "the response with status 304 has another ETag, Cache-Control or Vary";
}

function violation(rule: string, message: string): Violation {
  return { rule, message };
}

/** Compares lists of words, in any order. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return [...wordsOf(one)].sort().join() === [...wordsOf(other)].sort().join();
}

function wordsOf(list = ""): ReadonlySet<string> {
  return new Set(list.split(",").map((word) => word.trim().toLowerCase()));
}

function shown(value: string | undefined): string {
  return value === undefined ? "missing" : `"${value}"`;
}
