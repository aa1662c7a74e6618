/** Prints the call as TypeScript that uses the generated client, directly or with TanStack Query. */
import type { JsonNode } from "../json/node.ts";
import { isRead, type Schema, type ServiceMethod } from "../schema/ir.ts";
import { bodyShape, type Shape, shapeOf } from "../schema/shape.ts";
import type { KeyInfo } from "./host-info.ts";
import { type CallRequest, variableOf } from "./request.ts";

export interface ClientCall {
  readonly request: CallRequest;
  readonly body: JsonNode;
  readonly keys: readonly KeyInfo[];
}

export function clientCode(schema: Schema, found: ServiceMethod, call: ClientCall): string {
  const { service, method } = found;
  const code = `${variableFor(found)}.${lowerFirst(method.name)}(${requestLiteral(schema, found, call)})`;
  const use =
    method.streamOutput === true
      ? `for await (const item of ${code}) {\n  console.log(item);\n}`
      : `const response = await ${code};`;
  return `import { ${service.name} } from "./generated/client.ts";\n\n${clientSetup(found, call)}\n${use}\n`;
}

/** The call as options of TanStack Query, for React. */
export function queryCode(schema: Schema, found: ServiceMethod, call: ClientCall): string {
  const { service, method } = found;
  const [hook, options] =
    method.streamOutput === true
      ? ["useQuery", "streamedOptions"]
      : isQuery(method)
        ? ["useQuery", "queryOptions"]
        : ["useMutation", "mutationOptions"];
  const name = functionName(schema, found);
  const client = `${variableFor(found)}.client`;
  const request = requestLiteral(schema, found, call);
  const use =
    hook === "useQuery"
      ? `const { data, error } = useQuery(${options}(${[name, client, request].filter((part) => part !== "").join(", ")}));`
      : `const { mutate, error } = useMutation(${options}(${name}, ${client}));\nmutate(${request});`;
  return `import { ${hook} } from "@tanstack/react-query";
import { ${service.name}, ${name} } from "./generated/client.ts";
import { ${options} } from "ridlkit-runtime/tanstack-query";

${clientSetup(found, call)}
${use}
`;
}

/** A method that says that it changes nothing, or is named like one. */
function isQuery(method: ServiceMethod["method"]): boolean {
  return isRead(method) || /^(?:get|list|find|search|count|is|has|read|query)/i.test(method.name);
}

/** The name of the exported function. It starts with the service if several services have the method. */
function functionName({ ir }: Schema, { service, method }: ServiceMethod): string {
  const name = lowerFirst(method.name);
  const isShared =
    ir.services.filter(({ methods }) => methods.some((one) => one.name === method.name)).length > 1;
  return isShared ? `${lowerFirst(service.name)}${method.name}` : name;
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

function requestLiteral(schema: Schema, { method }: ServiceMethod, { body }: ClientCall): string {
  return literalOf(schema, bodyShape(schema, method, method.inputs), body, "");
}

/** `GetOrders` → `getOrders`, `API` → `api` */
function lowerFirst(name: string): string {
  return name === name.toUpperCase()
    ? name.toLowerCase()
    : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}

/** Prints a value as a literal. Bigint fields are strings on the wire and bigints in the client. */
function literalOf(schema: Schema, shape: Shape, node: JsonNode, indent: string): string {
  if (shape.kind === "file") return `new Blob(["…"])`;
  const inner = `${indent}  `;
  if (node.kind === "array") {
    const item = shape.kind === "list" ? shapeOf(schema, shape.item) : shape;
    return block(
      "[]",
      node.items.map((one) => literalOf(schema, item, one, inner)),
      indent,
    );
  }
  if (node.kind === "object") {
    const parts = node.entries.map(
      ([key, one]) =>
        `${propertyName(key)}: ${literalOf(schema, memberShape(schema, shape, key), one, inner)}`,
    );
    return block("{}", parts, indent);
  }
  if (node.kind !== "string") return node.text;
  return shape.kind === "bigint" && /^-?[0-9]+$/.test(node.value)
    ? `${node.value}n`
    : JSON.stringify(node.value);
}

function memberShape(schema: Schema, shape: Shape, key: string): Shape {
  if (shape.kind === "map") return shapeOf(schema, shape.value);
  const field = shape.kind === "struct" ? shape.fields.find(({ name }) => name === key) : undefined;
  return field === undefined ? { kind: "any", meta: {} } : shapeOf(schema, field.reference);
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

/** A curl command for any POSIX shell. Secrets are written as variables: `$SECRET_KEY`. */
export function curlOf(request: CallRequest, keys: readonly KeyInfo[]): string {
  // With a body, curl sends POST.
  const verb = request.verb === (request.body === undefined ? "GET" : "POST") ? "" : `-X ${request.verb} `;
  const lines = [`curl -s ${verb}'${request.url}${request.path}'`];
  for (const [header, text] of Object.entries(request.headers)) {
    const secret = keys.find(
      (key) =>
        key.isSecret === true &&
        key.header.toLowerCase() === header &&
        text !== `${key.prefix ?? ""}${key.value}`,
    );
    lines.push(
      secret === undefined
        ? `-H ${quoted(`${header}: ${text}`)}`
        : `-H "${header}: ${secret.prefix ?? ""}$${variableOf(secret)}"`,
    );
  }
  if (request.files !== undefined) {
    lines.push(`--form-string ${quoted(`json=${request.body ?? "{}"}`)}`);
    for (const { name, file } of request.files) lines.push(`-F ${quoted(`${name}=@${file.name}`)}`);
  } else if (request.body !== undefined) lines.push(`-d ${quoted(request.body)}`);
  return lines.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/* Prints the call as JavaScript that needs no generated code. */

/** Undefined for a form with files, and for streams: both need more than one call of `fetch`. */
export function fetchCode(
  { url, path, verb, headers, body, files }: CallRequest,
  keys: readonly KeyInfo[],
): string | undefined {
  if (files !== undefined) return undefined;
  const lines = Object.entries(headers).map(([name, text]) => {
    const key = keys.find(({ isSecret, header }) => isSecret === true && header.toLowerCase() === name);
    const value = key === undefined ? JSON.stringify(text) : `\`${key.prefix ?? ""}\${${variableOf(key)}}\``;
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
