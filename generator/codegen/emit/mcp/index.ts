import type { Constraints } from "../../../language/model/meta/read.ts";
import {
  type MapKeyType,
  type ResolvedType,
  ridlText,
  type UnaliasedType,
} from "../../../language/model/types.ts";
import type { EmittedFile, Options } from "../../options.ts";
import { rangeTexts } from "../../plan/docs.ts";
import type { Json } from "../../plan/json.ts";
import { isMarkedField } from "../../plan/marked-fields.ts";
import { withoutEscape } from "../../plan/names.ts";
import {
  isOmitted,
  isRead,
  type Plan,
  type PlannedAlias,
  type PlannedEnumValue,
  type PlannedError,
  type PlannedField,
  type PlannedMethod,
  type PlannedService,
  type PlannedStruct,
  type PlannedType,
  type TypeFinder,
} from "../../plan/plan.ts";
import { type Union, unionsOf } from "../../plan/unions.ts";
import { constraintKey } from "../../plan/values.ts";
import { contractCheck } from "../imports.ts";
import { template } from "../render.ts";
import { header, literal, literalKey, literalValue } from "../text.ts";
import ownTemplate from "./mcp.hbs";

interface McpView {
  readonly header: string;
  readonly contractCheck: string;
  readonly name: string;
  readonly version: string;
  readonly methods: readonly string[];
  /** Documentation, as entries of an object. */
  readonly services: readonly string[];
  /** As entries of objects. */
  readonly types: readonly string[];
  readonly errors: readonly string[];
}

const print = template<McpView>(ownTemplate);

/** Emits `mcp.ts`: the API as data, and an MCP server with two tools. Emits nothing without methods. */
export function emitMcp(plan: Plan, { templates }: Options): readonly EmittedFile[] {
  const methods = exposableMethods(plan);
  if (methods.length === 0) return [];
  const raised = new Set(methods.flatMap(({ method }) => method.errors?.map(({ name }) => name) ?? []));
  const mayRaiseAny = methods.some(({ method }) => method.errors === undefined);
  const errors = plan.errors.filter(
    ({ isOfProtocol, name }) => !isOfProtocol && (mayRaiseAny || raised.has(name)),
  );
  const view = {
    contractCheck,
    header: header(plan.schemaFile),
    name: literal(plan.schemaName || "api"),
    version: literal(plan.schemaVersion),
    methods: methods.map((one) => printData(methodData(one))),
    services: Object.entries(serviceDocs(methods)).map(
      ([name, docs]) => `${literalKey(name)}: ${literal(docs)}`,
    ),
    types: usedTypes(plan, methods, errors).map(([name, data]) => `${literalKey(name)}: ${printData(data)}`),
    errors: errors.map(
      ({ name, code, httpStatus, message, data }) =>
        `${literalKey(name)}: ${printData({ code, status: httpStatus, message, data: data && withoutEscape(data.type) })}`,
    ),
  };
  return [{ path: "mcp.ts", text: print(view, templates.overrides) }];
}

/** A method with its service. */
interface ServiceMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** Returns the methods that agents may call: without those that are `@internal` or `@mcp:off`. */
export function exposableMethods({ services }: Plan): readonly ServiceMethod[] {
  return services.flatMap((service) =>
    service.methods
      .filter((method) => !isOmitted(method) && !isHidden(method))
      .map((method) => ({ service, method })),
  );
}

/** Returns the documentation of the services that have any, by name. */
export function serviceDocs(methods: readonly ServiceMethod[]): Readonly<Record<string, string>> {
  const services = new Set(methods.map(({ service }) => service));
  return Object.fromEntries(
    [...services].flatMap(({ name, docs }) => {
      const text = docsText(docs);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function isHidden({ annotations }: PlannedMethod): boolean {
  return annotations.has("internal") || annotations.get("mcp") === "off";
}

/** Returns the `McpMethod` of the runtime. */
export function methodData({ service, method }: ServiceMethod): Data {
  const { annotations, route, request, response, paging } = method;
  const reads = annotations.has("readonly") || isRead(method);
  return {
    name: `${service.name}.${method.name}`,
    docs: docsText(method.docs),
    deprecated: method.deprecated,
    request: withoutEscape(request.typeName),
    response: method.fileOutput ? undefined : withoutEscape(response.typeName),
    isStream: method.streamOutput || undefined,
    files: method.files.length === 0 ? undefined : method.files.map(fileData),
    errors: method.errors?.map(({ name }) => name),
    isRead: reads || undefined,
    isIdempotent: reads || method.idempotent || undefined,
    isMarked: annotations.has("mcp") || undefined,
    verb: route === undefined || route.verb === "POST" ? undefined : route.verb,
    path: route?.path ?? method.path,
    query: route?.query?.map(({ name, queryName }) => (queryName === undefined ? name : [name, queryName])),
    pageSize: paging?.size.map(({ wireName }) => wireName).join("."),
  };
}

function fileData({ name, optional, isList, within }: PlannedMethod["files"][number]): Data {
  return {
    name,
    isOptional: optional || undefined,
    isList: isList || undefined,
    within: within?.name,
  };
}

function docsText(docs: readonly string[]): string | undefined {
  const text = docs.join(" ").replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

/** Returns the types that methods and errors use, as `McpType` of the runtime, by name and in the order of the schema. */
export function usedTypes(
  plan: Plan,
  methods: readonly ServiceMethod[],
  errors: readonly PlannedError[] = [],
): readonly (readonly [name: string, data: Data])[] {
  const finder = plan.finder;
  const byName = new Map(plan.types.map((type) => [type.name, type]));
  const used = new Set<string>();
  const visit = (name: string): void => {
    const type = byName.get(name);
    if (type === undefined || used.has(name)) return;
    used.add(name);
    if (type.kind === "alias") for (const one of namesIn(type.type)) visit(one);
    if (type.kind === "struct")
      for (const field of type.fields) for (const one of namesIn(field.type)) visit(one);
  };
  for (const { method } of methods)
    for (const { typeName } of [method.request, method.response]) visit(typeName);
  for (const { data } of errors) if (data !== undefined) visit(data.type);
  return plan.types
    .filter(({ name }) => used.has(name))
    .map((type) => [withoutEscape(type.name), typeData(type, finder)]);
}

function namesIn(type: ResolvedType | MapKeyType): readonly string[] {
  switch (type.kind) {
    case "list":
      return namesIn(type.element);
    case "map":
      return [...namesIn(type.key), ...namesIn(type.value)];
    case "struct":
    case "enum":
    case "alias":
      return [type.name];
    default:
      return [];
  }
}

function typeData(type: PlannedType, finder: TypeFinder): Data {
  const docs = docsText(type.docs);
  switch (type.kind) {
    case "struct":
      return { kind: "struct", docs, fields: type.fields.map((field) => fieldData(field, type, finder)) };
    case "enum":
      return { kind: "enum", docs, values: type.values.map(valueData) };
    case "alias":
      return { kind: "alias", docs, type: nameOf(type.type), limits: aliasLimits(type, finder) };
  }
}

function valueData({ wire, docs }: PlannedEnumValue): Data {
  const text = docsText(docs);
  return text === undefined ? [wire] : [wire, text];
}

function aliasLimits({ constraints, type }: PlannedAlias, finder: TypeFinder): string | undefined {
  return limitsClause(constraints, finder.unaliased(type));
}

function fieldData(field: PlannedField, struct: PlannedStruct, finder: TypeFinder): Data {
  const { wireName, type, docs, optional, nullable, constraints, aliases, twins, deprecated } = field;
  const isSecret = isMarkedField(field, finder, ({ secret }) => secret);
  // Limits of an alias are shown with the alias.
  const own =
    type.kind === "alias" && constraintKey(finder.alias(type.name).constraints) === constraintKey(constraints)
      ? undefined
      : limitsClause(constraints, finder.unaliased(type));
  const union = unionsOf(struct, finder).find(({ members }) => members.includes(field));
  const notes = [own, union && presenceClause(field, union), isSecret ? undefined : valuesText(field)].filter(
    (note) => note !== undefined,
  );
  return {
    name: wireName,
    type: nameOf(type),
    docs: docsText(docs),
    limits: notes.length === 0 ? undefined : notes.join(", "),
    isOptional: optional || nullable || field.default !== undefined || undefined,
    isNullable: nullable || undefined,
    isSecret: isSecret || undefined,
    deprecated,
    aliases: aliases.length === 0 ? undefined : aliases,
    twins: twins.length === 0 ? undefined : twins,
  };
}

/** Describes when a field of a union is set: `required if kind is card, optional if kind is cash, otherwise absent`. */
function presenceClause(field: PlannedField, { kind, members, cases }: Union): string {
  if (kind === undefined) return `exactly one of ${members.map((member) => member.wireName).join(", ")}`;
  const clause = (need: "required" | "optional"): readonly string[] => {
    const kinds = cases.filter((one) => one[need].includes(field)).map((one) => one.kind.wire);
    return kinds.length === 0 ? [] : [`${need} if ${kind.wireName} is ${kinds.join(" or ")}`];
  };
  return [...clause("required"), ...clause("optional"), "otherwise absent"].join(", ");
}

/** Describes the default of a field, and an example. */
function valuesText({ default: value, constraints: { examples } }: PlannedField): string | undefined {
  const notes = [
    ...(value === undefined ? [] : [`default ${typeof value === "bigint" ? value : JSON.stringify(value)}`]),
    ...examples.slice(0, 1).map((example) => `for example ${example}`),
  ];
  return notes.length === 0 ? undefined : notes.join(", ");
}

/** Prints a type as RIDL does, with `bytes` for `[]byte`. */
function nameOf(type: ResolvedType): string {
  return ridlText(type, ({ name }) => withoutEscape(name)).replace(/\[\]byte\b/, "bytes");
}

/* The words for limits in descriptions for agents. */

/** Describes the limits of values for agents: `from 1 to 64 characters, matches ^[a-z]+$`. Undefined if there are none. */
function limitsClause(constraints: Constraints, type: UnaliasedType): string | undefined {
  const { pattern, format, normalize } = constraints;
  const limits = [
    ...rangeTexts(constraints, type),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(format === undefined ? [] : [format]),
    ...(normalize === undefined ? [] : ["lower case"]),
  ];
  return limits.length === 0 ? undefined : limits.join(", ");
}

/** JSON with properties that may be undefined. */
type Data = Json | undefined | readonly Data[] | { readonly [key: string]: Data };

/** Prints data as code. Omits undefined properties. */
function printData(data: Data): string {
  return literalValue(JSON.parse(JSON.stringify(data)) as Json);
}
