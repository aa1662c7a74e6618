import type {
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  MethodNode,
  ServiceNode,
} from "../../syntax/tree.ts";
import { maxWidth, type Output } from "./output.ts";
import { scalar, valueScalar } from "./scalar.ts";
import { printTypeText, typeText } from "./type-text.ts";

export function printService(node: ServiceNode, out: Output): void {
  out.blankLine(1);
  out.comments(node, 1);
  out.line(1, `${scalar(node.name.value)}:`);
  if (node.path !== undefined) out.line(2, `path: ${scalar(node.path.value)}`);
  out.line(2, "methods:");
  for (const method of node.methods) printMethod(method, out);
}

/**
 * Prints:
 *
 *     GetOrder:
 *       annotations: [auth: accessKey, readonly]
 *       input: { id: OrderId }
 *       output: Order
 *       errors: [NotFound]
 */
function printMethod(node: MethodNode, out: Output): void {
  out.blankLine(3);
  out.comments(node, 3);
  out.line(3, `${scalar(node.name.text)}:`);
  if (node.annotations.length > 0)
    out.line(4, `annotations: [${node.annotations.map(printAnnotation).join(", ")}]`);
  if (node.proxy) {
    out.line(4, "proxy: true");
    return;
  }
  const { input, output, route } = node;
  if (route !== undefined) out.line(4, `route: ${scalar(`${route.verb.text} ${route.path.value}`)}`);
  printSide("input", input, out);
  printSide("output", output, out);
  if (input.stream || output.stream)
    out.line(4, `stream: ${input.stream && output.stream ? "both" : input.stream ? "input" : "output"}`);
  if (node.errors.length > 0)
    out.line(4, `errors: [${node.errors.map(({ text }) => scalar(text, true)).join(", ")}]`);
}

function printAnnotation({ name, value }: AnnotationNode): string {
  const text = scalar(name.text, true);
  return value === undefined ? text : `${text}: ${valueScalar(value, true)}`;
}

function printSide(key: string, { succinct, list }: ArgumentsNode, out: Output): void {
  if (succinct !== undefined) {
    out.line(4, `${key}: ${scalar(succinct.text)}`);
    return;
  }
  if (list.length === 0) return;
  const isMap = new Set(list.map(argumentName)).size === list.length;
  const items = list.map((one) => `${scalar(argumentName(one), true)}: ${scalar(typeText(one.type), true)}`);
  const text = isMap ? `{ ${items.join(", ")} }` : `[${items.join(", ")}]`;
  if (key.length + text.length <= maxWidth - 10) {
    out.line(4, `${key}: ${text}`);
    return;
  }
  out.line(4, `${key}:`);
  for (const one of list)
    out.line(5, `${isMap ? "" : "- "}${scalar(argumentName(one))}: ${printTypeText(one.type)}`);
}

function argumentName({ name, optional }: ArgumentNode): string {
  return `${name.text}${optional ? "?" : ""}`;
}
