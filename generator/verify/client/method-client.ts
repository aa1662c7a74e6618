/**
 * The client of one method, without generated files: the same runtime functions with the same settings. Responses keep
 * the text that the server sent, and are not checked.
 */
import { webrpcHeader } from "../../codegen/emit/webrpc-header.ts";
import type { Plan, PlannedFile, PlannedMethod, PlannedService } from "../../codegen/plan/plan.ts";
import type { CallOptions, Client, FailureInfo, Schema } from "../../codegen/runtime/v1/client.ts";
import { fileMethod } from "../../codegen/runtime/v1/file-method.ts";
import { fileStreamMethod } from "../../codegen/runtime/v1/file-stream-method.ts";
import { keyedMethod } from "../../codegen/runtime/v1/keyed-method.ts";
import { type Method, method as plainMethod } from "../../codegen/runtime/v1/method.ts";
import { readMethod } from "../../codegen/runtime/v1/read-method.ts";
import type { ReceivedFile } from "../../codegen/runtime/v1/received-file.ts";
import type { FilePath } from "../../codegen/runtime/v1/request-form.ts";
import { routedMethod } from "../../codegen/runtime/v1/routed-method.ts";
import type { TransportInit } from "../../codegen/runtime/v1/routed-transport.ts";
import { streamMethod } from "../../codegen/runtime/v1/stream-method.ts";
import { parseExact, printExact } from "./exact-json.ts";

export type { CallOptions, Client } from "../../codegen/runtime/v1/client.ts";
export { RpcError } from "../../codegen/runtime/v1/errors.ts";
export { byGet } from "../../codegen/runtime/v1/read-forms.ts";
export type { ReceivedFile } from "../../codegen/runtime/v1/received-file.ts";
export type { TransportInit, TransportResponse } from "../../codegen/runtime/v1/routed-transport.ts";

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
          refusal: { ...failureOf(plan, -4), status: 0 },
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
  const failures = { [-1]: failureOf(plan, -1), [-5]: failureOf(plan, -5), [-8]: failureOf(plan, -8) };
  return {
    basepath: plan.basepath,
    webrpc: webrpcHeader(plan),
    failures: { ...failures, [-9]: failureOf(plan, -9) },
  };
}

function failureOf({ errors }: Plan, code: number): FailureInfo {
  const error = errors.find((one) => one.builtin && one.code === code);
  return { name: error?.name ?? "", msg: error?.message ?? "", status: error?.httpStatus ?? 0 };
}

function filePath({ name, within }: PlannedFile): FilePath {
  return within === undefined ? name : [within.name, name];
}
