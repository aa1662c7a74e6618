import { isJsonObject, type Json } from "../../codegen/plan/json.ts";
import type { PlannedMethod, PlannedRoute, PlannedService, RouteField } from "../../codegen/plan/plan.ts";
import { isRejectedEarly, type TestCall, type TestResponse } from "./call.ts";
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

/**
 * Whether a variant of a valid request is still invalid on a route. Some values are valid as text, such as `"5"` for an integer
 * or `17` for a string, and an empty list is the same as an absent one.
 */
export function isInvalidOnRoute(
  { parameters, query = [] }: PlannedRoute,
  valid: Json,
  variant: Json,
): boolean {
  if (!isJsonObject(valid) || !isJsonObject(variant)) return true;
  return [...parameters, ...query]
    .filter(({ name }) => JSON.stringify(own(valid, name)) !== JSON.stringify(own(variant, name)))
    .every((field) => {
      const value = own(variant, field.name);
      const read = readValue(field, value);
      return read === unreadable || JSON.stringify(read) === JSON.stringify(value);
    });
}

/** A request with a text that is not a value of its type, and where the text is: `the text "x" is in the path as /id`. */
export interface UnreadableValue {
  readonly body: Json;
  readonly description: string;
}

/** A variant for each number and boolean in the path or the query. Every other type may be any text. */
export function unreadableValues({ route }: PlannedMethod, valid: Json): readonly UnreadableValue[] {
  if (route === undefined || !isJsonObject(valid)) return [];
  const placed = [
    ...route.parameters.map((field) => ({ ...field, place: "path" })),
    ...(route.query ?? []).map((field) => ({ ...field, place: "query" })),
  ];
  return placed
    .filter(({ type }) => isNumeric(type) || type === "bool")
    .map(({ name, queryName, type, isList, place }) => ({
      body: { ...valid, [name]: isList ? ["x"] : "x" },
      description: `"x" is in the ${place} as "${(place === "query" ? queryName : undefined) ?? name}", which is a ${type}`,
    }));
}

const unreadable: unique symbol = Symbol("unreadable");

function readValue(
  { type, isList, isOptional }: RouteField,
  value: Json | undefined,
): Json | undefined | typeof unreadable {
  const texts = value === undefined || value === null ? [] : [value].flat().map(String);
  const [first] = texts;
  if (!isList) return first === undefined ? undefined : readText(type, first);
  if (first === undefined && isOptional) return undefined;
  const items = texts.map((text) => readText(type, text));
  return items.includes(unreadable) ? unreadable : (items as readonly Json[]);
}

function readText(type: string, text: string): Json | typeof unreadable {
  if (type === "bool") return readBoolean(text);
  if (!isNumeric(type)) return text;
  return /^[+-]?[0-9.]+(e[+-]?[0-9]+)?$/i.test(text) ? Number(text) : unreadable;
}

/** Go servers and generated servers read `1` and `t`, too. */
function readBoolean(text: string): boolean | typeof unreadable {
  if (/^(?:true|t|1)$/i.test(text)) return true;
  return /^(?:false|f|0)$/i.test(text) ? false : unreadable;
}

function isNumeric(type: string): boolean {
  return /^(?:u?int|float)[0-9]*$/.test(type);
}

function own(fields: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
