import type { Method, RouteDefinition, RouteField, RouteType } from "./definition.ts";
import { type Issue, issue, toIssues } from "./errors.ts";
import { BodyFault, type JsonCodec } from "./json.ts";
import type { ParsedBody } from "./request-body.ts";

/* Converts the texts of paths and queries to JSON. */

/**
 * Returns the JSON of a text. Undefined if it is not a value of the type. Unless `isInt64Wide`, 64-bit integers are
 * numbers, which hold only safe integers.
 */
export function jsonOfText(type: RouteType, text: string, isInt64Wide: boolean): string | undefined {
  switch (type) {
    case "string":
      return JSON.stringify(text);
    case "bool":
      return trueTexts.has(text) ? "true" : falseTexts.has(text) ? "false" : undefined;
    case "float32":
    case "float64":
      return floatText.test(text) && Number.isFinite(Number(text)) ? JSON.stringify(Number(text)) : undefined;
    default: {
      const value = integerOf(text);
      return value !== undefined && fits(value, type, isInt64Wide) ? String(value) : undefined;
    }
  }
}

/** Describes the expected values, for a text that is none. */
export function expectedValue(type: RouteType, text: string): string {
  const value = /^u?int(?:64)?$/.test(type) ? integerOf(text) : undefined;
  const losesDigits = value !== undefined && fitsInto(64, value, type);
  return losesDigits ? `valid ${type} within ±(2^53 - 1)` : `valid ${type}`;
}

/** The spellings that Go accepts. Clients send `true` and `false`. */
const trueTexts: ReadonlySet<string> = new Set(["true", "True", "TRUE", "t", "T", "1"]);
const falseTexts: ReadonlySet<string> = new Set(["false", "False", "FALSE", "f", "F", "0"]);

/** Decimal only: JavaScript reads the empty text, blanks and `0x10` as numbers, too. */
const floatText = /^[+-]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** Longer integers do not fit into 64 bits. Converting them takes more than linear time. */
const digitsMax = 20;

function integerOf(text: string): bigint | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined;
  const digits = text.replace(/^(-?)0+(?=[0-9])/, "$1");
  return digits.length <= digitsMax ? BigInt(digits) : undefined;
}

function fits(value: bigint, type: RouteType, isInt64Wide: boolean): boolean {
  const bits = Number(/[0-9]+/.exec(type)?.[0] ?? 64);
  const isSafeOnly = bits === 64 && !(isInt64Wide && type.endsWith("64"));
  return fitsInto(bits, value, type) && (!isSafeOnly || Number.isSafeInteger(Number(value)));
}

/** Returns the limit that an integer breaks. Other texts have another type. */
function limitOf(type: RouteType, text: string, isInt64Wide: boolean): Partial<Issue> {
  const [, unsigned, bits] = /^(u?)int([0-9]*)$/.exec(type) ?? [];
  if (bits === undefined || !/^-?[0-9]+$/.test(text)) return {};
  const isSafeOnly = bits === "" || (bits === "64" && !isInt64Wide);
  const size = isSafeOnly ? 53 : Number(bits) - (unsigned ? 0 : 1);
  const high = BigInt.asUintN(size, BigInt(-1));
  const low = unsigned ? BigInt(0) : isSafeOnly ? -high : ~high;
  const [code, limit] = text.startsWith("-") ? (["minimum", low] as const) : (["maximum", high] as const);
  return { code, params: { [code]: Number.isSafeInteger(Number(limit)) ? Number(limit) : `${limit}` } };
}

function fitsInto(bits: number, value: bigint, type: RouteType): boolean {
  return (type.startsWith("u") ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)) === value;
}

/** Finds the routes of a path. The time depends on the path, and not on the number of routes. */
export class RouteTree<Route> {
  readonly #root: RouteNode<Route> = newNode();

  /** Adds a route by its verb and its template: `/pets/{id}`. */
  add(verb: string, template: string, route: Route): void {
    let node = this.#root;
    for (const segment of segmentsOf(template)) node = childOf(node, segment);
    node.routes.set(verb, route);
  }

  /**
   * Returns the routes that match a path, by verb. Where several match, a text takes precedence over a parameter. An
   * empty segment matches nothing, so neither `/pets/` nor `//pets` matches `/pets`.
   */
  find(path: string): ReadonlyMap<string, Route> | undefined {
    return path.startsWith("/") ? routesAt(this.#root, segmentsOf(path), 0) : undefined;
  }
}

/** A segment of templates. */
interface RouteNode<Route> {
  /** Routes that end here, by verb. */
  readonly routes: Map<string, Route>;
  readonly texts: Map<string, RouteNode<Route>>;
  parameter: RouteNode<Route> | undefined;
}

function newNode<Route>(): RouteNode<Route> {
  return { routes: new Map(), texts: new Map(), parameter: undefined };
}

/** `/pets/5` → `pets`, `5`. */
function segmentsOf(path: string): readonly string[] {
  return path === "/" ? [] : path.split("/").slice(1);
}

function childOf<Route>(node: RouteNode<Route>, segment: string): RouteNode<Route> {
  if (segment.startsWith("{")) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const known = node.texts.get(segment);
  if (known !== undefined) return known;
  const added = newNode<Route>();
  node.texts.set(segment, added);
  return added;
}

/** A path can match several templates, but only as many as texts and parameters can be combined in its segments. */
function routesAt<Route>(
  { routes, texts, parameter }: RouteNode<Route>,
  segments: readonly string[],
  at: number,
): ReadonlyMap<string, Route> | undefined {
  const segment = segments[at];
  if (segment === undefined) return routes.size === 0 ? undefined : routes;
  if (segment === "") return undefined;
  const text = texts.get(segment);
  const narrow = text && routesAt(text, segments, at + 1);
  const wide = parameter && routesAt(parameter, segments, at + 1);
  return narrow && wide ? new Map([...wide, ...narrow]) : (narrow ?? wide);
}

/* Turns a routed call into the request that an unrouted one has: the JSON of all fields. */

/** A route with its method. */
export interface ServedRoute {
  readonly definition: RouteDefinition;
  readonly method: Method;
  /** For each field in the path, the index of its segment. */
  readonly positions: readonly number[];
  /** The method has no route. The request is the body as it is, or JSON in the query. */
  readonly isDefaultPath?: true;
}

/** Where the texts of fields are. */
type Place = "path" | "query";

/** Returns the request of a route without a body. With a `JsonCodec`, 64-bit integers are bigints. */
export function requestOfUrl(
  route: ServedRoute,
  path: string,
  query: string,
  json: JsonCodec | undefined,
): string | BodyFault {
  const inPath = fieldsOfPath(route, path, json !== undefined);
  if (inPath instanceof BodyFault) return inPath;
  const inQuery = fieldsOfQuery(route.definition.query ?? [], query, json !== undefined);
  return inQuery instanceof BodyFault ? inQuery : `{${[...inPath, ...inQuery].join(",")}}`;
}

/**
 * Returns the request of a route with a body. The fields of the path are appended, so that they win over fields of the
 * same name: the last one counts. A text that is not an object stays what it is, which the reader of bodies rejects.
 */
export function requestOfBody(
  route: ServedRoute,
  path: string,
  body: string | ParsedBody,
  json: JsonCodec | undefined,
): string | ParsedBody | BodyFault {
  const fields = fieldsOfPath(route, path, json !== undefined);
  if (fields instanceof BodyFault) return fields;
  if (body === "") return `{${fields.join(",")}}`;
  if (fields.length === 0) return body;
  if (typeof body === "string") return withFields(body, fields);
  const { value = null } = body;
  if (typeof value !== "object" || Array.isArray(value)) return body;
  const inPath = (json ?? JSON).parse(`{${fields.join(",")}}`);
  return { value: { ...value, ...(inPath as object) } };
}

function withFields(body: string, fields: readonly string[]): string {
  const end = lengthWithoutBlanks(body, body.length);
  const added = fields.join(",");
  if (/^[ \t\n\r]*null$/.test(body.slice(0, end))) return `{${added}}`;
  if (body[end - 1] !== "}") return body;
  const isEmpty = body[lengthWithoutBlanks(body, end - 1) - 1] === "{";
  return `${body.slice(0, end - 1)}${isEmpty ? "" : ","}${added}}`;
}

/** A loop, because a regular expression would take quadratic time for many blanks. */
function lengthWithoutBlanks(text: string, length: number): number {
  let end = length;
  while (end > 0 && " \t\n\r".includes(text[end - 1] ?? "x")) end--;
  return end;
}

/** Returns the fields as JSON: `"id":5`. */
function fieldsOfPath(
  { definition, positions }: ServedRoute,
  path: string,
  isInt64Wide: boolean,
): readonly string[] | BodyFault {
  const segments = path.split("/");
  const fields: string[] = [];
  for (const [index, parameter] of definition.parameters.entries()) {
    const text = segments[positions[index] ?? 0] ?? "";
    const field = fieldOf("path", parameter, [text], isInt64Wide);
    if (field instanceof BodyFault) return field;
    fields.push(field);
  }
  return fields;
}

function fieldsOfQuery(
  parameters: readonly RouteField[],
  query: string,
  isInt64Wide: boolean,
): readonly string[] | BodyFault {
  const textsByName = textsOf(query);
  if (textsByName instanceof BodyFault) return textsByName;
  const fields: string[] = [];
  for (const parameter of parameters) {
    const { type, isList, isOptional } = parameter;
    const name = parameter.queryName ?? parameter.name;
    const texts = textsByName.get(name);
    if (texts === undefined && isOptional) continue;
    if (texts === undefined && !isList)
      return faultOf(`missing query param '${name}'`, parameter, `a valid ${type}`, "nothing");
    const field = fieldOf("query", parameter, texts ?? [], isInt64Wide);
    if (field instanceof BodyFault) return field;
    fields.push(field);
  }
  return fields;
}

/** Returns the encoded values of a query, by name. Unknown names are ignored, so their values are not decoded. */
function textsOf(query: string): ReadonlyMap<string, readonly string[]> | BodyFault {
  const found = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decoded("query", equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined) return new BodyFault("malformed percent-encoding in the query");
    const texts = found.get(name);
    const text = equals === -1 ? "" : pair.slice(equals + 1);
    if (texts === undefined) found.set(name, [text]);
    else texts.push(text);
  }
  return found;
}

/** Reads all texts. A field that is not a list takes the first. */
function fieldOf(
  place: Place,
  parameter: RouteField,
  texts: readonly string[],
  isInt64Wide: boolean,
): string | BodyFault {
  const { type, isList, isSecret } = parameter;
  const name = (place === "query" ? parameter.queryName : undefined) ?? parameter.name;
  const values: string[] = [];
  for (const encoded of texts) {
    const text = decoded(place, encoded);
    if (text === undefined)
      return faultOf(`invalid ${place} param '${name}': malformed percent-encoding`, parameter);
    const value = jsonOfText(type, text, isInt64Wide);
    if (value === undefined) {
      const expected = expectedValue(type, text);
      const found = isSecret ? "the value" : quoted(text);
      const reason = `invalid ${place} param '${name}': ${found} is not a ${expected}`;
      const rule = limitOf(type, text, isInt64Wide);
      return faultOf(reason, parameter, `a ${expected}`, isSecret ? "text" : found, rule);
    }
    values.push(value);
  }
  return `${JSON.stringify(parameter.name)}:${isList ? `[${values.join(",")}]` : values[0]}`;
}

/** Returns undefined if the percent-encoding is malformed or is not UTF-8. */
function decoded(place: Place, text: string): string | undefined {
  try {
    return decodeURIComponent(place === "query" ? text.replace(/[+]/g, " ") : text);
  } catch {
    return undefined;
  }
}

const quotedMaxLength = 60;

function quoted(text: string): string {
  return JSON.stringify(text.length <= quotedMaxLength ? text : `${text.slice(0, quotedMaxLength)}…`);
}

function faultOf(
  reason: string,
  { name, message }: RouteField,
  expected = "percent-encoded UTF-8",
  found = "text",
  rule: Partial<Issue> = {},
): BodyFault {
  const own = message === undefined ? {} : { message };
  return new BodyFault(reason, toIssues([{ ...issue([name], expected, found), ...own, ...rule }]));
}

/* Requests in a URL, of methods without a route: `?q={"id":5}`, percent-encoded. */

/** The longest target of such a request, in bytes. Some browsers and proxies fail with longer URLs. */
const targetMaxBytes = 2_000;

/** Returns the request in a query. `target` is the path and the query as they were sent. */
export function requestOfJsonQuery(target: string, query: string, mayBeMissing: boolean): string | BodyFault {
  if (target.length > targetMaxBytes)
    return new BodyFault(
      `the path and the query are longer than ${targetMaxBytes} bytes: send the request by QUERY or POST`,
      undefined,
      414,
    );
  const text = /(?:^|&)q=([^&]*)/.exec(query)?.[1];
  if (text === undefined) return mayBeMissing ? "" : new BodyFault("missing query param 'q'");
  try {
    return decodeURIComponent(text.replace(/[+]/g, " "));
  } catch {
    return new BodyFault("invalid query param 'q': malformed percent-encoding");
  }
}

/** Returns the path and the query of a request, including a prefix below which the server is mounted. */
export function targetOf(carrier: unknown): string {
  const { originalUrl, url } = (carrier ?? {}) as { readonly originalUrl?: unknown; readonly url?: unknown };
  return `${originalUrl ?? url ?? ""}`.replace(/^[a-z]+:[/][/][^/?#]*/i, "");
}
