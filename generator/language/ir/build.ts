import { enumValueOf } from "../model/enum-values.ts";
import { foldCase } from "../model/names.ts";
import { errorCode, errorName, errorStatus } from "../model/rules/errors.ts";
import { headerOf, normalizeBasepath } from "../model/rules/files.ts";
import type { Declared, Scope, TypeDeclarationNode } from "../model/scope.ts";
import { referenceComments } from "../ridl/reference-comments.ts";
import { memoize } from "../source/memoize.ts";
import type {
  AnnotationNode,
  ArgumentsNode,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  StructNode,
  Text,
} from "../syntax/tree.ts";
import { typeText } from "../syntax/type-text.ts";
import type {
  IrAnnotation,
  IrArgument,
  IrField,
  IrMeta,
  IrMethod,
  IrSchema,
  IrService,
  IrType,
} from "./schema.ts";
import { unknownType } from "./type-text.ts";

export interface IrOptions {
  /**
   * Garble non-ASCII characters in values as the reference tool does (each UTF-8 byte becomes a character), so that the schema
   * hashes match.
   */
  readonly hashParity?: boolean;
}

/** Builds the IR of a valid RIDL file, imports included. */
export function buildIr(scope: Scope, { hashParity = false }: IrOptions = {}): IrSchema {
  const context = contextOf(scope, { hashParity });
  const { encode } = context;
  const header = (key: "webrpc" | "name" | "version" | "basepath"): string =>
    encode(headerOf(scope, key)?.value.value ?? "");
  return {
    webrpc: header("webrpc"),
    name: header("name"),
    version: header("version"),
    basepath: normalizeBasepath(header("basepath"), scope.services.length > 0),
    types: scope.types.map((type) => buildType(type, context)),
    errors: scope.errors.map(({ node }) => ({
      code: errorCode(node),
      name: errorName(node),
      message: node.message.quoted ? encode(node.message.value) : node.message.value,
      httpStatus: errorStatus(node),
    })),
    services: scope.services.map((service) => buildService(service, context)),
  };
}

/** Applies the changes that the reference tool makes while it checks an IR file. */
export function normalizeIr(scope: Scope, ir: IrSchema): IrSchema {
  const hasServices = (ir.services ?? []).length > 0;
  const errors = ir.errors?.map((error, index) => {
    const node = scope.errors[index]?.node;
    return node === undefined ? error : { ...error, name: errorName(node) };
  });
  return { ...ir, basepath: normalizeBasepath(ir.basepath, hasServices), errors: errors ?? null };
}

/** The schema, and the encoding of its values. */
interface IrContext {
  readonly scope: Scope;
  /** Garbles a value for `hashParity`; otherwise returns it unchanged. */
  readonly encode: (value: string) => string;
}

function contextOf(scope: Scope, { hashParity = false }: IrOptions): IrContext {
  return { scope, encode: hashParity ? garble : (value) => value };
}

const commentsByNode = memoize(referenceComments);

function commentsOf(file: SchemaFile, node: object): readonly string[] {
  return commentsByNode(file).get(node) ?? [];
}

function buildType({ node, file }: Declared<TypeDeclarationNode>, context: IrContext): IrType {
  const name = node.name.text;
  switch (node.kind) {
    case "alias": {
      const comments = commentsOf(file, node);
      return {
        kind: "alias",
        name,
        type: typeText(node.type),
        meta: buildMeta(node.meta, context.encode),
        comments,
      };
    }
    case "enum": {
      const fields = node.values.map((value, index) => ({
        comments: commentsOf(file, value),
        name: value.name.text,
        value: value.value === undefined ? enumValueOf(node, index) : context.encode(value.value.value),
        meta: buildMeta(value.meta, context.encode),
      }));
      return { kind: "enum", name, type: node.base.text, fields };
    }
    case "struct":
      return new Struct(node, file, context.encode);
  }
}

/** Builds its fields on each access, without a cache: writing the IR of a large schema visits each struct once. */
class Struct implements IrType {
  readonly kind = "struct";
  readonly name: string;
  readonly #node: StructNode;
  readonly #file: SchemaFile;
  readonly #encode: IrContext["encode"];

  constructor(node: StructNode, file: SchemaFile, encode: IrContext["encode"]) {
    this.name = node.name.text;
    this.#node = node;
    this.#file = file;
    this.#encode = encode;
  }

  get fields(): readonly IrField[] {
    return this.#node.fields.map((field) => ({
      comments: commentsOf(this.#file, field),
      name: field.name.text,
      type: typeText(field.type, unknownType),
      optional: field.optional,
      meta: buildMeta(field.meta, this.#encode),
    }));
  }

  get comments(): readonly string[] {
    return commentsOf(this.#file, this.#node);
  }
}

const noMeta: readonly IrMeta[] = [];

function buildMeta(meta: readonly MetaNode[], encode: IrContext["encode"]): readonly IrMeta[] {
  if (meta.length === 0) return noMeta;
  return meta.map(({ key, value }) => new Map([[encode(key.text), encode(value.value)]]));
}

function buildService({ node, file }: Declared<ServiceNode>, context: IrContext): IrService {
  return {
    name: context.encode(node.name.value),
    ...(node.path !== undefined && { path: context.encode(node.path.value) }),
    methods: node.methods.map((method) => buildMethod(method, file, context)),
    comments: commentsOf(file, node),
  };
}

function buildMethod(node: MethodNode, file: SchemaFile, context: IrContext): IrMethod {
  const { route } = node;
  return {
    name: node.name.text,
    annotations: new Map(node.annotations.map((one) => [one.name.text, buildAnnotation(one, context)])),
    comments: commentsOf(file, node),
    succinct: node.input.succinct !== undefined && node.output.succinct !== undefined,
    streamInput: node.input.stream,
    streamOutput: node.output.stream,
    ...(route !== undefined && { route: { verb: route.verb.text, path: context.encode(route.path.value) } }),
    inputs: buildArguments(node.input, context),
    outputs: buildArguments(node.output, context),
    errors: node.errors.map(({ text }) => text),
  };
}

function buildAnnotation({ name, value }: AnnotationNode, { encode }: IrContext): IrAnnotation {
  return { annotationType: name.text, value: value === undefined ? "" : annotationText(value, encode) };
}

function annotationText({ quoted, value }: Text, encode: IrContext["encode"]): string {
  return quoted ? encode(value) : value;
}

function buildArguments({ succinct, list }: ArgumentsNode, { scope }: IrContext): IrArgument[] {
  if (succinct !== undefined) {
    const type = scope.typeByFoldedName.get(foldCase(succinct.text))?.node.name.text ?? succinct.text;
    return [{ name: type.charAt(0).toLowerCase() + type.slice(1), type, optional: false }];
  }
  return list.map(({ name, type, optional }) => ({
    name: name.text,
    type: typeText(type, unknownType),
    optional,
  }));
}

/** `"é"` → `"Ã©"`: each UTF-8 byte becomes one character. */
function garble(value: string): string {
  return Buffer.from(value, "utf8").toString("latin1");
}
