import type { AnnotationNode, MethodNode, Name, ServiceNode } from "../../syntax/tree.ts";
import { keysOf, methodKeys, serviceKeys } from "../keys.ts";
import { isNothing, mapOr, type YamlEntry, type YamlNode } from "../nodes.ts";
import { noArguments, readArguments } from "./arguments.ts";
import { readDocs } from "./docs.ts";
import { entriesOf, Parts } from "./entries.ts";
import { type Reading, textOf } from "./reading.ts";

/** `services`: by name, each with its methods by name. */
export function readServices(node: YamlNode, reading: Reading): ServiceNode[] {
  return entriesOf(node, '"services"', reading).flatMap((entry) => readService(entry, reading) ?? []);
}

function readService({ key, value }: YamlEntry, reading: Reading): ServiceNode | undefined {
  const name = reading.text(key, "The name of a service");
  if (name === undefined) return undefined;
  const what = `The service "${name.value}"`;
  if (value.kind !== "map" && !isNothing(value)) return reading.mismatch(value, what, "a map with methods");
  const parts = new Parts(mapOr(value), keysOf(serviceKeys), `the service "${name.value}"`, reading);
  const list = parts.get("methods");
  const entries = list === undefined ? [] : entriesOf(list, `"methods" of "${name.value}"`, reading);
  const methods = entries.flatMap((entry) => readMethod(entry, reading) ?? []);
  const span = { start: key.span.start, end: Math.max(key.span.end, value.span.end) };
  const node: ServiceNode = { kind: "service", name, methods, span };
  readDocs(node, parts.get("docs"), reading);
  return node;
}

function readMethod({ key, value }: YamlEntry, reading: Reading): MethodNode | undefined {
  const name = reading.name(key, "The name of a method");
  if (name === undefined) return undefined;
  if (value.kind !== "map" && !isNothing(value))
    return reading.mismatch(value, `The method "${name.text}"`, "a map with input, output and errors");
  const parts = new Parts(mapOr(value), keysOf(methodKeys), `the method "${name.text}"`, reading);
  const streams = readStreams(parts, reading);
  const node: MethodNode = {
    kind: "method",
    name,
    proxy: readProxy(parts, reading),
    annotations: readAnnotations(parts.get("annotations"), reading),
    input: readSide(parts.get("input"), "input", streams.input, name, reading),
    output: readSide(parts.get("output"), "output", streams.output, name, reading),
    errors: readNames(parts.get("errors"), reading),
    span: { start: key.span.start, end: Math.max(key.span.end, value.span.end) },
  };
  readDocs(node, parts.get("docs"), reading);
  return node;
}

function readSide(
  node: YamlNode | undefined,
  side: string,
  stream: boolean,
  method: Name,
  reading: Reading,
): MethodNode["input"] {
  if (node === undefined || isNothing(node)) return noArguments(method.span, stream);
  return (
    readArguments(node, { what: `The ${side} of "${method.text}"`, stream }, reading) ??
    noArguments(node.span, stream)
  );
}

function readStreams(parts: Parts, reading: Reading): { readonly input: boolean; readonly output: boolean } {
  const node = parts.get("stream");
  const text = node?.kind === "scalar" ? node.text : "";
  if (node !== undefined && !["input", "output", "both"].includes(text))
    reading.mismatch(node, '"stream"', "output, input or both");
  return { input: text === "input" || text === "both", output: text === "output" || text === "both" };
}

/** A proxied method says nothing else, so that nothing is dropped in silence. */
function readProxy(parts: Parts, reading: Reading): boolean {
  const node = parts.get("proxy");
  if (node === undefined) return false;
  const text = node.kind === "scalar" ? node.text : "";
  if (text !== "true" && text !== "false") reading.mismatch(node, '"proxy"', "true or false");
  if (text !== "true") return false;
  for (const key of ["input", "output", "stream", "errors"]) {
    const entry = parts.entry(key);
    if (entry !== undefined)
      reading.fault("yaml-key-unknown", { key, what: "a proxied method" }, entry.key.span, {
        advice: "Leave it out, or leave out proxy.",
      });
  }
  return true;
}

/** `[auth: accessKey, readonly]`. */
function readAnnotations(node: YamlNode | undefined, reading: Reading): AnnotationNode[] {
  if (node === undefined) return [];
  const first = new Map<string, AnnotationNode>();
  return entriesOf(node, '"annotations"', reading).flatMap(({ key, value }) => {
    const name = reading.name(key, "The name of an annotation");
    if (name === undefined) return [];
    const scalar =
      value.kind === "nothing" ? undefined : reading.scalar(value, `The value of "@${name.text}"`);
    const end = scalar?.span.end ?? key.span.end;
    const annotation = { name, value: scalar && textOf(scalar), span: { start: key.span.start, end } };
    const earlier = first.get(name.text);
    if (earlier === undefined) first.set(name.text, annotation);
    else {
      const notes = [{ message: "First given here.", at: { file: reading.file, span: earlier.span } }];
      reading.fault("duplicate-annotation", { name: name.text }, annotation.span, {
        notes,
        advice: "Keep one; several values go into one text, as auth: a,b.",
      });
    }
    return [annotation];
  });
}

function readNames(node: YamlNode | undefined, reading: Reading): Name[] {
  if (node === undefined || isNothing(node)) return [];
  if (node.kind !== "list") {
    const advice = node.kind === "scalar" ? { advice: `Write it as a list: [${node.text}].` } : {};
    reading.mismatch(node, '"errors"', "a list of names", advice);
    return [];
  }
  return node.items.flatMap((item) => reading.name(item, "The name of an error") ?? []);
}
