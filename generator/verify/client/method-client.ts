/**
 * The client of one method, without generated files: the same runtime functions with the same settings. Responses keep
 * the text that the server sent, and are not checked.
 */

import { webrpcHeader } from "../../codegen/emit/text.ts";
import { requestCheckCode } from "../../codegen/emit/validators/index.ts";
import type {
  Plan,
  PlannedFile,
  PlannedMethod,
  PlannedService,
  TypeFinder,
} from "../../codegen/plan/plan.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import {
  type CallOptions,
  type Client,
  keyedMethod,
  type Method,
  method as plainMethod,
  readMethod,
  routedMethod,
  type Schema,
} from "../../runtime/src/client.ts";
import { fileStreamMethod } from "../../runtime/src/client-file-streams.ts";
import { type FilePath, fileMethod, type ReceivedFile } from "../../runtime/src/client-files.ts";
import { streamMethod } from "../../runtime/src/client-streams.ts";
import { type Issue, issue, pointerOf, toIssues } from "../../runtime/src/errors.ts";
import { BodyFault, isObject, parseInt64Json, parseJson } from "../../runtime/src/json.ts";
import type { TransportInit } from "../../runtime/src/transport.ts";
import * as validation from "../../runtime/src/validation.ts";
import { type Check, pathKey } from "../../runtime/src/validation.ts";
import { parseExact, printExact } from "./exact-json.ts";

export type { CallOptions, Client } from "../../runtime/src/client.ts";
export { byGet } from "../../runtime/src/client.ts";
export type { ReceivedFile } from "../../runtime/src/client-files.ts";
export { RpcError } from "../../runtime/src/errors.ts";
export type { TransportInit, TransportResponse } from "../../runtime/src/transport.ts";

/** A method that can be called. The values of responses are printed with `printExact`. */
export type MethodClient =
  | { readonly kind: "value"; readonly call: Run<Promise<object>> }
  | { readonly kind: "file"; readonly call: Run<Promise<ReceivedFile>> }
  | { readonly kind: "stream"; readonly call: Run<AsyncIterable<object>> };

type Run<Result> = (client: Client, req: object, options: CallOptions) => Result;

export function methodClient(plan: Plan, service: PlannedService, method: PlannedMethod): MethodClient {
  const schema = schemaOf(plan);
  const { name, files, fileOutput, streamOutput, route, takesKey } = method;
  const traits = { parse: parseExact, print: printExact };
  const names = [schema, service.name, name] as const;
  const paths = files.map(filePath);
  if (streamOutput) {
    const call =
      files.length > 0
        ? fileStreamMethod(...names, { ...traits, files: paths })
        : streamMethod(...names, traits);
    // A stream that was lost ends: a program that reads the output cannot know which items are missing.
    const once: Run<unknown> = (client, req, options) =>
      (call as unknown as Run<unknown>)(client, req, { ...options, reconnect: false } as CallOptions);
    return { kind: "stream", call: once as Run<AsyncIterable<object>> };
  }
  const created: Method<object, unknown, never> =
    route !== undefined
      ? routedMethod(...names, {
          ...traits,
          verb: route.verb as TransportInit["method"],
          path: route.path,
          ...(route.query && {
            query: route.query.map(({ name, queryName = name }) => [name, queryName] as const),
          }),
        })
      : files.length > 0 || fileOutput
        ? fileMethod(...names, { ...traits, files: paths, ...(fileOutput && { answersFile: true }) })
        : plainMethod(...names, traits);
  const isRead = method.read !== undefined && route === undefined;
  const call = (takesKey ? keyedMethod(created) : isRead ? readMethod(created) : created) as unknown;
  return fileOutput
    ? { kind: "file", call: call as Run<Promise<ReceivedFile>> }
    : { kind: "value", call: call as Run<Promise<object>> };
}

function schemaOf(plan: Plan): Schema {
  return {
    basepath: plan.basepath,
    webrpc: webrpcHeader(plan),
    failures: Object.fromEntries(
      plan.errors
        .filter(({ isOfProtocol }) => isOfProtocol)
        .map(({ name, code, message, httpStatus }) => [code, { name, code, message, status: httpStatus }]),
    ) as unknown as Schema["failures"],
    data: (_error, body) => errorData(body),
  };
}

/** Reads the data of an error from the body of its response. Undefined if the body is no error of the protocol. */
function errorData(body: string): unknown {
  try {
    const value = parseInt64Json(body);
    return isObject(value) && typeof value["code"] === "number" ? value["data"] : undefined;
  } catch {
    return undefined;
  }
}

function filePath({ name, within }: PlannedFile): FilePath {
  return within === undefined ? name : [within.name, name];
}

/** Nesting that generated servers accept by default. */
const maxJsonDepth = 64;

/** Why a request does not match its contract. */
export interface RequestFault {
  /** One line for each invalid value: `/id: expected an integer, found "x"`. */
  readonly lines: readonly string[];
  readonly issues: readonly Issue[];
}

/** Checks the text of a request as generated validators do. The plan needs 64-bit integers as bigints. */
export function checkRequest(plan: Plan, method: PlannedMethod, text: string): RequestFault | undefined {
  const value = parseJson(text, maxJsonDepth, parseInt64Json);
  if (value instanceof BodyFault) return { lines: [value.reason], issues: [] };
  const found = isObject(value)
    ? requestCheck(plan, method)(value)
    : toIssues([issue([], "an object", validation.describe(value))]);
  if (found === undefined) return undefined;
  const { listed, more } = found;
  const lines = listed.map(({ path, message }) => `${pointerOf(path) || "body"}: ${message}`);
  return {
    lines: more === 0 ? lines : [...lines, `and ${more} more`],
    issues: listed,
  };
}

function requestCheck(plan: Plan, method: PlannedMethod): Check {
  return new Function("v", requestCheckCode(plan, method))(validation) as Check;
}

/** A field that the contract does not have. Servers ignore it. */
export interface UnknownField {
  /** `/filter/limt`. */
  readonly pointer: string;
  readonly name: string;
  /** The names that the contract has in its place. */
  readonly known: readonly string[];
}

/** Most fields that are reported: a request for another method has nothing else. */
const maxReported = 10;

/** Finds the unknown fields of a valid request. */
export function unknownFields(
  types: TypeFinder,
  { request, files }: PlannedMethod,
  text: string,
): readonly UnknownField[] {
  const found: UnknownField[] = [];
  const visit = (value: unknown, type: ResolvedType, at: readonly (string | number)[]): void => {
    if (typeof value !== "object" || value === null) return;
    const target = types.unaliased(type);
    if (target.kind === "list" && Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, target.element, [...at, index]);
    } else if (target.kind === "map") {
      for (const [key, item] of Object.entries(value)) visit(item, target.value, [...at, pathKey(key)]);
    } else if (target.kind === "struct") {
      const { fields } = types.struct(target.name);
      const own = files.filter(({ within }) =>
        within === undefined ? at.length === 0 : at[0] === within.name,
      );
      const known = [...fields.map(({ wireName }) => wireName), ...own.map(({ name }) => name)];
      for (const [name, part] of Object.entries(value)) {
        const field = fields.find(({ wireName, aliases }) => wireName === name || aliases.includes(name));
        if (field !== undefined) visit(part, field.type, [...at, name]);
        else if (!known.includes(name) && found.length < maxReported)
          found.push({ pointer: pointerOf([...at, pathKey(name)]), name, known });
      }
    }
  };
  visit(parseInt64Json(text), { kind: "struct", name: request.typeName }, []);
  return found;
}
