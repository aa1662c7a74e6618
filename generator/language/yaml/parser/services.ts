import type { Span } from "../../source/span.ts";
import { isRouteVerb, routeVerbs } from "../../syntax/route-verbs.ts";
import type {
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  ErrorNode,
  MethodNode,
  Name,
  RouteNode,
  ServiceNode,
} from "../../syntax/tree.ts";
import { errorKeys, keysOf, methodKeys, serviceKeys } from "../keys.ts";
import {
  isEmptyNode,
  mapOrEmpty,
  spanWithin,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from "../nodes.ts";
import { entriesOf, MapReader, type ReadContext, readDocs, textOf } from "./read-context.ts";
import { readType } from "./type-text.ts";

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
  for (const key of ["input", "output", "stream", "errors"]) {
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
  if (node.kind === "scalar" && !isEmptyNode(node)) {
    const advice = `Write it as a list: [${node.text}].`;
    return context.mismatch(node, '"annotations"', "a map or a list", { advice }) ?? [];
  }
  const first = new Map<string, AnnotationNode>();
  return entriesOf(node, '"annotations"', context).flatMap(({ key, value }) => {
    const [, ridlName, ridlValue] = /^@?(\w+)(?::(.+))?$/.exec(key.text) ?? [];
    const advice =
      ridlName === undefined || ridlName === key.text
        ? {}
        : { advice: `Write ${ridlName}${ridlValue === undefined ? "" : `: ${ridlValue}`}.` };
    const name = context.name(key, "The name of an annotation", advice);
    if (name === undefined) return [];
    const scalar = value.kind === "nothing" ? undefined : readAnnotationValue(value, name, context);
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

function readAnnotationValue(node: YamlNode, { text }: Name, context: ReadContext): YamlScalar | undefined {
  const what = `The value of "@${text}"`;
  const items =
    node.kind === "list" ? node.items.map((item) => (item.kind === "scalar" ? item.text : "")) : [];
  if (items.length < 2 || items.includes("")) return context.scalar(node, what);
  const advice = `Put all values into one string: "${items.join(",")}".`;
  return context.mismatch(node, what, "a string", { advice });
}

function readNames(node: YamlNode | undefined, context: ReadContext): Name[] {
  if (node === undefined || isEmptyNode(node)) return [];
  if (node.kind !== "list") {
    const names = node.kind === "scalar" ? [node.text] : mapOrEmpty(node).entries.map(({ key }) => key.text);
    const advice = `Write it as a list: [${names.join(", ")}].`;
    context.mismatch(node, '"errors"', "a list of names", names.length > 0 ? { advice } : {});
    return [];
  }
  return node.items.flatMap((item) => context.name(item, "The name of an error") ?? []);
}

export interface ArgumentSide {
  readonly what: string;
  readonly stream: boolean;
}

/** Arguments by name, as in `{ id: uint64, full?: bool }`, or the name of the struct that is the body. */
function readArguments(
  node: YamlNode,
  { what, stream }: ArgumentSide,
  context: ReadContext,
): ArgumentsNode | undefined {
  const { span } = node;
  if (node.kind === "scalar") {
    const succinct = context.name(node, what);
    return succinct && { stream, succinct, list: [], span };
  }
  const list = entriesOf(node, what, context).flatMap((entry) => readArgument(entry, context) ?? []);
  return { stream, succinct: undefined, list, span };
}

function noArguments(span: Span, stream: boolean): ArgumentsNode {
  return { stream, succinct: undefined, list: [], span };
}

function readArgument({ key, value }: YamlEntry, context: ReadContext): ArgumentNode | undefined {
  const named = context.optionalName(key, "The name of an argument");
  if (named === undefined) return undefined;
  if (value.kind === "map")
    return context.mismatch(value, `The type of "${named.name.text}"`, "a type", {
      advice: "Constraints belong to struct fields. Declare a struct and use it as the method's input.",
    });
  const type = readType(
    value,
    { kind: "argument", name: named.name.text, optional: named.optional },
    context,
  );
  return type && { ...named, type, span: { start: key.span.start, end: value.span.end } };
}

/** `route`: a verb and a path, as in `GET /pets/{id}`. */
function readRoute(node: YamlNode | undefined, context: ReadContext): RouteNode | undefined {
  if (node === undefined) return undefined;
  const [first, ...more] = mapOrEmpty(node).entries;
  if (first?.value.kind === "scalar") {
    // `{ GET: /pets }` or `{ method: GET, path: /pets }`.
    const [path = first] = more;
    const verb = more.length === 0 ? first.key : first.value;
    const parts = [verb, path.value].map((part) => (part.kind === "scalar" ? part.text : ""));
    const advice = `Write it as a string: ${parts.join(" ")}.`;
    return context.mismatch(node, '"route"', "a verb and a path", { advice });
  }
  const scalar = context.scalar(node, '"route"');
  if (scalar === undefined) return undefined;
  const { text, quoted, span } = scalar;
  const [, verb = "", path = ""] = /^(\S+)[ \t]+(\S[\s\S]*)$/.exec(text) ?? [];
  if (path === "") return context.mismatch(scalar, '"route"', "a verb and a path, as in GET /pets");
  if (!isRouteVerb(verb))
    return context.fault("route-verb", { verb }, spanWithin(scalar, 0, verb.length), {
      advice: `The verbs are ${routeVerbs.join(", ")}.`,
    });
  const start = text.length - path.length;
  return {
    verb: { text: verb, span: spanWithin(scalar, 0, verb.length) },
    path: { value: path, quoted, span: spanWithin(scalar, start, text.length) },
    span,
  };
}

/** `errors`: by name, as in `NotFound: { code: 100, message: Not found, status: 404 }`. */
export function readErrors(node: YamlNode, context: ReadContext): ErrorNode[] {
  const isUnnamed =
    node.kind === "list" &&
    node.items.some((item) => item.kind === "map" && item.entries.some(({ key }) => key.text in errorKeys));
  if (isUnnamed) {
    const advice = 'Write each error by its name: "NotFound: { code: 100, message: Not found }".';
    return context.mismatch(node, '"errors"', "a map with the errors by name", { advice }) ?? [];
  }
  return entriesOf(node, '"errors"', context).flatMap((entry) => readError(entry, context) ?? []);
}

function readError({ key, value }: YamlEntry, context: ReadContext): ErrorNode | undefined {
  const name = context.name(key, "The name of an error");
  if (name === undefined) return undefined;
  const what = `The error "${name.text}"`;
  if (value.kind !== "map")
    return context.mismatch(value.kind === "nothing" ? key : value, what, "a map with code and message");
  const before = context.diagnostics.length;
  const parts = new MapReader(value, keysOf(errorKeys), `the error "${name.text}"`, context);
  const status = parts.get("status");
  const code = parts.get("code");
  const message = parts.get("message");
  const node = {
    code: code && readNumber(code, "The code of an error", context),
    message: message && context.text(message, `The message of "${name.text}"`),
    httpStatus: status && readNumber(status, "The HTTP status", context),
  };
  if (context.diagnostics.length > before) return undefined;
  for (const part of ["code", "message"] as const)
    if (node[part] === undefined) context.fault("yaml-missing-key", { what, key: part }, key.span);
  if (node.code === undefined || node.message === undefined) return undefined;
  const { message: text, code: number, httpStatus } = node;
  const span = { start: key.span.start, end: value.span.end };
  const error: ErrorNode = { kind: "error", code: number, name, message: text, httpStatus, span };
  readDocs(error, parts.get("docs"), context);
  return error;
}

/** Decimal digits only: `0x10`, `1e3` and `1_000` are rejected, even though YAML reads them as numbers. */
function readNumber(node: YamlNode, what: string, context: ReadContext): Name | undefined {
  const scalar = context.scalar(node, what);
  if (scalar === undefined) return undefined;
  if (!/^[0-9]+$/.test(scalar.text))
    return context.fault("not-a-number", { what, found: scalar.text }, scalar.span);
  return { text: scalar.text, span: scalar.span };
}
