import type { ResolvedType } from "../../../language/model/types.ts";
import type { ErrorUnions } from "../../plan/errors.ts";
import { claimName } from "../../plan/names.ts";
import {
  type FieldPath,
  isOmitted,
  type Plan,
  type PlannedFile,
  type PlannedMethod,
  type PlannedPaging,
  type PlannedResume,
  type PlannedRoute,
  type PlannedService,
} from "../../plan/plan.ts";
import { coreTypeText } from "../../plan/type-text.ts";
import type { Imports } from "../imports.ts";
import {
  bigintLiteral,
  docComment,
  literal,
  literalKey,
  methodDocs,
  queryEntry,
  unionText,
} from "../text.ts";
import type { ShapeRegistry } from "./shapes.ts";

export interface ClientNames {
  /** The names of classes, functions and error types. */
  readonly declared: ReadonlySet<string>;
  /** Returns the name of a method's error type: `getOrders` → `GetOrdersError`. */
  readonly errorOf: (method: PlannedMethod) => string;
}

export interface ClientServiceView {
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

/** What all services share. */
interface ClientParts {
  readonly plan: Plan;
  readonly names: ClientNames;
  readonly imports: Imports;
  readonly unions: ErrorUnions;
  readonly shapes: ShapeRegistry;
}

export function viewClientService(service: PlannedService, parts: ClientParts): ClientServiceView {
  const methods = service.methods.filter((method) => !isOmitted(method));
  const members = new Set(methods.map(({ memberName }) => memberName));
  const scope: Scope = { ...parts, service };
  return {
    docs: docComment(service, ""),
    className: service.className,
    client: claimName("client", members),
    clientType: parts.imports.type("ridlkit-runtime/client", "Client"),
    methods: methods.map((method) => methodView(method, parts.names.errorOf(method), scope)),
    leftOut: service.methods.filter(isOmitted).map(omissionNote),
  };
}

interface Scope extends ClientParts {
  readonly service: PlannedService;
}

function methodView(method: PlannedMethod, errorName: string, scope: Scope): MethodView {
  const { functionName, memberName, request, response, streamOutput } = method;
  const { imports } = scope;
  const requestType = imports.member("./types.ts", "types", request.callerType);
  const responseType = method.fileOutput
    ? imports.type(receivedFileFile, "ReceivedFile")
    : imports.member("./types.ts", "types", response.callerType);
  const optional = request.isEmpty;
  const typeArguments = `${requestType}, ${responseType}, ${errorName}`;
  const optionsType = streamOutput
    ? `${imports.type("ridlkit-runtime/client-streams", "StreamOptions")}<${requestType}, ${responseType}>`
    : imports.type("ridlkit-runtime/client", "CallOptions");
  // A method may be called Req. Its parameters must not shadow the function that it calls.
  const taken = new Set([functionName]);
  const req = claimName("req", taken);
  const options = claimName("options", taken);
  const docs = methodDocs(method, ({ className }) => imports.type("./errors.ts", className));
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
    create: asResumable(asPaged(creation(method, scope), method, scope), method, scope),
    parameters: `${req}${optional ? "?" : ""}: ${requestType}, ${options}?: ${optionsType}`,
    passed: `${req}, ${options}`,
    answer: `${
      streamOutput
        ? imports.type("ridlkit-runtime/client-streams", "Stream")
        : imports.type("ridlkit-runtime/client", "CallPromise")
    }<${responseType}, ${errorName}>`,
  };
}

function methodType({ request, streamOutput }: PlannedMethod, imports: Imports): string {
  const prefix = request.isEmpty ? "EmptyRequest" : "";
  return streamOutput
    ? imports.type(streamFile, `${prefix}StreamMethod`)
    : imports.type(methodFile, `${prefix}Method`);
}

const receivedFileFile = "ridlkit-runtime/client-files";
const methodFile = "ridlkit-runtime/client";
const streamFile = "ridlkit-runtime/client-streams";

/** Returns the union of the errors that the handler may raise and those that every method may raise. */
function errorsOf(
  { errors, streamOutput }: PlannedMethod,
  errorName: string,
  { plan, unions, imports }: Scope,
): string {
  const { protocol, unlisted, schema } = unions;
  const shared = unlisted.members.length === 0 ? [] : [unlisted.name];
  const own = errors === undefined ? [schema.name] : [...errors.map(({ className }) => className), ...shared];
  const lost = plan.errors.filter(({ isOfProtocol, code }) => isOfProtocol && code === streamLostCode);
  const ofStreams = streamOutput ? lost.map(({ className }) => className) : [];
  const members = [...own, protocol.name, ...ofStreams].map((name) => imports.type("./errors.ts", name));
  return unionText(members, `export type ${errorName} = ;`.length);
}

const streamLostCode = -9;

/** Prints `method(schema, "Marketplace", "GetOrders", { idempotent: true })`. */
function creation(method: PlannedMethod, scope: Scope): string {
  const { name, idempotent, takesKey, files, fileOutput } = method;
  const { plan, imports, service, shapes } = scope;
  const traits: string[] = [];
  // With its key, a call can be repeated.
  if (idempotent || takesKey) traits.push("idempotent: true");
  const print = requestPrinter(method, scope);
  if (print !== undefined) traits.push(`print: ${print}`);
  if (files.length > 0) traits.push(`files: [${files.map(fileText).join(", ")}]`);
  if (fileOutput) traits.push("answersFile: true");
  if (method.route !== undefined) traits.push(...routeTraits(method.route));
  const shapeName = shapes.nameFor(method, "response");
  if (shapeName !== undefined) {
    if (plan.int64 === "bigint") traits.push(`parse: ${imports.value(int64JsonFile, "parseInt64Json")}`);
    traits.push(`decode: (res) => ${imports.value(jsonValuesFile, "convert")}(res, ${shapeName})`);
  }
  const values = ["schema", literal(service.name), literal(name)];
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
    ? imports.value("ridlkit-runtime/client", "keyedMethod")
    : imports.value("ridlkit-runtime/client", "readMethod");
  return `${wrapper}(/* @__PURE__ */ ${created})`;
}

/** `"picture"`, or `["pet", "picture"]` for a field of an argument. */
function fileText({ name, within }: PlannedFile): string {
  return within === undefined ? literal(name) : `[${literal(within.name)}, ${literal(name)}]`;
}

function routeTraits({ verb, path, query }: PlannedRoute): readonly string[] {
  const names = query?.map(queryEntry).join(", ");
  return [
    `verb: ${literal(verb)}`,
    `path: ${literal(path)}`,
    ...(names === undefined ? [] : [`query: [${names}]`]),
  ];
}

function methodFactory({ streamOutput, fileOutput, files, route }: PlannedMethod, imports: Imports): string {
  if (route !== undefined) return imports.value("ridlkit-runtime/client", "routedMethod");
  if (streamOutput && files.length > 0)
    return imports.value("ridlkit-runtime/client-file-streams", "fileStreamMethod");
  if (streamOutput) return imports.value(streamFile, "streamMethod");
  if (fileOutput || files.length > 0) return imports.value("ridlkit-runtime/client-files", "fileMethod");
  return imports.value(methodFile, "method");
}

/** Longest call on one line, after the comment for bundlers. */
const lineWidth = 90;

const jsonValuesFile = "ridlkit-runtime/shapes";

const int64JsonFile = "ridlkit-runtime/json";

/** Returns the code that prints a request that may have values that JSON cannot represent. Undefined if it has none. */
function requestPrinter(method: PlannedMethod, { plan, imports, shapes }: Scope): string | undefined {
  const printer =
    method.request.hasBigint && plan.int64 === "bigint"
      ? imports.value(int64JsonFile, "printInt64Json")
      : undefined;
  if (!shapes.isChecked(method)) return printer;
  const shapeName = shapes.nameFor(method, "request");
  const more = printer === undefined ? [shapeName ?? []] : [shapeName ?? "undefined", printer];
  const values = ["req", "schema", ...more.flat()];
  return `(req) => ${imports.value(jsonValuesFile, "printRequest")}(${values.join(", ")})`;
}

function omissionNote({ name }: PlannedMethod): string {
  return `// ${literal(name)} is omitted: streaming requests are not supported.`;
}

/* Prints how a paged method gets from page to page: `{ next: (page, req) => …, items: (page) => … }`. */

const pagedFile = "ridlkit-runtime/paging";

/** Returns the type of a paged method. Undefined for other methods. */
function pagedType(
  { paging, response }: PlannedMethod,
  typeArguments: string,
  plan: Plan,
  imports: Imports,
): string | undefined {
  if (paging?.item === undefined) return undefined;
  const { item, items = [] } = paging;
  const responseType = imports.member(typesFile, "types", response.callerType);
  return `${imports.type(pagedFile, "PagedMethod")}<${typeArguments}, ${itemType(item)}>`;

  function itemType(type: ResolvedType): string {
    if (type.kind === "struct") return imports.member(typesFile, "types", type.name);
    if (type.kind === "core") return coreTypeText(type.name, plan);
    // Responses may contain enum values and maps in a form of their own.
    const list = items.reduce((text, { wireName, optional, nullable }) => {
      const field = `${text}[${literal(wireName)}]`;
      return optional || nullable ? `NonNullable<${field}>` : field;
    }, responseType);
    return `${list}[number]`;
  }
}

const typesFile = "./types.ts";

/** Adds the functions of a paged method to the code that creates it. */
function asPaged(created: string, { paging }: PlannedMethod, scope: Scope): string {
  if (paging?.items === undefined) return created;
  const paged = scope.imports.value(pagedFile, "paged");
  return `${paged}(
    /* @__PURE__ */ ${created.replaceAll("\n", "\n  ")},
    {
      next: ${nextFunction(follows(paging), nextRequest(paging, scope))},
      items: (page) => ${listAt(paging.items)},
    },
  )`;
}

function nextFunction(condition: string, next: string): string {
  const line = `(page, req) => (${condition} ? ${next} : undefined)`;
  if (line.length <= lineWidth) return line;
  return `(page, req) =>
        ${condition}
          ? ${next}
          : undefined`;
}

/** `page.more`, `page.next`, or `page.items.length > 0`. */
function follows({ more, items = [] }: PlannedPaging): string {
  if (more !== undefined) return access("page", more);
  return `${mayBeAbsent(items) ? `(${listAt(items)})` : listAt(items)}.length > 0`;
}

/** `{ ...req, page: { ...req.page, number: (req.page?.number || 1) + 1 } }`. */
function nextRequest(paging: PlannedPaging, scope: Scope): string {
  const { page, more = [], isCursor } = paging;
  const value = isCursor ? access("page", more, false) : branded(nextNumber(paging), page, scope);
  return requestWith(page, value);
}

/** An absent number is that of the first page. So is 0 where pages count from 1, because Go writes 0 for absent numbers. */
function nextNumber({ page, firstPage }: PlannedPaging): string {
  const [first, one] =
    typeof firstPage === "bigint"
      ? [bigintLiteral(firstPage), bigintLiteral(BigInt(1))]
      : [`${firstPage}`, "1"];
  const current = access("req", page);
  if (Number(firstPage) !== 0) return `(${current} || ${first}) + ${one}`;
  const isOptional = mayBeAbsent(page) || page.at(-1)?.default !== undefined;
  return `${isOptional ? `(${current} ?? ${first})` : current} + ${one}`;
}

function listAt(path: FieldPath): string {
  return mayBeAbsent(path) ? `${access("page", path)} ?? []` : access("page", path);
}

function mayBeAbsent(path: FieldPath): boolean {
  return path.some(({ optional, nullable }) => optional || nullable);
}

/* Prints how a stream with `@resume` continues: `{ after: (req, item) => …, start: (req, position) => … }`. */

const resumableFile = "ridlkit-runtime/client-streams";

/** Returns the type of a method with `@resume`. Undefined for other methods. */
function resumableType(
  { resume }: PlannedMethod,
  typeArguments: string,
  imports: Imports,
): string | undefined {
  return resume && `${imports.type(resumableFile, "ResumableMethod")}<${typeArguments}>`;
}

/** Adds the functions of a method with `@resume` to the code that creates it. */
function asResumable(created: string, { resume }: PlannedMethod, scope: Scope): string {
  if (resume === undefined) return created;
  const { after, id, form } = resume;
  return `${scope.imports.value(resumableFile, "resumable")}(
    /* @__PURE__ */ ${created.replaceAll("\n", "\n  ")},
    {
      after: (req, item) => (${requestWith(after, access("item", id))}),
      start: (req, position) => (${requestWith(after, branded(positions[form], after, scope))}),
    },
  )`;
}

const positions: Readonly<Record<PlannedResume["form"], string>> = {
  string: "position",
  number: "Number(position)",
  bigint: "BigInt(position)",
};

/** Prints a plain value as one of the branded type that a field may have: `position as types.Version`. */
function branded(value: string, path: FieldPath, { plan: { finder }, imports }: Scope): string {
  const type = path.at(-1)?.type;
  for (let at = type; at?.kind === "alias"; at = finder.alias(at.name).type)
    if (type?.kind === "alias" && finder.alias(at.name).brander !== undefined)
      return `${value.includes(" ") ? `(${value})` : value} as ${imports.member("./types.ts", "types", type.name)}`;
  return value;
}

/* Prints code that reads and sets the field of a path. */

/** `{ ...req, page: { ...req.page, number: 2 } }`. */
function requestWith(path: FieldPath, value: string): string {
  const parts = path.map(({ wireName }, depth) => {
    const outer = access("req", path.slice(0, depth));
    return { open: `{ ...${outer}, ${literalKey(wireName)}: `, close: " }" };
  });
  return `${parts.map(({ open }) => open).join("")}${value}${parts.map(({ close }) => close).join("")}`;
}

/** `page.meta?.next`, or `page.meta.next` where the compiler knows that `meta` is present. */
function access(root: string, path: FieldPath, isChecked = true): string {
  let text = root;
  let isOptional = false;
  for (const { wireName, optional, nullable, default: value } of path) {
    const key = literalKey(wireName);
    const isName = /^[\w$]+$/.test(key);
    const dot = isOptional ? "?." : isName ? "." : "";
    text += dot + (isName ? key : key.startsWith("[") ? key : `[${key}]`);
    isOptional = isChecked && (optional || nullable || value !== undefined);
  }
  return text;
}
