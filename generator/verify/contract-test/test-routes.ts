import type { Json } from "../../codegen/plan/json.ts";
import type { PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { TestCall, TestResponse } from "./call.ts";
import { isRejectedEarly } from "./early-rejections.ts";
import { unreadableValues } from "./route-values.ts";
import type { Tester } from "./tester.ts";

export interface RouteTest {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
  /** A valid request. */
  readonly body: Json;
  /** Use only verbs that change nothing. */
  readonly isReadOnly: boolean;
}

/** Checks that a method is called on its route only, and that values which are not of their type are rejected. */
export async function testRoute(suite: Tester, test: RouteTest): Promise<void> {
  await testUnreadableValues(suite, test);
  await testOtherVerb(suite, test);
  await testDefaultPath(suite, test);
}

async function testUnreadableValues(suite: Tester, { service, method, body }: RouteTest): Promise<void> {
  for (const { body: bad, description } of unreadableValues(method, body)) {
    const call = suite.callOf(method, bad);
    const response = await send(suite, call);
    if (call === undefined || response === undefined || response.status === 400) continue;
    const message = `the status is ${response.status} instead of 400 for a request in which ${description}`;
    suite.report("rejects-bad-url-values", service, method, message, [call]);
  }
}

async function testOtherVerb(suite: Tester, { service, method, body, isReadOnly }: RouteTest): Promise<void> {
  const path = suite.callOf(method, body)?.path;
  const verb = path === undefined ? undefined : suite.routes.otherVerb(path, isReadOnly);
  if (path === undefined || verb === undefined) return;
  const call = { verb, path };
  const response = await send(suite, call);
  const message = response && faultOfOtherVerb(response, method.route?.verb ?? "", verb);
  if (message !== undefined) suite.report("rejects-other-verbs", service, method, message, [call]);
}

function faultOfOtherVerb(
  { status, allow = "" }: TestResponse,
  own: string,
  verb: string,
): string | undefined {
  if (status !== 405) return `the status is ${status} instead of 405 for the verb ${verb}`;
  return allow.split(/ *, */).includes(own) ? undefined : `the header Allow lacks ${own}: "${allow}"`;
}

async function testDefaultPath(suite: Tester, { service, method, body }: RouteTest): Promise<void> {
  const call = { path: method.path, body };
  const response = await send(suite, call);
  if (response === undefined || response.status === 404) return;
  const message = `the status is ${response.status} instead of 404 on the default path`;
  suite.report("rejects-default-path", service, method, message, [call]);
}

/** Returns undefined if nothing was sent, or if the call was rejected for a reason that has nothing to do with its route. */
async function send(suite: Tester, call: TestCall | undefined): Promise<TestResponse | undefined> {
  if (call === undefined || suite.isTimeUp()) return undefined;
  const response = await suite.send(call);
  return isRejectedEarly(response) ? undefined : response;
}
