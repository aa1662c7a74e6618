/** Prints the call as TypeScript that uses the generated client, directly or with TanStack Query. */
import type { JsonNode } from "../json/node.ts";
import { isQuery, lowerFirst, type Schema, type ServiceMethod } from "../schema/ir.ts";
import { bodyShape, metaOf, type Shape, shapeOf, type TypeReference } from "../schema/shape.ts";
import type { KeyInfo } from "./host-info.ts";
import { type CallRequest, headersOf, variableOf } from "./request.ts";

export interface ClientCall {
  readonly request: CallRequest;
  readonly body: JsonNode;
  readonly keys: readonly KeyInfo[];
}

export function clientCode(schema: Schema, found: ServiceMethod, call: ClientCall): string {
  const { service, method } = found;
  const { literal, imports } = requestLiteral(schema, found, call);
  const code = `${variableFor(found)}.${lowerFirst(method.name)}(${literal})`;
  const use =
    method.streamOutput === true
      ? `for await (const item of ${code}) {\n  console.log(item);\n}`
      : `const response = await ${code};`;
  return `import { ${service.name} } from "./generated/client.ts";\n${imports}\n${clientSetup(found, call)}\n${use}\n`;
}

/** The call as options of TanStack Query, for React. */
export function queryCode(schema: Schema, found: ServiceMethod, call: ClientCall): string {
  const { service, method } = found;
  const [hook, options] =
    method.streamOutput === true
      ? ["useQuery", "streamOptions"]
      : isQuery(method)
        ? ["useQuery", "queryOptions"]
        : ["useMutation", "mutationOptions"];
  const name = functionName(schema, found);
  const client = `${variableFor(found)}.client`;
  const { literal: request, imports } = requestLiteral(schema, found, call);
  const use =
    hook === "useQuery"
      ? `const { data, error } = useQuery(${options}(${[name, client, request].filter((part) => part !== "").join(", ")}));`
      : `const { mutate, error } = useMutation(${options}(${name}, ${client}));\nmutate(${request});`;
  return `import { ${hook} } from "@tanstack/react-query";
import { ${service.name}, ${name} } from "./generated/client.ts";
${imports}import { ${options} } from "ridlkit-runtime/tanstack-query";

${clientSetup(found, call)}
${use}
`;
}

/** The name of the exported function. It starts with the service if an earlier service has the method. */
function functionName({ ir }: Schema, { service, method }: ServiceMethod): string {
  const first = ir.services.find(({ methods }) => methods.some((one) => one.name === method.name));
  return first === undefined || first.name === service.name
    ? lowerFirst(method.name)
    : `${lowerFirst(service.name)}${method.name}`;
}

function variableFor({ service }: ServiceMethod): string {
  return lowerFirst(service.name);
}

function clientSetup(found: ServiceMethod, { request, keys }: ClientCall): string {
  const sent = keys.filter(({ header }) => request.headers[header.toLowerCase()] !== undefined);
  const headers = sent.map(
    ({ header, prefix = "", ...key }) =>
      `    ${JSON.stringify(header.toLowerCase())}: \`${prefix}\${process.env.${variableOf({ header, ...key })}}\`,`,
  );
  const settings =
    headers.length === 0
      ? JSON.stringify(request.url)
      : `{\n  url: ${JSON.stringify(request.url)},\n  headers: () => ({\n${headers.join("\n")}\n  }),\n}`;
  return `const ${variableFor(found)} = new ${found.service.name}(${settings});`;
}

/** The request as a literal, and the import of the functions that brand its values. */
function requestLiteral(schema: Schema, { method }: ServiceMethod, { body }: ClientCall) {
  const branders = new Set<string>();
  const shape = bodyShape(schema, method, method.inputs);
  const literal = literalOf({ schema, branders }, shape, body, "");
  const names = [...branders].sort().join(", ");
  return { literal, imports: names === "" ? "" : `import { ${names} } from "./generated/types.ts";\n` };
}

interface LiteralScope {
  readonly schema: Schema;
  /** Collects the functions that the literal calls. */
  readonly branders: Set<string>;
}

/** Prints a value as a literal. Bigint fields are strings on the wire and bigints in the client. */
function literalOf(scope: LiteralScope, shape: Shape, node: JsonNode, indent: string): string {
  if (shape.kind === "file") return `new Blob(["…"])`;
  const inner = `${indent}  `;
  if (node.kind === "array") {
    const item = shape.kind === "list" ? shape.item : anyValue;
    return block(
      "[]",
      node.items.map((one) => brandedLiteral(scope, item, one, inner)),
      indent,
    );
  }
  if (node.kind === "object") {
    const parts = node.entries.map(
      ([key, one]) => `${propertyName(key)}: ${brandedLiteral(scope, memberType(shape, key), one, inner)}`,
    );
    return block("{}", parts, indent);
  }
  if (node.kind !== "string") return node.text;
  return shape.kind === "bigint" && /^-?[0-9]+$/.test(node.value)
    ? `${node.value}n`
    : JSON.stringify(node.value);
}

/** `toPatientId(7)` */
function brandedLiteral(scope: LiteralScope, use: TypeReference, node: JsonNode, indent: string): string {
  const literal = literalOf(scope, shapeOf(scope.schema, use), node, indent);
  if (literal === "null") return literal;
  return brandersOf(scope.schema, use.type).reduceRight((value, brander) => {
    scope.branders.add(brander);
    return `${brander}(${value})`;
  }, literal);
}

/** The functions for the brands of a type and of its target, outermost first. */
function brandersOf({ types }: Schema, type: string): readonly string[] {
  const found: string[] = [];
  // Each alias once: cycles are invalid, but must not hang the page.
  const seen = new Set<string>();
  for (let at = types.get(type); at?.kind === "alias" && !seen.has(at.name); at = types.get(at.type ?? "")) {
    seen.add(at.name);
    if (metaOf(at.meta)["brand"] === "true") found.push(`to${at.name}`);
  }
  return found;
}

const anyValue: TypeReference = { type: "any", meta: {} };

function memberType(shape: Shape, key: string): TypeReference {
  if (shape.kind === "map") return shape.value;
  const field = shape.kind === "struct" ? shape.fields.find(({ name }) => name === key) : undefined;
  return field?.reference ?? anyValue;
}

function block([open, close]: string, parts: readonly string[], indent: string): string {
  if (parts.length === 0) return `${open}${close}`;
  const line = open === "{" ? `{ ${parts.join(", ")} }` : `[${parts.join(", ")}]`;
  if (line.length <= 64 && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/* Prints the call as JavaScript that needs no generated code. */

/** Not for forms with files and for streams, which need more than one call of `fetch`. */
export function fetchCode(request: CallRequest, keys: readonly KeyInfo[]): string {
  const { url, path, verb, body } = request;
  const lines = headersOf(request, keys).map(({ name, text, secret }) => {
    const value = secret === undefined ? JSON.stringify(text) : `\`${secret.prefix}\${${secret.variable}}\``;
    return `    ${JSON.stringify(name)}: ${value},\n`;
  });
  const parts = [
    `  method: ${JSON.stringify(verb)},\n`,
    ...(lines.length === 0 ? [] : [`  headers: {\n${lines.join("")}  },\n`]),
    // As text, because JSON.stringify would not keep every digit of large integers.
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},\n`]),
  ];
  return `const response = await fetch(${JSON.stringify(url + path)}, {\n${parts.join("")}});\nconst result = await response.json();\n`;
}
