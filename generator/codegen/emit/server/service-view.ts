import { type DeprecationDates, knownAnnotations } from "../../../language/model/annotations.ts";
import { propertyKey, withoutEscape } from "../../plan/names.ts";
import {
  isOmitted,
  isRead,
  type PlannedBody,
  type PlannedError,
  type PlannedFile,
  type PlannedMethod,
  type PlannedRead,
  type PlannedRoute,
  type PlannedService,
  type RouteField,
} from "../../plan/plan.ts";
import type { Imports } from "../imports.ts";
import { docComment, inlineComment, literal, literalKey, methodDocs } from "../text.ts";

export interface ServerServiceView {
  /** Whether the file declares the type of the handlers. */
  readonly hasHandlers: boolean;
  readonly docs: string;
  readonly name: string;
  readonly handlers: string;
  readonly definition: string;
  /** Names of the omitted methods. */
  readonly leftOut: string;
  readonly methods: readonly MethodView[];
}

interface MethodView {
  readonly docs: string;
  readonly key: string;
  readonly handlerType: string;
  readonly name: string;
  readonly path: string;
  readonly annotations: string;
  readonly errors: string | undefined;
  readonly emptyRequest: boolean;
  readonly emptyResponse: boolean;
  readonly files: string | undefined;
  /** The function that sends a stream or a file. */
  readonly reply: string | undefined;
  readonly takesKey: boolean;
  /** When the method was deprecated, and when it stops working. */
  readonly deprecation: string | undefined;
  readonly route: RouteView | undefined;
  /** How caches may use responses. */
  readonly read: string | undefined;
  /** Name of the error with HTTP status 412. */
  readonly unmatched: string | undefined;
}

interface RouteView {
  readonly verb: string;
  readonly path: string;
  readonly parameters: string;
  readonly query: string | undefined;
}

/** Returns a name such as `MarketplaceHandlers`. */
export function handlersName({ className }: PlannedService): string {
  return `${withoutEscape(className)}Handlers`;
}

/** Returns a name such as `marketplaceDefinition`. Unique, because file names are. */
export function definitionName({ fileName }: PlannedService): string {
  const camel = fileName.replace(/-+([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());
  return `${camel.replace(/[^A-Za-z0-9_$]/g, "")}Definition`;
}

interface ServiceViewOptions {
  /** Whether the schema has reads, whose callers learn versions that conditional writes can check. */
  readonly hasReads: boolean;
  readonly hasHandlers: boolean;
  readonly imports: Imports;
}

export function viewServerService(service: PlannedService, options: ServiceViewOptions): ServerServiceView {
  const { hasReads, hasHandlers, imports } = options;
  const methods = service.methods.filter((method) => !isOmitted(method));
  imports.type("ridlkit-runtime/definition", "ServiceDefinition");
  for (const method of methods) {
    const type = handlerName(method, hasReads);
    const reply = replyFunctions[type];
    if (reply !== undefined) imports.value(handlerModules[type], reply);
    if (method.deprecation !== undefined) imports.value("ridlkit-runtime/handler", "deprecationHeaders");
    if (!hasHandlers) continue;
    imports.type(handlerModules[type], type);
    if (method.response.isEmpty && !method.fileOutput) imports.type("ridlkit-runtime/handler", "NoFields");
  }
  return {
    hasHandlers,
    docs: docComment(service, ""),
    name: literal(service.name),
    handlers: handlersName(service),
    definition: definitionName(service),
    leftOut: service.methods
      .filter(isOmitted)
      .map(({ name }) => inlineComment(name))
      .join(", "),
    methods: methods.map((method) => viewMethod(method, options)),
  };
}

function viewMethod(
  method: PlannedMethod,
  { hasReads, hasHandlers, imports }: ServiceViewOptions,
): MethodView {
  const { name, path, request, response, errors, read } = method;
  const type = handlerName(method, hasReads);
  return {
    docs: docComment(
      methodDocs(method, ({ name: error }) => error),
      "  ",
    ),
    key: propertyKey(name),
    handlerType: hasHandlers ? handlerType(method, type, imports) : "",
    name: literal(name),
    path: literal(path),
    annotations: annotationsText(method.annotations),
    errors: errors === undefined ? undefined : `[${errors.map((error) => literal(error.name)).join(", ")}]`,
    emptyRequest: request.isEmpty,
    emptyResponse: response.isEmpty && !method.fileOutput,
    files: method.files.length === 0 ? undefined : `[${method.files.map(fileText).join(", ")}]`,
    reply: replyFunctions[type],
    takesKey: method.takesKey === true,
    deprecation: method.deprecation && deprecationText(method.deprecation),
    route: method.route && viewRoute(method.route),
    read: read && readText(read),
    unmatched: type === "WriteHandler" ? literal(unmatchedError(method) ?? "") : undefined,
  };
}

function viewRoute({ verb, path, parameters, query }: PlannedRoute): RouteView {
  return {
    verb: literal(verb),
    path: literal(path),
    parameters: routeFieldsText(parameters),
    query: query && routeFieldsText(query),
  };
}

/** `[{ name: "tags", type: "string", isList: true }]`, on one line if it fits. */
function routeFieldsText(fields: readonly RouteField[]): string {
  const texts = fields.map(({ name, queryName, type, isList, isOptional, isMarked, message }) => {
    const marks = `${isList ? ", isList: true" : ""}${isOptional ? ", isOptional: true" : ""}${isMarked ? ", isSecret: true" : ""}`;
    const inQuery = queryName === undefined ? "" : `, queryName: ${literal(queryName)}`;
    const text = message === undefined ? "" : `, message: ${literal(message)}`;
    return `{ name: ${literal(name)}${inQuery}, type: ${literal(type === "timestamp" ? "string" : type)}${marks}${text} }`;
  });
  const line = `[${texts.join(", ")}]`;
  return line.length <= 90 ? line : `[\n${texts.map((text) => `          ${text},\n`).join("")}        ]`;
}

type HandlerName =
  | "FileHandler"
  | "FileReadHandler"
  | "Handler"
  | "ReadHandler"
  | "StreamHandler"
  | "WriteHandler";

function handlerName(method: PlannedMethod, hasReads: boolean): HandlerName {
  if (method.fileOutput) return isRead(method) ? "FileReadHandler" : "FileHandler";
  if (method.streamOutput) return "StreamHandler";
  if (isRead(method)) return "ReadHandler";
  return hasReads && unmatchedError(method) !== undefined ? "WriteHandler" : "Handler";
}

const handlerModules: Readonly<Record<HandlerName, string>> = {
  FileHandler: "ridlkit-runtime/server-files",
  FileReadHandler: "ridlkit-runtime/server-files",
  Handler: "ridlkit-runtime/handler",
  ReadHandler: "ridlkit-runtime/reads",
  StreamHandler: "ridlkit-runtime/server-streams",
  WriteHandler: "ridlkit-runtime/reads",
};

/** The runtime functions that send streams and files. */
const replyFunctions: Partial<Readonly<Record<HandlerName, string>>> = {
  FileHandler: "fileReply",
  FileReadHandler: "fileReadReply",
  StreamHandler: "streamReply",
};

/** Returns the name of the first listed error for a caller that has not seen the current version. */
function unmatchedError({ errors }: PlannedMethod): string | undefined {
  return errors?.find(({ httpStatus }) => httpStatus === 412)?.name;
}

/** `{ cacheControl: "max-age=60", vary: "X-Access-Key" }`. */
function readText({ cacheControl, vary }: PlannedRead): string {
  const names = vary.length === 0 ? "" : `, vary: ${literal(vary.join(", "))}`;
  return `{ cacheControl: ${literal(cacheControl)}${names} }`;
}

/** `{ deprecated: "2026-11-26", sunset: "2027-01-31" }`. */
function deprecationText({ deprecated, sunset }: DeprecationDates): string {
  const dates = Object.entries({ deprecated, sunset }).filter(([, date]) => date !== undefined);
  return `{ ${dates.map(([name, date]) => `${name}: ${literal(date ?? "")}`).join(", ")} }`;
}

/** Prints one line if it fits into 110 columns. */
function handlerType(method: PlannedMethod, type: HandlerName, imports: Imports): string {
  const { name, request, response, errors, fileOutput } = method;
  const raised = errors === undefined ? "SchemaErrorName" : errorUnion(errors, imports);
  const parts = [
    contextType(method, imports),
    typeOf(request.handlerType, imports),
    ...(fileOutput ? [] : [replyType(response, imports)]),
    raised,
  ];
  const line = `${type}<${parts.join(", ")}>`;
  const width = `  readonly ${propertyKey(name)}: ${line};`.length;
  return width <= 110 ? line : `${type}<\n${parts.map((part) => `    ${part}`).join(",\n")}\n  >`;
}

/** `Context & ByAnnotation<Context, "auth">`: the hooks of a server may add to the context of methods with this annotation. */
function contextType({ annotations }: PlannedMethod, imports: Imports): string {
  const added = [...annotations.keys()]
    .filter((name) => !settledAnnotations.has(name))
    .map((name) => `${imports.type("ridlkit-runtime/handler", "ByAnnotation")}<Context, ${literal(name)}>`);
  return ["Context", ...added].join(" & ");
}

/** Annotations whose meaning does not depend on the hooks of a server. */
const settledAnnotations: ReadonlySet<string> = new Set([
  ...knownAnnotations.filter(({ hooks }) => hooks === undefined).map(({ name }) => name),
  "renamedFrom",
]);

/** `{ name: "picture", isOptional: true }`. */
function fileText({ name, optional, isList, within }: PlannedFile): string {
  const marks = `${optional ? ", isOptional: true" : ""}${isList ? ", isList: true" : ""}`;
  return `{ name: ${literal(name)}${marks}${within === undefined ? "" : `, within: ${literal(within.name)}`} }`;
}

function replyType({ isEmpty, handlerType: type }: PlannedBody, imports: Imports): string {
  return isEmpty ? "NoFields" : typeOf(type, imports);
}

/** Imports a type of `types.ts`. */
function typeOf(name: string, imports: Imports): string {
  return imports.member("./types.ts", "types", name);
}

function errorUnion(errors: readonly PlannedError[], imports: Imports): string {
  return errors.length === 0 ? "never" : errors.map((error) => raisedName(error, imports)).join(" | ");
}

/** `"NotFound"`, or `WithData<"SoldOut", types.SoldOutData>`. */
export function raisedName({ name, data }: PlannedError, imports: Imports): string {
  if (data === undefined) return literal(name);
  const type = typeOf(data.type, imports);
  return `${imports.type("ridlkit-runtime/handler", "WithData")}<${literal(name)}, ${type}>`;
}

/** `{ auth: "accessKey", readonly: true }`, or `""`. */
function annotationsText(annotations: PlannedMethod["annotations"]): string {
  const entries = [...annotations].map(
    ([name, value]) => `${literalKey(name)}: ${value === undefined ? "true" : literal(value)}`,
  );
  return entries.length === 0 ? "" : `{ ${entries.join(", ")} }`;
}
