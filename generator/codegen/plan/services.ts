import {
  cacheControl,
  cacheOf,
  idempotencyKeyName,
  keyFault,
  readDeprecation,
} from "../../language/model/annotations.ts";
import type { Path } from "../../language/model/field-paths.ts";
import type { MethodModel, Model, ServiceModel, TypeModel } from "../../language/model/model.ts";
import { type PagingModel, readPaging } from "../../language/model/paging.ts";
import { type ResumeModel, readResume } from "../../language/model/resume.ts";
import { joinedPath, segmentsOf } from "../../language/model/routes.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import { bodilessVerbs } from "../../language/syntax/route-verbs.ts";
import { documented } from "./docs.ts";
import { isMarkedField } from "./marked-fields.ts";
import {
  claimName,
  kebabCase,
  MethodNames,
  memberIdentifier,
  type TypeNames,
  typeIdentifier,
  valueIdentifier,
} from "./names.ts";
import type {
  FieldPath,
  PlannedBody,
  PlannedError,
  PlannedField,
  PlannedMethod,
  PlannedPaging,
  PlannedRead,
  PlannedResume,
  PlannedRoute,
  PlannedService,
  PlannedStruct,
  RouteField,
  TypeFinder,
} from "./plan.ts";
import { coreTypeText, type ValueForms } from "./type-text.ts";
import { planFile, type TypePlanner } from "./types.ts";
import type { VariantNames } from "./variants.ts";

/** A body before its variants are named. */
type Body = Omit<PlannedBody, "callerType" | "handlerType">;

/** The bodies of all methods, and the structs that methods declare by their arguments. */
interface Bodies {
  readonly structs: readonly PlannedStruct[];
  readonly byMethod: ReadonlyMap<MethodModel, { readonly request: Body; readonly response: Body }>;
}

export function planBodies(model: Model, names: TypeNames, types: TypePlanner): Bodies {
  const structs: PlannedStruct[] = [];
  const methodNames = new MethodNames();
  /** A struct of the schema, or a type such as `GetUserRequest`. */
  const bodyOf = (method: MethodModel, own: string, side: "Request" | "Response"): Body => {
    const payload = side === "Request" ? method.input : method.output;
    if (payload.kind === "struct") {
      const struct = model.typeByName.get(payload.name);
      return {
        typeName: names.of(payload.name),
        isOwn: false,
        isEmpty: struct?.kind === "struct" && struct.fields.length === 0 && struct.files.length === 0,
        hasBigint: types.hasBigint({ kind: "struct", name: payload.name }),
      };
    }
    const typeName = names.claim(`${own}${side}`);
    const uses = { inRequests: side === "Request", inResponses: side === "Response" };
    const body = types.body(typeName, payload.arguments, uses);
    const files = side === "Request" ? method.files.filter(({ within }) => within === undefined) : [];
    structs.push(files.length === 0 ? body : { ...body, files: files.map(planFile) });
    const isEmpty = body.fields.length === 0 && files.length === 0;
    return { typeName, isOwn: true, isEmpty, hasBigint: body.hasBigint };
  };
  const byMethod = new Map<MethodModel, { readonly request: Body; readonly response: Body }>();
  for (const service of model.services)
    for (const method of service.methods) {
      const own = methodNames.of(service.name, method.name);
      const request = bodyOf(method, own, "Request");
      const response = method.fileOutput ? noBody : bodyOf(method, own, "Response");
      byMethod.set(method, { request, response });
    }
  return { structs, byMethod };
}

/** The response of a method that returns a file. */
const noBody: Body = { typeName: "", isOwn: true, isEmpty: true, hasBigint: false };

/** What is known before the services are planned. */
interface ServiceContext {
  readonly model: Model;
  readonly bodies: Bodies;
  readonly variants: VariantNames;
  readonly errors: readonly PlannedError[];
  readonly finder: TypeFinder;
  readonly forms: ValueForms;
  readonly hasHistory: boolean;
}

export function planServices(context: ServiceContext): readonly PlannedService[] {
  const classes = new Set<string>();
  const files = new Set<string>();
  const declared = context.errors.filter(({ isOfProtocol }) => !isOfProtocol);
  const errors = new Map(declared.map((error) => [error.name, error]));
  return context.model.services.map((service) => {
    const className = claimName(typeIdentifier(service.name), classes);
    // The class and the functions of a service are exports of one module.
    const functions = new Set([className]);
    const members = new Set<string>();
    return {
      name: service.name,
      className,
      fileName: claimName(kebabCase(service.name), files),
      ...documented(service.docs),
      methods: service.methods.map((method) => ({
        functionName: claimName(valueIdentifier(method.name), functions),
        memberName: claimName(memberIdentifier(method.name), members),
        errors: method.errors?.flatMap((name) => errors.get(name) ?? []),
        ...planMethod(method, service, context),
      })),
    };
  });
}

function planMethod(
  method: MethodModel,
  service: ServiceModel,
  { model, bodies, variants, finder, forms, hasHistory }: ServiceContext,
): Omit<PlannedMethod, "functionName" | "memberName" | "errors"> {
  const annotations = new Map(method.annotations.map(({ name, value }) => [name, value]));
  const reason = annotations.has("deprecated") ? (annotations.get("deprecated") ?? "") : undefined;
  const { request = noBody, response = noBody } = bodies.byMethod.get(method) ?? {};
  const types = { request: request.typeName, response: response.typeName };
  const takesKey = annotations.has(idempotencyKeyName) && keyFault(keyedMethod(method)) === undefined;
  const { dates } = readDeprecation(method.annotations);
  const route = method.route && planRoute(routeOf(method.route, model), types.request, finder);
  const read = planRead(method, hasHistory);
  const typeOf = (name: string): TypeModel | undefined => model.typeByName.get(name);
  const paging = readPaging(method, typeOf);
  const resume = readResume(method, { typeOf, errorNames: model.errors.map(({ name }) => name) });
  return {
    name: method.name,
    path: `${model.basepath}${service.name}/${method.name}`,
    request: {
      ...request,
      callerType: variants.caller.get(types.request) ?? types.request,
      handlerType: variants.handler.get(types.request) ?? types.request,
    },
    response: { ...response, callerType: types.response, handlerType: types.response },
    files: method.files.map(planFile),
    fileOutput: method.fileOutput,
    streamInput: method.streamInput,
    streamOutput: method.streamOutput,
    annotations,
    idempotent: annotations.has("idempotent") || annotations.has("readonly"),
    ...documented(method.docs, reason),
    ...(takesKey && { takesKey }),
    ...(Object.keys(dates).length > 0 && { deprecation: dates }),
    ...(route && { route }),
    ...(read && { read }),
    ...(paging && "page" in paging && { paging: planPaging(paging, types, finder, forms) }),
    ...(resume && "after" in resume && { resume: planResume(resume, types, finder, forms) }),
  };
}

function keyedMethod(method: MethodModel): Parameters<typeof keyFault>[0] {
  return {
    annotations: method.annotations,
    verb: method.route?.verb,
    isStream: method.streamInput || method.streamOutput,
    hasFiles: method.files.length > 0 || method.fileOutput,
  };
}

/** A route before its fields are known. */
type Route = Pick<PlannedRoute, "verb" | "path">;

export function routeOf({ verb, path }: NonNullable<MethodModel["route"]>, { basepath }: Model): Route {
  return { verb, path: joinedPath(basepath, path) };
}

/** Finds the fields of a route in the request of its method. */
function planRoute({ verb, path }: Route, requestType: string, finder: TypeFinder): PlannedRoute {
  const { fields } = finder.struct(requestType);
  const names = segmentsOf(path).flatMap((segment) => ("parameter" in segment ? [segment.parameter] : []));
  const parameters = names.flatMap((name) => fields.filter(({ wireName }) => wireName === name));
  const others = fields.filter(({ wireName }) => !names.includes(wireName));
  const planField = (field: PlannedField): RouteField => routeField(field, finder);
  const route = { verb, path, parameters: parameters.map(planField) };
  return bodilessVerbs.has(verb) ? { ...route, query: others.map(planField) } : route;
}

function routeField(field: PlannedField, finder: TypeFinder): RouteField {
  const { wireName, queryName, type, optional, nullable } = field;
  const target = finder.unaliased(type);
  const value = target.kind === "list" ? finder.unaliased(target.element) : target;
  return {
    name: wireName,
    ...(queryName !== undefined && { queryName }),
    type: value.kind === "core" ? value.name : "string",
    isList: target.kind === "list",
    isOptional: optional || nullable || field.default !== undefined,
    isMarked: isMarkedField(field, finder),
    message: field.constraints.message,
  };
}

/**
 * Returns how caches may use the responses of a method, or undefined if it is called by neither GET nor QUERY. Without a
 * usable `@cache`, caches ask the server each time, and keep nothing that needs credentials.
 */
function planRead(method: MethodModel, hasHistory: boolean): PlannedRead | undefined {
  const { annotations, route } = method;
  // A response depends on the version of its caller.
  const byVersion = hasHistory ? ["Webrpc"] : [];
  const rule = cacheOf(method);
  if (rule !== undefined) return { cacheControl: cacheControl(rule), vary: [...rule.vary, ...byVersion] };
  if (route?.verb !== "GET" && route?.verb !== "QUERY") return undefined;
  const hasAuth = annotations.some(({ name }) => name === "auth");
  return { cacheControl: hasAuth ? "no-store" : "no-cache", vary: byVersion };
}

/** Finds the fields of a paged list in the request and the response of its method. */
function planPaging(
  { size, page, more, items, isCursor }: PagingModel,
  { request, response }: { readonly request: string; readonly response: string },
  finder: TypeFinder,
  forms: ValueForms,
): PlannedPaging {
  const pageFields = fieldsOn(page, request, finder);
  const list = items && fieldsOn(items, response, finder);
  const field = pageFields.at(-1) as PlannedField;
  const type = finder.unaliased(field.type);
  const isBigint = type.kind === "core" && coreTypeText(type.name, forms) === "bigint";
  const first = field.default ?? field.constraints.minimum ?? 0;
  const listType = list?.at(-1)?.type;
  const { element } = listType === undefined ? {} : (finder.unaliased(listType) as ListType);
  return {
    size: fieldsOn(size, request, finder),
    page: pageFields,
    isCursor,
    firstPage: isCursor ? 0 : isBigint ? BigInt(first as number) : Number(first),
    ...(more && { more: fieldsOn(more, response, finder) }),
    ...(list && element && { items: list, item: element }),
  };
}

type ListType = Partial<Extract<ResolvedType, { readonly kind: "list" }>>;

/** Finds the fields with the position of a stream. */
function planResume(
  { after, id }: ResumeModel,
  { request, response }: { readonly request: string; readonly response: string },
  finder: TypeFinder,
  forms: ValueForms,
): PlannedResume {
  const afterFields = fieldsOn(after, request, finder);
  const type = finder.unaliased((afterFields.at(-1) as PlannedField).type);
  const form = type.kind === "core" ? coreTypeText(type.name, forms) : "string";
  return {
    after: afterFields,
    id: fieldsOn(id, response, finder),
    form: form === "number" || form === "bigint" ? form : "string",
  };
}

/** Returns the fields of a path, which exists: the reader of the annotation has checked it. */
function fieldsOn(path: Path, typeName: string, finder: TypeFinder): FieldPath {
  const fields: PlannedField[] = [];
  let struct = typeName;
  for (const name of path) {
    const field = finder.struct(struct).fields.find(({ wireName }) => wireName === name) as PlannedField;
    fields.push(field);
    const type = finder.unaliased(field.type);
    if (type.kind === "struct") struct = type.name;
  }
  return fields;
}
