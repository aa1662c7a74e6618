/**
 * The client of one method, without generated files: the same runtime functions with the same settings. Responses keep
 * the text that the server sent, and are not checked.
 */
import { webrpcHeader } from "../../codegen/emit/text.ts";
import type { Plan, PlannedFile, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { CallOptions, Client, Schema } from "../../runtime/src/client.ts";
import {
  keyedMethod,
  type Method,
  method as plainMethod,
  readMethod,
  routedMethod,
} from "../../runtime/src/client.ts";
import type { FilePath, ReceivedFile } from "../../runtime/src/client-files.ts";
import { fileMethod } from "../../runtime/src/client-files.ts";
import { fileStreamMethod, streamMethod } from "../../runtime/src/client-streams.ts";
import type { TransportInit } from "../../runtime/src/transport.ts";
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
          ...(route.query && { query: route.query.map((field) => field.name) }),
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
        .filter(({ builtin }) => builtin)
        .map(({ name, code, message, httpStatus }) => [code, { name, code, message, status: httpStatus }]),
    ) as unknown as Schema["failures"],
  };
}

function filePath({ name, within }: PlannedFile): FilePath {
  return within === undefined ? name : [within.name, name];
}
