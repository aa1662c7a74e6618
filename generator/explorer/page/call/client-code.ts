/** Prints the call as TypeScript that uses the generated client. */
import type { JsonNode } from "../json/node.ts";
import type { Schema, ServiceMethod } from "../schema/ir.ts";
import { bodyShape, type Shape, shapeOf } from "../schema/shape.ts";
import type { KeyInfo } from "./host-info.ts";
import { type CallRequest, variableOf } from "./request.ts";

export interface ClientCall {
  readonly request: CallRequest;
  readonly body: JsonNode;
  readonly keys: readonly KeyInfo[];
}

export function clientCode(
  schema: Schema,
  found: ServiceMethod,
  { request, body, keys }: ClientCall,
): string {
  const { service, method } = found;
  const variable = lowerFirst(service.name);
  const sent = keys.filter(({ header }) => request.headers[header.toLowerCase()] !== undefined);
  const headers = sent.map(
    ({ header, prefix = "", ...key }) =>
      `    ${JSON.stringify(header.toLowerCase())}: \`${prefix}\${process.env.${variableOf({ header, ...key })}}\`,`,
  );
  const settings =
    headers.length === 0
      ? JSON.stringify(request.url)
      : `{\n  url: ${JSON.stringify(request.url)},\n  headers: () => ({\n${headers.join("\n")}\n  }),\n}`;
  const call = `${variable}.${lowerFirst(method.name)}(${literalOf(schema, bodyShape(schema, method, method.inputs), body, "")})`;
  const use =
    method.streamOutput === true
      ? `for await (const item of ${call}) {\n  console.log(item);\n}`
      : `const response = await ${call};`;
  return `import { ${service.name} } from "./generated/client.ts";\n\nconst ${variable} = new ${service.name}(${settings});\n${use}\n`;
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
