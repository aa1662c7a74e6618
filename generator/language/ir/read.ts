import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { isIdentifier } from "../model/names.ts";
import { fileType } from "../model/types.ts";
import { parseJson } from "../source/json.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import { isRouteVerb } from "../syntax/route-verbs.ts";
import type {
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  Declaration,
  Header,
  HeaderKey,
  MetaNode,
  MethodNode,
  Name,
  RouteNode,
  SchemaFile,
  Text,
  TypeNode,
} from "../syntax/tree.ts";
import { typeText } from "../syntax/type-text.ts";
import { JsonFields } from "./json-fields.ts";
import type {
  IrArgument,
  IrError,
  IrField,
  IrMeta,
  IrMethod,
  IrSchema,
  IrService,
  IrSharedFields,
  IrType,
  IrValue,
} from "./schema.ts";
import { parseTypeText, unknownType } from "./type-text.ts";

/** An IR file in two forms: the syntax tree for rules and model, and the IR itself for writing it back. */
export interface IrFile {
  readonly file: SchemaFile;
  readonly ir: IrSchema;
}

/** Parses `*.webrpc.json` as the reference tool does. Input that crashes the reference tool is an error. */
export function readIr(source: SourceFile): {
  readonly read?: IrFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { value, fault } = parseJson(source);
  if (fault !== undefined) {
    return {
      diagnostics: [diagnose("json-syntax", { reason: fault.message }, { file: source, span: fault.span })],
    };
  }
  if (value.kind !== "object") {
    const parameters = {
      path: "The file",
      expected: "an object",
      found: value.kind === "array" ? "a list" : `a ${value.kind}`,
    };
    return { diagnostics: [diagnose("ir-shape", parameters, { file: source, span: value.span })] };
  }
  const diagnostics: Diagnostic[] = [];
  const reader = new IrReader(source, diagnostics);
  const read = reader.read(new JsonFields(value, "", source, diagnostics));
  return { read, diagnostics };
}

class IrReader {
  readonly #source: SourceFile;
  readonly #diagnostics: Diagnostic[];
  readonly #docs = new Map<object, readonly string[]>();
  readonly #structs = new Set<string>();

  constructor(source: SourceFile, diagnostics: Diagnostic[]) {
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  read(root: JsonFields): IrFile {
    const types = root.objects("types");
    for (const type of types ?? []) if (type.text("kind") === "struct") this.#structs.add(type.text("name"));
    const declarations: Declaration[] = [];
    const ir: IrSchema = {
      webrpc: root.text("webrpc"),
      name: root.text("name"),
      version: root.text("version"),
      basepath: root.text("basepath"),
      types: types?.map((type) => this.#type(type, declarations)) ?? null,
      errors: root.objects("errors")?.map((error) => this.#error(error, declarations)) ?? null,
      services: root.objects("services")?.map((service) => this.#service(service, declarations)) ?? null,
    };
    const headers = (["webrpc", "name", "version", "basepath"] as const).flatMap((key) => header(root, key));
    const file: SchemaFile = {
      source: this.#source,
      format: "ir",
      headers,
      imports: [],
      declarations,
      comments: [],
      docs: this.#docs,
    };
    return { file, ir };
  }

  #type(json: JsonFields, declarations: Declaration[]): IrType {
    const kind = json.text("kind");
    const { text, span: nameSpan } = nameOf(json);
    const name = { text, span: nameSpan };
    const comments = json.texts("comments") ?? [];
    const type = json.type("type");
    const base = {
      kind,
      name: text,
      ...(type === undefined ? {} : { type }),
      ...sharedFieldsOf(json),
      comments,
    };
    const { span } = json;
    const typeSpan = json.spanOf("type");
    if (type !== undefined && !isWritable(type)) this.#fault("malformed-type", { text: type }, typeSpan);
    if (kind === "enum") {
      const fields = json.objects("fields") ?? [];
      const read = fields.map((field) => this.#enumValue(field, text));
      const node = {
        kind,
        name,
        base: { text: type ?? "", span: typeSpan },
        values: read.map(({ node: value }) => value),
        span,
      } as const;
      this.#declare(node, comments, declarations);
      return { ...base, fields: read.map(({ ir }) => ir) };
    }
    if (kind === "struct") {
      const read = (json.objects("fields") ?? []).map((field) => this.#field(field, text));
      this.#declare({ kind, name, fields: read.map(({ node }) => node), span }, comments, declarations);
      return { ...base, fields: read.map(({ ir }) => ir) };
    }
    if (kind === "alias") {
      if (type === undefined) this.#fault("ir-missing", { what: "type", of: `The alias "${text}"` }, span);
      // The reference tool does not check the target of an alias here.
      const target = parseTypeText(type ?? "", typeSpan) ?? { kind: "missing", span: typeSpan };
      this.#declare({ kind, name, type: target, meta: metaNodes(json), span }, comments, declarations);
    } else this.#fault("ir-type-kind", { kind }, json.spanOf("kind"));
    const fields = json.objectsOrNulls("fields") ?? [];
    return { ...base, fields: fields.map((field) => field && plainField(field)) };
  }

  #enumValue(
    json: JsonFields,
    type: string,
  ): { ir: IrField; node: Extract<Declaration, { kind: "enum" }>["values"][number] } {
    const name = nameOf(json);
    const value = json.text("value");
    const of = `"${type}.${name.text}"`;
    if (value === "") this.#fault("ir-missing", { what: "value", of }, json.span);
    if (json.node("type") !== undefined)
      this.#fault("ir-unwanted", { what: "type", of }, json.spanOf("type"));
    const comments = json.texts("comments") ?? [];
    this.#checkJsonNames(json);
    const meta = metaNodes(json);
    const node = { kind: "enum-value", name, value: textAt(json, "value"), meta, span: json.span } as const;
    this.#docs.set(node, comments);
    return { ir: { comments, name: name.text, ...sharedFieldsOf(json) }, node };
  }

  #field(
    json: JsonFields,
    struct: string,
  ): { ir: IrField; node: Extract<Declaration, { kind: "struct" }>["fields"][number] } {
    const name = nameOf(json);
    const of = `"${struct}.${name.text}"`;
    if (json.text("value") !== "") this.#fault("ir-unwanted", { what: "value", of }, json.spanOf("value"));
    this.#checkJsonNames(json);
    const type = this.#requiredType(json, of);
    const comments = json.texts("comments") ?? [];
    const optional = json.boolean("optional");
    const node = { kind: "field", name, optional, type, meta: metaNodes(json), span: json.span } as const;
    this.#docs.set(node, comments);
    return {
      ir: { comments, name: name.text, type: typeText(type, unknownType), ...sharedFieldsOf(json) },
      node,
    };
  }

  /** Wire names must be strings. */
  #checkJsonNames(json: JsonFields): void {
    for (const meta of json.anyObjects("meta")) {
      const value = meta?.get("json");
      if (value === undefined || value === "-" || (typeof value === "string" && isIdentifier(value)))
        continue;
      this.#fault(
        "json-name",
        { value: typeof value === "string" ? value : JSON.stringify(value) },
        json.spanOf("meta"),
      );
    }
  }

  #requiredType(json: JsonFields, of: string): TypeNode {
    const span = json.spanOf("type");
    if (json.node("type") === undefined) this.#fault("ir-missing", { what: "type", of }, span);
    const text = json.type("type") ?? "";
    const type = parseTypeText(text, span);
    if (type === undefined) this.#fault("malformed-type", { text }, span);
    return type ?? { kind: "missing", span };
  }

  #error(json: JsonFields, declarations: Declaration[]): IrError {
    const code = json.integer("code");
    const httpStatus = json.integer("httpStatus");
    const name = nameOf(json);
    const message = { value: json.text("message"), quoted: true, span: json.spanOf("message") };
    const numbers = {
      code: { text: digitsOf(json, "code", code), span: json.spanOf("code") },
      httpStatus: { text: digitsOf(json, "httpStatus", httpStatus), span: json.spanOf("httpStatus") },
    };
    declarations.push({ kind: "error", name, message, ...numbers, span: json.span });
    return { code, name: name.text, message: message.value, httpStatus };
  }

  #service(json: JsonFields, declarations: Declaration[]): IrService {
    const { text, span } = nameOf(json);
    if (text === "") this.#fault("ir-missing", { what: "name", of: "The service" }, span);
    const comments = json.texts("comments");
    const path = json.text("path") === "" ? undefined : textAt(json, "path");
    const methods = json.objects("methods");
    const read = (methods ?? []).map((method) => this.#method(method, text));
    const name = { value: text, quoted: true, span };
    const node = {
      kind: "service",
      name,
      path,
      methods: read.map(({ node: method }) => method),
      span: json.span,
    } as const;
    this.#declare(node, comments ?? [], declarations);
    const paths = path === undefined ? {} : { path: path.value };
    return { name: text, ...paths, methods: methods === null ? null : read.map(({ ir }) => ir), comments };
  }

  #method(json: JsonFields, service: string): { ir: IrMethod; node: MethodNode } {
    const name = nameOf(json);
    if (name.text === "")
      this.#fault("ir-missing", { what: "name", of: `A method of "${service}"` }, name.span);
    const succinct = json.boolean("succinct");
    const inputs = this.#arguments(json, "inputs", name.text);
    const outputs = this.#arguments(json, "outputs", name.text);
    const isLong = (inputs?.length ?? 0) > 1 || (outputs?.length ?? 0) > 1;
    if (succinct && isLong) this.#fault("ir-succinct", { method: name.text }, json.span);
    const streamInput = json.boolean("streamInput");
    const streamOutput = json.boolean("streamOutput");
    const comments = json.texts("comments");
    const annotations = json.members("annotations");
    const errors = json.texts("errors") ?? [];
    const route = this.#route(json);
    const { span } = json;
    const node: MethodNode = {
      kind: "method",
      name,
      proxy: false,
      annotations: annotationNodes(annotations, span),
      input: this.#payload(inputs, succinct, streamInput, json.spanOf("inputs")),
      output: this.#payload(outputs, succinct, streamOutput, json.spanOf("outputs")),
      errors: errors.map((text) => ({ text, span: json.spanOf("errors") })),
      ...(route !== undefined && { route }),
      span,
    };
    this.#docs.set(node, comments ?? []);
    const ir: IrMethod = {
      name: name.text,
      annotations:
        annotations && new Map([...annotations].map(([key, one]) => [key, one && annotationOf(one)])),
      comments,
      succinct,
      streamInput,
      streamOutput,
      ...(route !== undefined && { route: { verb: route.verb.text, path: route.path.value } }),
      inputs: inputs?.map((argument) => argument.ir) ?? null,
      outputs: outputs?.map((argument) => argument.ir) ?? null,
      errors,
    };
    return { ir, node };
  }

  #route(method: JsonFields): RouteNode | undefined {
    const json = method.object("route");
    if (json === undefined) return undefined;
    const verb = { text: json.text("verb"), span: json.spanOf("verb") };
    if (!isRouteVerb(verb.text)) this.#fault("route-verb", { verb: verb.text }, verb.span);
    return { verb, path: textAt(json, "path"), span: json.span };
  }

  #arguments(
    json: JsonFields,
    key: "inputs" | "outputs",
    method: string,
  ): { ir: IrArgument; node: ArgumentNode }[] | null {
    const list = json.objects(key);
    if (list === null) return null;
    return list.map((argument) => {
      const name = nameOf(argument);
      if (name.text === "")
        this.#fault("ir-missing", { what: "name", of: `An argument of "${method}"` }, argument.span);
      const type = this.#requiredType(argument, `"${method}.${name.text}"`);
      const optional = argument.boolean("optional");
      const ir = {
        ...sharedFieldsOf(argument),
        name: name.text,
        type: typeText(type, unknownType),
        optional,
      };
      return { ir, node: { name, optional, type, span: argument.span } };
    });
  }

  /** In the succinct form one struct is the whole body. Anything else marked succinct is read as a list of arguments. */
  #payload(
    list: { node: ArgumentNode }[] | null,
    succinct: boolean,
    stream: boolean,
    span: Span,
  ): ArgumentsNode {
    const nodes = (list ?? []).map(({ node }) => node);
    const [only] = nodes;
    if (succinct && nodes.length === 1 && only?.type.kind === "named" && this.#isWholeBody(only.type.name)) {
      return { stream, succinct: { text: only.type.name, span: only.span }, list: [], span };
    }
    return { stream, succinct: undefined, list: nodes, span };
  }

  #isWholeBody(type: string): boolean {
    return type === fileType || this.#structs.has(type);
  }

  #declare(node: Declaration, comments: readonly string[], declarations: Declaration[]): void {
    declarations.push(node);
    this.#docs.set(node, comments);
  }

  #fault: (...parameters: FaultParameters) => void = (name, parameters, span) => {
    this.#diagnostics.push(diagnose(name, parameters as never, { file: this.#source, span }));
  };
}

type FaultParameters =
  | ["ir-missing", { what: string; of: string }, Span]
  | ["ir-unwanted", { what: string; of: string }, Span]
  | ["ir-type-kind", { kind: string }, Span]
  | ["ir-succinct", { method: string }, Span]
  | ["malformed-type", { text: string }, Span]
  | ["route-verb", { verb: string }, Span]
  | ["json-name", { value: string }, Span];

function plainField(json: JsonFields): IrField {
  const type = json.type("type");
  const comments = json.texts("comments") ?? [];
  return {
    comments,
    name: json.text("name"),
    ...(type === undefined ? {} : { type }),
    ...sharedFieldsOf(json),
  };
}

/** Whether the reference tool can write the type back: it quotes types for Go, and some of Go's escapes are invalid JSON. */
function isWritable(type: string): boolean {
  return !/\x7f|(?![\p{L}\p{M}\p{N}\p{P}\p{S}])[\u{10000}-\u{10ffff}]/u.test(type);
}

/** A value that is not a number has been reported already. Returning a word here avoids a second error about its range. */
function digitsOf(json: JsonFields, key: string, value: number | bigint): string {
  const kind = json.node(key)?.kind;
  return kind === undefined || kind === "number" || kind === "null" ? String(value) : "unread";
}

/* Converts parts of an IR file to syntax tree nodes, for the rules and the model. */

function header(root: JsonFields, key: HeaderKey): Header[] {
  const value = root.text(key);
  const span = root.spanOf(key);
  if (value === "") return [];
  return [{ kind: "header", key, value: { value, quoted: true, span }, span }];
}

function nameOf(json: JsonFields): Name {
  return { text: json.text("name"), span: json.spanOf("name") };
}

function textAt(json: JsonFields, key: string): Text {
  const value = json.text(key);
  return { value, quoted: isQuoted(value), span: json.spanOf(key) };
}

function sharedFieldsOf(json: JsonFields): IrSharedFields {
  return { optional: json.boolean("optional"), value: json.text("value"), meta: json.anyObjects("meta") };
}

function metaNodes(json: JsonFields): MetaNode[] {
  const span = json.spanOf("meta");
  return json.anyObjects("meta").flatMap((meta: IrMeta) =>
    [...(meta ?? [])].map(([key, value]) => ({
      key: { text: key, span },
      value: metaText(value, span),
      span,
    })),
  );
}

function metaText(meta: IrValue, span: Span): Text {
  const value = typeof meta === "string" ? meta : JSON.stringify(meta);
  return { value, quoted: isQuoted(value), span };
}

/** Guesses whether the schema quoted a value: numbers and booleans are usually bare. */
function isQuoted(value: string): boolean {
  return !/^(0|-?[1-9][0-9]{0,14}|true|false)$/.test(value);
}

function annotationNodes(
  annotations: ReadonlyMap<string, JsonFields | null> | null,
  span: Span,
): AnnotationNode[] {
  return [...(annotations ?? [])].map(([name, json]) => {
    const value = json?.text("value") ?? "";
    const text = value === "" ? undefined : { value, quoted: true, span: json?.spanOf("value") ?? span };
    return { name: { text: name, span }, value: text, span };
  });
}

function annotationOf(json: JsonFields): { annotationType: string; value: string } {
  return { annotationType: json.text("annotationType"), value: json.text("value") };
}
