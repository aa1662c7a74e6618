import { propertyKey, withoutEscape } from "../../plan/names.ts";
import {
  hasRoute,
  isOmitted,
  type PlannedBody,
  type PlannedFile,
  type PlannedMethod,
  type PlannedRoute,
  type PlannedService,
  type RouteField,
} from "../../plan/plan.ts";
import { docComment, inlineComment, literal, literalKey } from "../text.ts";

interface ServiceView {
  readonly docs: string;
  readonly name: string;
  readonly handlers: string;
  readonly definition: string;
  /** Names of the omitted methods. */
  readonly leftOut: string;
  /** Imported types of ordinary handlers. */
  readonly handlerTypes: string;
  readonly hasStreams: boolean;
  readonly returnsFiles: boolean;
  readonly usesSchemaErrors: boolean;
  readonly hasRoutes: boolean;
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
  readonly bigintResponse: boolean;
  readonly route: RouteView | undefined;
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

/** Validators fill in defaults. Without them, handlers receive requests as callers sent them. */
export function viewService(service: PlannedService, isValidated: boolean): ServiceView {
  const methods = service.methods.filter((method) => !isOmitted(method));
  return {
    docs: docComment(service, ""),
    name: literal(service.name),
    handlers: handlersName(service),
    definition: definitionName(service),
    leftOut: service.methods
      .filter(isOmitted)
      .map(({ name }) => inlineComment(name))
      .join(", "),
    handlerTypes: [
      ...(methods.some(({ streamOutput, fileOutput }) => !streamOutput && !fileOutput) ? ["Handler"] : []),
      ...(methods.some(({ response, fileOutput }) => response.isEmpty && !fileOutput) ? ["NoFields"] : []),
    ].join(", "),
    hasStreams: methods.some(({ streamOutput }) => streamOutput),
    returnsFiles: methods.some(({ fileOutput }) => fileOutput),
    hasRoutes: methods.some(hasRoute),
    usesSchemaErrors: methods.some(({ errors }) => errors === undefined),
    methods: methods.map((method) => viewMethod(method, isValidated)),
  };
}

function viewMethod(method: PlannedMethod, isValidated: boolean): MethodView {
  const { name, path, request, response, errors } = method;
  return {
    docs: docComment(method, "  "),
    key: propertyKey(name),
    handlerType: handlerType(method, isValidated),
    name: literal(name),
    path: literal(path),
    annotations: annotationsText(method.annotations),
    errors: errors === undefined ? undefined : `[${errors.map((error) => literal(error.name)).join(", ")}]`,
    emptyRequest: request.isEmpty,
    emptyResponse: response.isEmpty && !method.fileOutput,
    files: method.files.length === 0 ? undefined : `[${method.files.map(fileText).join(", ")}]`,
    reply: method.fileOutput ? "fileReply" : method.streamOutput ? "streamReply" : undefined,
    bigintResponse: response.hasBigint,
    route: method.route && viewRoute(method.route),
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
  const texts = fields.map(({ name, type, isList, isOptional, isMarked }) => {
    const marks = `${isList ? ", isList: true" : ""}${isOptional ? ", isOptional: true" : ""}${isMarked ? ", isSecret: true" : ""}`;
    return `{ name: ${literal(name)}, type: ${literal(type === "timestamp" ? "string" : type)}${marks} }`;
  });
  const line = `[${texts.join(", ")}]`;
  return line.length <= 90 ? line : `[\n${texts.map((text) => `          ${text},\n`).join("")}        ]`;
}

/** Prints one line if it fits into 110 columns. */
function handlerType(method: PlannedMethod, isValidated: boolean): string {
  const { name, request, response, errors, streamOutput, fileOutput, files } = method;
  const type = fileOutput ? "FileHandler" : streamOutput ? "StreamHandler" : "Handler";
  // Handlers receive files even without validators.
  const isRead = isValidated || files.length > 0;
  const raised = errors === undefined ? "SchemaErrorName" : errorUnion(errors.map((error) => error.name));
  const parts = [
    "Host",
    `types.${isRead ? request.handlerType : request.callerType}`,
    ...(fileOutput ? [] : [replyType(response)]),
    raised,
  ];
  const line = `${type}<${parts.join(", ")}>`;
  const width = `  readonly ${propertyKey(name)}: ${line};`.length;
  return width <= 110 ? line : `${type}<\n${parts.map((part) => `    ${part}`).join(",\n")}\n  >`;
}

/** `{ name: "picture", isOptional: true }`. */
function fileText({ name, optional, isList, within }: PlannedFile): string {
  const marks = `${optional ? ", isOptional: true" : ""}${isList ? ", isList: true" : ""}`;
  return `{ name: ${literal(name)}${marks}${within === undefined ? "" : `, within: ${literal(within.name)}`} }`;
}

function replyType({ isEmpty, handlerType: type }: PlannedBody): string {
  return isEmpty ? "NoFields" : `types.${type}`;
}

function errorUnion(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map(literal).join(" | ");
}

/** `{ auth: "accessKey", readonly: true }`. */
function annotationsText(annotations: PlannedMethod["annotations"]): string {
  const entries = [...annotations].map(
    ([name, value]) => `${literalKey(name)}: ${value === undefined ? "true" : literal(value)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
