import type { PlannedMethod, PlannedService } from "../../plan/plan.ts";
import { docComment, literal } from "../text.ts";
import { bodyName, className, memberName, queryName } from "./names.ts";
import type { TypescriptOptions } from "./options.ts";

export interface ServiceView {
  readonly name: string;
  /** On the wire. */
  readonly wire: string;
  readonly path: string;
  readonly docs: string;
  readonly methods: readonly MethodView[];
}

interface MethodView {
  readonly docs: string;
  readonly name: string;
  readonly wire: string;
  /** `["Example", "getUser", req]` and its parameter and type. */
  readonly keyParameter: string;
  readonly keyType: string;
  readonly keyValue: string;
  readonly parameters: string;
  readonly answer: string;
  readonly request: string;
  readonly requestName: string;
  readonly requestLiteral: string;
  readonly response: string;
  readonly responseName: string;
  readonly streams: boolean;
}

export function viewService(
  basepath: string,
  service: PlannedService,
  options: TypescriptOptions,
): ServiceView {
  return {
    name: className(service),
    wire: literal(service.name),
    path: literal(`${basepath}${service.name}/`),
    docs: docComment(service, ""),
    methods: service.methods
      .filter(({ streamInput }) => !streamInput)
      .map((method) => viewMethod(service, method, options)),
  };
}

function viewMethod(service: PlannedService, method: PlannedMethod, options: TypescriptOptions): MethodView {
  const request = bodyName(method.request, "request", options);
  const response = bodyName(method.response, "response", options);
  const hasRequest = !(method.request.isOwn && method.request.isEmpty);
  const key = `${literal(service.name)}, ${literal(queryName(method))}`;
  const req = hasRequest ? `req: ${request}, ` : "";
  return {
    docs: docComment(method, "  "),
    name: memberName(method),
    wire: literal(method.name),
    keyParameter: hasRequest ? `req: ${request}` : "",
    keyType: hasRequest ? `${key}, ${request}` : key,
    keyValue: hasRequest ? `${key}, req` : key,
    parameters: method.streamOutput
      ? `${req}options: WebrpcStreamOptions<${response}>`
      : `${req}headers?: object, signal?: AbortSignal`,
    answer: method.streamOutput ? "WebrpcStreamController" : `Promise<${response}>`,
    request: hasRequest ? "req" : "{}",
    requestName: request,
    requestLiteral: literal(request),
    response,
    responseName: literal(response),
    streams: method.streamOutput,
  };
}
