/** The verb and the path of a call. A method with a route has values in its path, and in its query if it has no body. */
import { escapePointer, type FieldErrors } from "../form/request-body.ts";
import { type JsonNode, writeJson } from "../json/node.ts";
import { addressOf, namesInRoutes, parametersOf, type Schema, type ServiceMethod } from "../schema/ir.ts";

export interface CallAddress {
  readonly verb: string;
  /** With the query: `/rpc/pets?limit=20`. A value that a path cannot hold keeps its parameter: `/rpc/pets/{id}`. */
  readonly path: string;
  readonly hasBody: boolean;
  /** At the fields that a path cannot hold. */
  readonly errors: FieldErrors;
}

export function callAddress(schema: Schema, found: ServiceMethod, body: JsonNode): CallAddress {
  const { verb, path: template } = addressOf(schema, found);
  const hasBody = !isBodiless(verb);
  if (found.method.route === undefined) return { verb, path: template, hasBody, errors: new Map() };
  const inRoutes = namesInRoutes(schema, found.method);
  const entries = body.kind === "object" ? [...body.entries] : [];
  const values = new Map(entries.map(([name, node]) => [inRoutes.get(name) ?? name, node]));
  const errors = new Map<string, string>();
  const path = template.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const [text = ""] = textsOf(values.get(name));
    // URLs drop the segments `.` and `..`, however they are encoded.
    if (!["", ".", ".."].includes(text)) return encoded(text);
    const [own = name] = [...inRoutes].find(([, inRoute]) => inRoute === name) ?? [];
    errors.set(`/${escapePointer(own)}`, 'Enter a value other than "." and "..": it is part of the path.');
    return parameter;
  });
  const query = hasBody ? "" : queryOf(values, new Set(parametersOf(template)));
  return { verb, path: query === "" ? path : `${path}?${query}`, hasBody, errors };
}

/** The verbs of requests without a body. */
function isBodiless(verb: string): boolean {
  return ["GET", "DELETE", "QUERY"].includes(verb);
}

/** `limit=20&tags=a&tags=b` */
function queryOf(values: ReadonlyMap<string, JsonNode>, inPath: ReadonlySet<string>): string {
  return [...values]
    .filter(([name]) => !inPath.has(name))
    .flatMap(([name, node]) => textsOf(node).map((text) => `${encoded(name)}=${encoded(text)}`))
    .join("&");
}

/** The texts of a value: one for each item of a list, and none for null. Numbers keep all digits. */
function textsOf(node: JsonNode | undefined): readonly string[] {
  if (node === undefined) return [];
  if (node.kind === "array") return node.items.flatMap(textsOf);
  if (node.kind === "string") return [node.value];
  if (node.kind === "object") return [writeJson(node)];
  return node.text === "null" ? [] : [node.text];
}

/** Includes `'`, which would end the URL in a shell. A lone surrogate becomes U+FFFD. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll("'", "%27");
}
