/** Turns a routed call into the request that an unrouted one has: the JSON of all fields. */
import type { Method } from "./definition.ts";
import { issue, toIssues } from "./issue.ts";
import { BodyFault } from "./json.ts";
import type { JsonCodec } from "./json-codec.ts";
import type { ParsedBody } from "./request-body.ts";
import type { RouteDefinition, RouteField } from "./route.ts";
import { expectedValue, jsonOfText } from "./route-values.ts";

/** A route with its method. */
export interface ServedRoute {
  readonly definition: RouteDefinition;
  readonly method: Method;
  /** For each field in the path, the index of its segment. */
  readonly positions: readonly number[];
  // @if reads
  /** The method has no route. The request is the body as it is, or JSON in the query. */
  readonly isDefaultPath?: true;
  // @end
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
    const { name, type, isList, isOptional } = parameter;
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
  const { name, type, isList, isSecret } = parameter;
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
      return faultOf(reason, parameter, `a ${expected}`, isSecret ? "text" : found);
    }
    values.push(value);
  }
  return `${JSON.stringify(name)}:${isList ? `[${values.join(",")}]` : values[0]}`;
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
  { name }: RouteField,
  expected = "percent-encoded UTF-8",
  found = "text",
): BodyFault {
  return new BodyFault(reason, toIssues([issue([name], expected, found)]));
}
