import { credentialNames } from "../../../language/model/annotations.ts";
import type { OpenapiOptions } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import { claimName, pascalCase } from "../../plan/names.ts";
import {
  type Documented,
  mayBeAbsent,
  type Plan,
  type PlannedBody,
  type PlannedField,
  type PlannedFile,
  type PlannedMethod,
  type PlannedRead,
  type PlannedRoute,
  type PlannedService,
  type PlannedStruct,
  type RouteField,
  type TypeFinder,
} from "../../plan/plan.ts";
import { coreTypeText, type ValueForms } from "../../plan/type-text.ts";
import { reference, type Schema, SchemaBuilder, type Variants } from "../json-schema/schema-builder.ts";
import {
  defaultOf,
  documentationKeywords,
  examples,
  isDescribedByAlias,
  typeSchema,
} from "../json-schema/type-schema.ts";
import { keyOf } from "./component-names.ts";
import type { ErrorRegistry } from "./errors.ts";

/** Prints the operation of each path. */
export class OperationPrinter {
  readonly #variants: Variants;
  readonly #errors: ErrorRegistry;
  readonly #options: OpenapiOptions;
  readonly #types: TypeFinder;
  readonly #parameters: ParameterPrinter;
  readonly #identifiers = new Set<string>();

  constructor(plan: Plan, variants: Variants, errors: ErrorRegistry, options: OpenapiOptions) {
    this.#types = plan.finder;
    this.#parameters = new ParameterPrinter(plan, variants);
    this.#variants = variants;
    this.#errors = errors;
    this.#options = options;
  }

  /** `pathNames` are the names of the parameters in the path, if the method has a route. */
  operation(service: PlannedService, method: PlannedMethod, pathNames: readonly string[]): Json {
    const { route } = method;
    return {
      ...this.#head(service, method, ""),
      ...(route === undefined
        ? { ...parametersOf(keyParameters(method)), requestBody: this.#requestBody(method) }
        : this.#routedRequest(method, route, pathNames)),
      responses: this.#responses(method, route === undefined ? undefined : method.read),
      ...this.#extensions(method),
    };
  }

  /** The operation of a read without a route by QUERY. Its request is a body, as by POST. */
  queryOperation(service: PlannedService, method: PlannedMethod): Json {
    return {
      ...this.#head(service, method, "_Query"),
      requestBody: this.#requestBody(method),
      responses: this.#responses(method, method.read),
      ...this.#extensions(method),
    };
  }

  /**
   * The operation of a read without a route by GET. Its request is JSON in the query. For a parameter with `content`, some
   * generators fail or write nothing.
   */
  getOperation(service: PlannedService, method: PlannedMethod): Json {
    const { typeName, isEmpty } = method.request;
    const q = {
      name: "q",
      in: "query",
      required: !isEmpty,
      description: `The ${this.#variants.nameOf(typeName, "request")} as JSON, with sorted keys and without white space.`,
      schema: { type: "string" },
    };
    return {
      ...this.#head(service, method, "_Get"),
      parameters: [q],
      responses: this.#responses(method, method.read, true),
      ...this.#extensions(method),
    };
  }

  #head(service: PlannedService, method: PlannedMethod, form: string): { readonly [key: string]: Json } {
    const security = this.#security(method);
    const name = `${pascalCase(service.name)}_${pascalCase(method.name)}${form}`;
    return {
      operationId: claimName(name, this.#identifiers, keyOf),
      tags: [service.name],
      ...documentationKeywords(method),
      ...(security === undefined ? {} : { security }),
    };
  }

  /** `read` is set if the operation has the form that caches know. */
  #responses(method: PlannedMethod, read: PlannedRead | undefined, isInQuery = false): Json {
    const deprecation = deprecationHeaders(method);
    const success = {
      ...this.#success(method),
      ...(deprecation === undefined ? {} : { headers: deprecation }),
    };
    const errors = { ...keyResponses(method), ...this.#errors.ofMethod(method) };
    if (read === undefined) return { "200": success, ...errors };
    const known = { ...success, headers: { ...cacheHeaders(read), ...deprecation } };
    return { "200": known, ...readResponses(method, read, isInQuery), ...errors };
  }

  #extensions(method: PlannedMethod): { readonly [key: string]: Json } {
    const { annotations, idempotent } = method;
    return {
      ...(idempotent ? { "x-idempotent": true } : {}),
      ...(annotations.size === 0 ? {} : { "x-annotations": annotationValues(annotations) }),
      ...streamExtension(method),
    };
  }

  /**
   * Returns the security schemes that the annotation names. Ignores undeclared schemes, because references to them
   * would be invalid.
   */
  #security({ annotations }: PlannedMethod): Json | undefined {
    const { securityAnnotation = "auth", securitySchemes = {} } = this.#options;
    const names = credentialNames(annotations.get(securityAnnotation));
    const known = names.filter((name) => Object.hasOwn(securitySchemes, name));
    return known.length === 0 ? undefined : [Object.fromEntries(known.map((name) => [name, []]))];
  }

  #requestBody({ request, streamInput, files }: PlannedMethod): Json {
    if (files.length > 0) {
      const content = { "multipart/form-data": form(this.#body(request, "request"), files) };
      return { required: true, content };
    }
    const content = streamInput
      ? this.#lines(this.#body(request, "request"))
      : { "application/json": { schema: this.#body(request, "request") } };
    return { required: !request.isEmpty, content };
  }

  #routedRequest(
    method: PlannedMethod,
    route: PlannedRoute,
    pathNames: readonly string[],
  ): { readonly parameters?: readonly Json[]; readonly requestBody?: Json } {
    const { request } = method;
    const parameters = this.#parameters.parameters(request.typeName, route, pathNames);
    return {
      ...parametersOf([...parameters, ...keyParameters(method)]),
      ...(route.query === undefined ? { requestBody: this.#routedBody(request, route) } : {}),
    };
  }

  #routedBody(request: PlannedBody, route: PlannedRoute): Json {
    const { fields } = withoutPathFields(this.#types.struct(request.typeName), route);
    const schema = routeBodySchema(request, route, this.#variants, this.#types);
    return { required: fields.length > 0, content: { "application/json": { schema } } };
  }

  #success({ response, streamOutput, fileOutput }: PlannedMethod): { readonly [key: string]: Json } {
    if (fileOutput) return { description: "The file", content: fileContent };
    const schema = this.#body(response, "response");
    if (!streamOutput) return { description: "Success", content: { "application/json": { schema } } };
    return {
      description:
        "One line of JSON per item. Empty lines keep the connection open. An error after the start is the last line.",
      content: this.#lines({ anyOf: [schema, streamError] }),
    };
  }

  /** OpenAPI 3.0 and 3.1 cannot describe the lines of a body, so the body is a string, and an extension describes each line. */
  #lines(item: Json): Json {
    const media =
      this.#options.version === "3.2"
        ? { itemSchema: item }
        : { schema: { type: "string" }, "x-item-schema": item };
    return { "application/x-ndjson": media };
  }

  #body({ typeName }: PlannedBody, side: "request" | "response"): Json {
    return reference(typeName, side, this.#variants);
  }
}

function parametersOf(parameters: readonly Json[]): { readonly parameters?: readonly Json[] } {
  return parameters.length === 0 ? {} : { parameters };
}

/** The headers of a deprecated method, on all its responses. */
function deprecationHeaders({ deprecation }: PlannedMethod): { readonly [name: string]: Json } | undefined {
  if (deprecation === undefined) return undefined;
  const { deprecated, sunset } = deprecation;
  const header = (description: string): Json => ({ description, schema: { type: "string" } });
  return {
    ...(deprecated === undefined
      ? {}
      : { Deprecation: header(`Deprecated since ${deprecated} (RFC 9745).`) }),
    ...(sunset === undefined ? {} : { Sunset: header(`Stops working on ${sunset} (RFC 8594).`) }),
  };
}

/** The header of a call that can be repeated. */
function keyParameters({ takesKey }: PlannedMethod): readonly Json[] {
  if (takesKey !== true) return [];
  const description =
    "A text that no other call has, such as a UUID, in double quotes. A call with the same key and request has no second effect and gets the same response.";
  const schema = { type: "string", minLength: 1 };
  return [{ name: "Idempotency-Key", in: "header", required: false, description, schema }];
}

/** Further responses to calls with a key. Their bodies are those of HTTP 400. */
function keyResponses({ takesKey }: PlannedMethod): { readonly [status: string]: Json } {
  return takesKey !== true
    ? {}
    : {
        "409": { description: "The first call with this key has not ended, or its response was not kept" },
        "422": { description: "The key was used for another request" },
      };
}

/** OpenAPI 3.1 marks raw bytes by the media type. Tools for 3.0 expect the format. */
const bytes: Json = { type: "string", format: "binary", contentMediaType: "application/octet-stream" };

/** Files have any media type. Some generators know bytes only by the first one. */
const fileContent: Json = { "application/octet-stream": { schema: bytes }, "*/*": { schema: bytes } };

/** A form: the part `json` with all arguments that are not files, and one part per file. */
function form(fields: Json, files: readonly PlannedFile[]): Json {
  const parts = files.map(({ name, isList }) => [name, isList ? { type: "array", items: bytes } : bytes]);
  const required = files.filter((file) => !mayBeAbsent(file)).map(({ name }) => name);
  return {
    schema: {
      type: "object",
      properties: { json: fields, ...Object.fromEntries(parts) },
      required: ["json", ...required],
    },
    encoding: { json: { contentType: "application/json" } },
  };
}

const streamError: Json = {
  type: "object",
  properties: { webrpcError: { type: "object", description: "The body of any error response." } },
  required: ["webrpcError"],
};

function streamExtension({ streamInput, streamOutput }: PlannedMethod): { readonly "x-stream"?: Json } {
  if (streamInput) return { "x-stream": streamOutput ? "both" : "request" };
  return streamOutput ? { "x-stream": "response" } : {};
}

function annotationValues(annotations: PlannedMethod["annotations"]): Json {
  return Object.fromEntries([...annotations].map(([name, value]) => [name, value ?? true]));
}

/** Prints the fields in paths and queries. */
class ParameterPrinter {
  readonly #forms: ValueForms;
  readonly #types: TypeFinder;
  readonly #builder: SchemaBuilder;

  constructor(plan: Plan, variants: Variants) {
    this.#forms = plan;
    this.#types = plan.finder;
    this.#builder = new SchemaBuilder("request", variants, this.#types);
  }

  /** `pathNames` are the parameters' names in the path of the document, which another method may have chosen. */
  parameters(requestType: string, route: PlannedRoute, pathNames: readonly string[]): readonly Json[] {
    const { fields } = this.#types.struct(requestType);
    const print = (parameter: RouteField, place: "path" | "query", name = parameter.name): readonly Json[] =>
      fields
        .filter(({ wireName }) => wireName === parameter.name)
        .map((field) => ({ name, in: place, ...this.#parameter(parameter, field, place === "path") }));
    return [
      ...route.parameters.flatMap((parameter, index) => print(parameter, "path", pathNames[index])),
      ...(route.query ?? []).flatMap((parameter) => print(parameter, "query", parameter.queryName)),
    ];
  }

  #parameter(parameter: RouteField, field: PlannedField, isInPath: boolean): Schema {
    const schema = this.#schema(field);
    const isDescribed = "$ref" in schema && isDescribedByAlias(field, this.#types);
    return {
      required: isInPath || isRequired(parameter, field),
      ...documentationKeywords(this.#documentation(parameter, field)),
      ...(parameter.isList ? { style: "form", explode: true } : {}),
      schema: {
        ...schema,
        ...defaultOf(field, "request", this.#types),
        ...(isDescribed ? {} : examples(field.constraints, field.type, this.#types)),
      },
    };
  }

  /** Numbers of JavaScript lose digits of 64-bit integers, so a client has to write their text. */
  #documentation({ type }: RouteField, field: PlannedField): Documented {
    if (coreTypeText(type, this.#forms) !== "bigint") return field;
    return { ...field, docs: [...field.docs, "Decimal digits, up to 64 bits."] };
  }

  /** A list is not a reference, because the style of the parameter depends on it. */
  #schema(field: PlannedField): Schema {
    const target = this.#types.unaliased(field.type);
    return target.kind === "list"
      ? this.#builder.target(target, field.constraints)
      : this.#builder.schema(field);
  }
}

/** Servers read a missing list as an empty one. */
function isRequired({ isOptional, isList }: RouteField, { constraints }: PlannedField): boolean {
  return !isOptional && (!isList || (constraints.minItems ?? 0) > 0);
}

/* Bodies of methods with routes: the fields that are neither in the path nor in the query. */

/**
 * Returns a plan in which the request types of routed methods describe their bodies. Omits those of methods without a
 * body. Structs of the schema stay the same, because they may have other uses.
 */
export function withBodyTypes(plan: Plan): Plan {
  const routes = new Map<string, PlannedRoute>();
  for (const { request, route } of plan.services.flatMap(({ methods }) => methods))
    if (request.isOwn && route !== undefined) routes.set(request.typeName, route);
  if (routes.size === 0) return plan;
  const types = plan.types.flatMap((type) => {
    const route = routes.get(type.name);
    if (type.kind !== "struct" || route === undefined) return [type];
    return route.query === undefined ? [withoutPathFields(type, route)] : [];
  });
  return { ...plan, types };
}

/** Returns the schema of a body: a reference if a definition describes it. */
function routeBodySchema(
  { typeName, isOwn }: PlannedBody,
  route: PlannedRoute,
  variants: Variants,
  types: TypeFinder,
): Schema {
  if (isOwn || route.parameters.length === 0) return reference(typeName, "request", variants);
  const struct = withoutPathFields(types.struct(typeName), route);
  return typeSchema(struct, "request", variants, types);
}

function withoutPathFields(struct: PlannedStruct, { parameters }: PlannedRoute): PlannedStruct {
  const names = new Set(parameters.map(({ name }) => name));
  return { ...struct, fields: struct.fields.filter(({ wireName }) => !names.has(wireName)) };
}

/* What reads add to operations: headers for caches, and the responses to conditions and ranges. */

/** The headers of a response that caches know. */
function cacheHeaders({ cacheControl, vary }: PlannedRead): { readonly [name: string]: Json } {
  return {
    ETag: { description: "The version of the response.", schema: text },
    "Cache-Control": { schema: { type: "string", const: cacheControl } },
    ...(vary.length === 0 ? {} : { Vary: { schema: { type: "string", const: vary.join(", ") } } }),
  };
}

/** The further responses of a read. `isInQuery`: its request is JSON in the query. */
function readResponses(
  { fileOutput }: PlannedMethod,
  read: PlannedRead,
  isInQuery: boolean,
): Readonly<Record<string, Json>> {
  return {
    ...(fileOutput && {
      "206": {
        description: "The part of the file that the header Range requests",
        headers: { "Content-Range": { schema: text }, ...cacheHeaders(read) },
        content: { "*/*": {} },
      },
    }),
    "304": { description: "The caller has this version", headers: cacheHeaders(read) },
    ...(isInQuery && {
      "414": { description: "The path and the query are longer than 2000 bytes" },
      "431": { description: "The URL and the headers are longer than the HTTP server reads" },
    }),
    ...(fileOutput && { "416": { description: "The file does not have the requested part" } }),
  };
}

const text: Json = { type: "string" };
