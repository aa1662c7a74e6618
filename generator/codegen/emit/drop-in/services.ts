import type { PlannedMethod, PlannedRoute, PlannedService } from "../../plan/plan.ts";
import { docComment, literal, methodDocs, queryEntry } from "../text.ts";
import { type FileNames, memberNames, queryName } from "./names.ts";
import { reservedMembers, reservedServerMembers } from "./reserved.ts";

export interface ServiceView {
  readonly name: string;
  readonly path: string;
  readonly docs: string;
  readonly methods: readonly MethodView[];
  readonly hasRoutes: boolean;
  /** Some methods are called on their default path. */
  readonly hasUnrouted: boolean;
  /** The type parameter of its server. */
  readonly context: string;
  /** Prefix of unused parameters. */
  readonly unused: "" | "_";
}

interface MethodView {
  readonly docs: string;
  readonly name: string;
  readonly serverName: string;
  readonly wire: string;
  /** Parameter, type and value of a query key: `["Example", "getUser", req]`. */
  readonly keyParameter: string;
  readonly keyType: string;
  readonly keyValue: string;
  readonly parameters: string;
  readonly answer: string;
  readonly request: string;
  readonly requestName: string;
  readonly requestLiteral: string;
  readonly response: string;
  /** What a handler returns. */
  readonly served: string;
  readonly responseName: string;
  /** The request or the response has files. */
  readonly hasFiles: boolean;
  readonly streams: boolean;
  /** The route as code: `["GET", "/rpc/pets/{id}", ["limit"]]`. */
  readonly route: string | undefined;
  /** The route for the server: `["GET", "/rpc/pets/{id}", false]`. */
  readonly servedRoute: string | undefined;
}

export function viewService(basepath: string, service: PlannedService, names: FileNames): ServiceView {
  const members = memberNames(service, reservedMembers);
  const serverMembers = memberNames(service, reservedServerMembers);
  const methods = service.methods
    .filter(({ streamInput }) => !streamInput)
    .map((method) => ({
      ...viewMethod(service, method, names),
      name: members.get(method) ?? method.memberName,
      serverName: serverMembers.get(method) ?? method.memberName,
    }));
  const unused = methods.length === 0 ? "_" : "";
  return {
    name: names.service(service),
    path: literal(`${basepath}${service.name}/`),
    docs: docComment(service, ""),
    methods,
    hasRoutes: methods.some(({ route }) => route !== undefined),
    hasUnrouted: methods.some(({ route }) => route === undefined),
    context: `${unused}${names.context}`,
    unused,
  };
}

function viewMethod(
  service: PlannedService,
  method: PlannedMethod,
  names: FileNames,
): Omit<MethodView, "name" | "serverName"> {
  const request = names.type(method.request.typeName);
  const { fileOutput } = method;
  const response = fileOutput ? "WebrpcFile" : names.type(method.response.typeName);
  const hasRequest = !(method.request.isOwn && method.request.isEmpty);
  const key = `${literal(service.name)}, ${literal(queryName(method))}`;
  const req = hasRequest ? `req: ${request}, ` : "";
  return {
    docs: docComment(
      methodDocs(method, (error) => names.error(error)),
      "  ",
    ),
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
    served: fileOutput ? "Blob | File" : response,
    responseName: literal(fileOutput ? "file" : response),
    hasFiles: fileOutput || method.files.length > 0,
    streams: method.streamOutput,
    route: method.route && routeText(method.route),
    servedRoute: method.route && servedRouteText(method.route),
  };
}

/** Without a list of names, the request is the body. */
function routeText({ verb, path, query }: PlannedRoute): string {
  const names = query === undefined ? "" : `, [${query.map(queryEntry).join(", ")}]`;
  return `[${literal(verb)}, ${literal(path)}${names}]`;
}

/** With the names of fields in the query, if they differ from those in JSON. */
function servedRouteText({ verb, path, query }: PlannedRoute): string {
  const renamed = (query ?? []).filter(({ queryName }) => queryName !== undefined);
  const names = renamed.length === 0 ? "" : `, [${renamed.map(queryEntry).join(", ")}]`;
  return `[${literal(verb)}, ${literal(path)}, ${query === undefined}${names}]`;
}
