import type { AnnotationNode, MethodNode, Name, ServiceNode } from "../../syntax/tree.ts";
import { keysOf, methodKeys, serviceKeys } from "../keys.ts";
import { isEmptyNode, mapOrEmpty, type YamlEntry, type YamlNode } from "../nodes.ts";
import { noArguments, readArguments } from "./arguments.ts";
import { readDocs } from "./docs.ts";
import { entriesOf, MapReader } from "./entries.ts";
import { type ReadContext, textOf } from "./read-context.ts";
import { readRoute } from "./route.ts";

/** `services`: by name, each with its methods by name. */
export function readServices(node: YamlNode, context: ReadContext): ServiceNode[] {
  return entriesOf(node, '"services"', context).flatMap((entry) => readService(entry, context) ?? []);
}

function readService({ key, value }: YamlEntry, context: ReadContext): ServiceNode | undefined {
  const name = context.text(key, "The name of a service");
  if (name === undefined) return undefined;
  const what = `The service "${name.value}"`;
  if (value.kind !== "map" && !isEmptyNode(value)) return context.mismatch(value, what, "a map with methods");
  const parts = new MapReader(mapOrEmpty(value), keysOf(serviceKeys), `the service "${name.value}"`, context);
  const pathNode = parts.get("path");
  const path = pathNode === undefined ? undefined : context.text(pathNode, '"path"');
  const list = parts.get("methods");
  const entries = list === undefined ? [] : entriesOf(list, `"methods" of "${name.value}"`, context);
  const methods = entries.flatMap((entry) => readMethod(entry, context) ?? []);
  const span = { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
  const node: ServiceNode = { kind: "service", name, path, methods, span };
  readDocs(node, parts.get("docs"), context);
  return node;
}

function readMethod({ key, value }: YamlEntry, context: ReadContext): MethodNode | undefined {
  const name = context.name(key, "The name of a method");
  if (name === undefined) return undefined;
  if (value.kind !== "map" && !isEmptyNode(value))
    return context.mismatch(value, `The method "${name.text}"`, "a map with input, output and errors");
  const parts = new MapReader(mapOrEmpty(value), keysOf(methodKeys), `the method "${name.text}"`, context);
  const streams = readStreams(parts, context);
  const route = readRoute(parts.get("route"), context);
  const node: MethodNode = {
    kind: "method",
    name,
    proxy: readProxy(parts, context),
    annotations: readAnnotations(parts.get("annotations"), context),
    input: readSide(parts.get("input"), "input", streams.input, name, context),
    output: readSide(parts.get("output"), "output", streams.output, name, context),
    errors: readNames(parts.get("errors"), context),
    ...(route !== undefined && { route }),
    span: { start: key.span.start, end: Math.max(key.span.end, value.span.end) },
  };
  readDocs(node, parts.get("docs"), context);
  return node;
}

function readSide(
  node: YamlNode | undefined,
  side: string,
  stream: boolean,
  method: Name,
  context: ReadContext,
): MethodNode["input"] {
  if (node === undefined || isEmptyNode(node)) return noArguments(method.span, stream);
  return (
    readArguments(node, { what: `The ${side} of "${method.text}"`, stream }, context) ??
    noArguments(node.span, stream)
  );
}

function readStreams(
  parts: MapReader,
  context: ReadContext,
): { readonly input: boolean; readonly output: boolean } {
  const node = parts.get("stream");
  const text = node?.kind === "scalar" ? node.text : "";
  if (node !== undefined && !["input", "output", "both"].includes(text))
    context.mismatch(node, '"stream"', "output, input or both");
  return { input: text === "input" || text === "both", output: text === "output" || text === "both" };
}

/** Rejects other keys of a proxied method, so that none is dropped silently. */
function readProxy(parts: MapReader, context: ReadContext): boolean {
  const node = parts.get("proxy");
  if (node === undefined) return false;
  const text = node.kind === "scalar" ? node.text : "";
  if (text !== "true" && text !== "false") context.mismatch(node, '"proxy"', "true or false");
  if (text !== "true") return false;
  for (const key of ["route", "input", "output", "stream", "errors"]) {
    const entry = parts.entry(key);
    if (entry !== undefined)
      context.fault("yaml-key-unknown", { key, what: "a proxied method" }, entry.key.span, {
        advice: "Remove it, or remove proxy.",
      });
  }
  return true;
}

/** `annotations`: as in `[auth: accessKey, readonly]`. */
function readAnnotations(node: YamlNode | undefined, context: ReadContext): AnnotationNode[] {
  if (node === undefined) return [];
  const first = new Map<string, AnnotationNode>();
  return entriesOf(node, '"annotations"', context).flatMap(({ key, value }) => {
    const name = context.name(key, "The name of an annotation");
    if (name === undefined) return [];
    const scalar =
      value.kind === "nothing" ? undefined : context.scalar(value, `The value of "@${name.text}"`);
    const end = scalar?.span.end ?? key.span.end;
    const annotation = { name, value: scalar && textOf(scalar), span: { start: key.span.start, end } };
    const earlier = first.get(name.text);
    if (earlier === undefined) first.set(name.text, annotation);
    else {
      const notes = [{ message: "First given here.", at: { file: context.file, span: earlier.span } }];
      context.fault("duplicate-annotation", { name: name.text }, annotation.span, {
        notes,
        advice: "Keep one. Put several values into one text, as in auth: a,b.",
      });
    }
    return [annotation];
  });
}

function readNames(node: YamlNode | undefined, context: ReadContext): Name[] {
  if (node === undefined || isEmptyNode(node)) return [];
  if (node.kind !== "list") {
    const advice = node.kind === "scalar" ? { advice: `Write it as a list: [${node.text}].` } : {};
    context.mismatch(node, '"errors"', "a list of names", advice);
    return [];
  }
  return node.items.flatMap((item) => context.name(item, "The name of an error") ?? []);
}
