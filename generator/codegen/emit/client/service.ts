/**
 * Emits the file of a service: a function for each method, so that bundles contain only those in use, and a class with
 * all of them.
 */
import { claimName } from "../../plan/names.ts";
import {
  isOmitted,
  type Plan,
  type PlannedFile,
  type PlannedMethod,
  type PlannedRoute,
  type PlannedService,
} from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { type ErrorUnions, unionText } from "../errors/unions.ts";
import type { Imports } from "../imports.ts";
import { methodDocs } from "../method-docs.ts";
import { type Overrides, template } from "../render.ts";
import { docComment, header, literal } from "../text.ts";
import type { ClientFiles } from "./files.ts";
import type { ClientNames } from "./names.ts";
import { asPaged, pagedType } from "./paging.ts";
import { asResumable, resumableType } from "./resume.ts";
import ownTemplate from "./service.hbs";
import type { ShapeRegistry } from "./shapes.ts";

interface ServiceView {
  readonly header: string;
  readonly imports: readonly string[];
  readonly docs: string;
  readonly className: string;
  /** Name and type of the property that holds the client. */
  readonly client: string;
  readonly clientType: string;
  readonly methods: readonly MethodView[];
  /** Comments about omitted methods. */
  readonly leftOut: readonly string[];
}

interface MethodView {
  readonly name: string;
  /** Name in the class. */
  readonly memberName: string;
  readonly docs: string;
  readonly memberDocs: string;
  readonly errorName: string;
  readonly errorDocs: string;
  readonly errors: string;
  /** Type of the function. */
  readonly type: string;
  readonly create: string;
  /** Parameters of the class's method. */
  readonly parameters: string;
  readonly passed: string;
  readonly answer: string;
}

const print = template<ServiceView>(ownTemplate);

/** What all services share. */
export interface ClientParts {
  readonly plan: Plan;
  readonly names: ClientNames;
  readonly fileNames: ClientFiles;
  readonly unions: ErrorUnions;
  readonly shapes: ShapeRegistry;
  readonly overrides: Overrides | undefined;
  /** Returns the imports of a file that declares these names. With the layout "single", all services share them. */
  readonly importsOf: (own: ReadonlySet<string>) => Imports;
}

/** Emits `client/<service>.ts`. */
export function emitService(service: PlannedService, parts: ClientParts): EmittedFile {
  const { plan } = parts;
  const methods = service.methods.filter((method) => !isOmitted(method));
  const members = new Set(methods.map(({ memberName }) => memberName));
  const imports = parts.importsOf(parts.names.ofFile(service));
  const scope: Scope = { ...parts, imports, service };
  const view = {
    header: header(plan.schemaFile),
    docs: docComment(service, ""),
    className: service.className,
    client: claimName("client", members),
    clientType: imports.type("../runtime/v1/client.ts", "Client"),
    methods: methods.map((method) => methodView(method, parts.names.errorOf(method), scope)),
    leftOut: service.methods.filter(isOmitted).map(omissionNote),
  };
  const text = print({ ...view, imports: imports.lines() }, parts.overrides);
  return { path: `client/${service.fileName}.ts`, text };
}

interface Scope extends ClientParts {
  readonly imports: Imports;
  readonly service: PlannedService;
}

function methodView(method: PlannedMethod, errorName: string, scope: Scope): MethodView {
  const { functionName, memberName, request, response, streamOutput } = method;
  const { imports } = scope;
  const requestType = imports.type("../types.ts", request.callerType);
  const responseType = method.fileOutput
    ? imports.type(receivedFileFile, "ReceivedFile")
    : imports.type("../types.ts", response.callerType);
  const optional = request.isEmpty;
  const typeArguments = `${requestType}, ${responseType}, ${errorName}`;
  const optionsType = streamOutput
    ? `${imports.type("../runtime/v1/stream.ts", "StreamOptions")}<${requestType}, ${responseType}>`
    : imports.type("../runtime/v1/client.ts", "CallOptions");
  // A method may be called Req. Its parameters must not shadow the function that it calls.
  const taken = new Set([functionName]);
  const req = claimName("req", taken);
  const options = claimName("options", taken);
  const docs = methodDocs(method, ({ className }) => imports.type("../errors.ts", className));
  return {
    name: functionName,
    memberName,
    docs: docComment(docs, ""),
    memberDocs: docComment(docs, "  "),
    errorName,
    errorDocs: docComment({ docs: [`The errors of \`${functionName}\`.`] }, ""),
    errors: errorsOf(method, errorName, scope),
    type:
      pagedType(method, typeArguments, scope.plan, imports) ??
      resumableType(method, typeArguments, imports) ??
      `${methodType(method, imports)}<${typeArguments}>`,
    create: asResumable(asPaged(creation(method, scope), method, imports), method, imports),
    parameters: `${req}${optional ? "?" : ""}: ${requestType}, ${options}?: ${optionsType}`,
    passed: `${req}, ${options}`,
    answer: `${
      streamOutput
        ? imports.type("../runtime/v1/stream.ts", "Stream")
        : imports.type("../runtime/v1/result.ts", "Answer")
    }<${responseType}, ${errorName}>`,
  };
}

function methodType({ request, streamOutput }: PlannedMethod, imports: Imports): string {
  const prefix = request.isEmpty ? "EmptyRequest" : "";
  return streamOutput
    ? imports.type(streamFile, `${prefix}StreamMethod`)
    : imports.type(methodFile, `${prefix}Method`);
}

const receivedFileFile = "../runtime/v1/received-file.ts";
const methodFile = "../runtime/v1/method.ts";
const streamFile = "../runtime/v1/stream-method.ts";

/** Returns the union of the errors that the handler may raise and those that every method may raise. */
function errorsOf(
  { errors, streamOutput }: PlannedMethod,
  errorName: string,
  { plan, unions, imports }: Scope,
): string {
  const { protocol, unlisted, schema } = unions;
  const shared = unlisted.members.length === 0 ? [] : [unlisted.name];
  const own = errors === undefined ? [schema.name] : [...errors.map(({ className }) => className), ...shared];
  const lost = plan.errors.filter(({ builtin, code }) => builtin && code === streamLostCode);
  const ofStreams = streamOutput ? lost.map(({ className }) => className) : [];
  const members = [...own, protocol.name, ...ofStreams].map((name) => imports.type("../errors.ts", name));
  return unionText(members, `export type ${errorName} = ;`.length);
}

const streamLostCode = -9;

/** Prints `method(schema, "Marketplace", "GetOrders", { idempotent: true })`. */
function creation(method: PlannedMethod, scope: Scope): string {
  const { name, idempotent, takesKey, files, fileOutput } = method;
  const { plan, fileNames, imports, service, shapes } = scope;
  const traits: string[] = [];
  // With its key, a call can be repeated.
  if (idempotent || takesKey) traits.push("idempotent: true");
  const print = requestPrinter(method, scope);
  if (print !== undefined) traits.push(`print: ${print}`);
  if (files.length > 0) traits.push(`files: [${files.map(fileText).join(", ")}]`);
  if (fileOutput) traits.push("answersFile: true");
  if (method.route !== undefined) traits.push(...routeTraits(method.route, scope));
  const shapeName = shapes.nameFor(method, "response");
  if (shapeName !== undefined) {
    if (plan.int64 === "bigint") traits.push(`parse: ${imports.value(int64JsonFile, "parseInt64Json")}`);
    const shape = imports.value(`./${fileNames.shapes}.ts`, shapeName);
    traits.push(`decode: (res) => ${imports.value(jsonValuesFile, "convert")}(res, ${shape})`);
  }
  const schema = imports.value(`./${fileNames.schema}.ts`, "schema");
  const values = [schema, literal(service.name), literal(name)];
  const call = methodFactory(method, imports);
  const line = `${call}(${[...values, `{ ${traits.join(", ")} }`].join(", ")})`;
  if (traits.length === 0) return wrapped(`${call}(${values.join(", ")})`, method, imports);
  if (line.length <= lineWidth) return wrapped(line, method, imports);
  const lines = `${call}(${values.join(", ")}, {\n${traits.map((trait) => `    ${trait},\n`).join("")}  })`;
  return wrapped(lines, method, imports);
}

/**
 * Adds the forms of a read without a route, `readMethod(method(…))`, or an idempotency key. Bundlers need a comment for
 * each call.
 */
function wrapped(created: string, { read, route, takesKey }: PlannedMethod, imports: Imports): string {
  const isUnroutedRead = read !== undefined && route === undefined;
  if (!isUnroutedRead && !takesKey) return created;
  const wrapper = takesKey
    ? imports.value("../runtime/v1/keyed-method.ts", "keyedMethod")
    : imports.value("../runtime/v1/read-method.ts", "readMethod");
  return `${wrapper}(/* @__PURE__ */ ${created})`;
}

/** `"picture"`, or `["pet", "picture"]` for a field of an argument. */
function fileText({ name, within }: PlannedFile): string {
  return within === undefined ? literal(name) : `[${literal(within.name)}, ${literal(name)}]`;
}

/** The error of an invalid request is a trait, because most methods need none. */
function routeTraits({ verb, path, query }: PlannedRoute, { fileNames, imports }: Scope): readonly string[] {
  const names = query?.map(({ name }) => literal(name)).join(", ");
  const refusal = imports.value(`./${fileNames.schema}.ts`, "refusal");
  return [
    `verb: ${literal(verb)}`,
    `path: ${literal(path)}`,
    ...(names === undefined ? [] : [`query: [${names}]`]),
    refusal === "refusal" ? refusal : `refusal: ${refusal}`,
  ];
}

function methodFactory({ streamOutput, fileOutput, files, route }: PlannedMethod, imports: Imports): string {
  if (route !== undefined) return imports.value("../runtime/v1/routed-method.ts", "routedMethod");
  if (streamOutput && files.length > 0)
    return imports.value("../runtime/v1/file-stream-method.ts", "fileStreamMethod");
  if (streamOutput) return imports.value(streamFile, "streamMethod");
  if (fileOutput || files.length > 0) return imports.value("../runtime/v1/file-method.ts", "fileMethod");
  return imports.value(methodFile, "method");
}

/** Longest call on one line, after the comment for bundlers. */
const lineWidth = 90;

const jsonValuesFile = "../runtime/v1/json-values.ts";

const int64JsonFile = "../runtime/v1/int64-json.ts";

/** Returns the code that prints a request with values that JSON cannot represent. Undefined if there are none. */
function requestPrinter(
  method: PlannedMethod,
  { plan, fileNames, imports, shapes }: Scope,
): string | undefined {
  const printer =
    method.request.hasBigint && plan.int64 === "bigint"
      ? imports.value(int64JsonFile, "printInt64Json")
      : undefined;
  const shapeName = shapes.nameFor(method, "request");
  if (shapeName === undefined) return printer;
  const shape = imports.value(`./${fileNames.shapes}.ts`, shapeName);
  const refusal = imports.value(`./${fileNames.schema}.ts`, "refusal");
  const values = ["req", shape, refusal, ...(printer === undefined ? [] : [printer])];
  return `(req) => ${imports.value(jsonValuesFile, "printRequest")}(${values.join(", ")})`;
}

function omissionNote({ name }: PlannedMethod): string {
  return `// ${literal(name)} is omitted: streaming requests are not supported.`;
}
