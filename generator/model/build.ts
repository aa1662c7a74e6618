import type { Location } from "../diagnostics/diagnostic.ts";
import { type Documented, docsOf } from "../syntax/docs.ts";
import type {
  AliasNode,
  ArgumentNode,
  ArgumentsNode,
  EnumNode,
  ErrorNode,
  FieldNode,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  StructNode,
} from "../syntax/tree.ts";
import { fileForm, isFileOutput } from "./files.ts";
import { foldName } from "./fold.ts";
import { readConstraints, readOtherNames } from "./meta/read.ts";
import type {
  AliasModel,
  ArgumentModel,
  EnumModel,
  ErrorModel,
  FieldModel,
  FileModel,
  MethodModel,
  Model,
  PayloadModel,
  ServiceModel,
  StructModel,
  TypeModel,
} from "./model.ts";
import { resolveType } from "./resolve.ts";
import { normalBasepath } from "./rules/basepath.ts";
import { enumValueOf } from "./rules/enum-values.ts";
import { errorCode, errorName, errorStatus } from "./rules/errors.ts";
import { headerOf } from "./rules/headers.ts";
import { wireNameOf } from "./rules/json-names.ts";
import type { Declared, Scope, TypeDeclarationNode } from "./scope.ts";

/** The model of a file that passed its rules, with all that it imports. */
export function buildModel(scope: Scope): Model {
  const header = (key: "name" | "version" | "basepath"): string | undefined =>
    headerOf(scope, key)?.value.value;
  const types = scope.types.map((type) => buildType(type, scope));
  const services = new Set(scope.services);
  return {
    name: header("name") ?? "",
    version: header("version") ?? "",
    basepath: normalBasepath(header("basepath"), services.size > 0),
    types,
    typeByName: new Map(types.map((type) => [type.name, type])),
    errors: scope.errors.map(({ node, file }) => buildError(node, file)),
    services: [...services].map(({ node, file }) => buildService(node, file, scope)),
  };
}

/** What a declaration holds is made when it is first asked for: who compares two versions looks into few of them. */
function buildService(node: ServiceNode, file: SchemaFile, scope: Scope): ServiceModel {
  const methods = once(() => node.methods.map((method) => buildMethod(method, file, scope)));
  const docs = once(() => docsOf(file, node));
  return {
    name: node.name.value,
    get methods() {
      return methods();
    },
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildError(node: ErrorNode, file: SchemaFile): ErrorModel {
  const docs = once(() => docsOf(file, node));
  return {
    name: errorName(node),
    code: errorCode(node),
    message: node.message.value,
    httpStatus: errorStatus(node),
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildType({ node, file }: Declared<TypeDeclarationNode>, scope: Scope): TypeModel {
  switch (node.kind) {
    case "struct":
      return buildStruct(node, file, scope);
    case "enum":
      return buildEnum(node, file);
    case "alias":
      return buildAlias(node, file, scope);
  }
}

export function buildStruct(node: StructNode, file: SchemaFile, scope: Scope): StructModel {
  const docs = once(() => docsOf(file, node));
  const fields = once(() => node.fields.map((field) => buildField(field, file, scope)));
  return {
    kind: "struct",
    name: node.name.text,
    get fields() {
      return fields();
    },
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildField(node: FieldNode, file: SchemaFile, scope: Scope): FieldModel {
  const docs = once(() => docsOf(file, node));
  return {
    name: node.name.text,
    wireName: wireNameOf(node),
    optional: node.optional,
    type: resolveType(node.type, scope),
    constraints: readConstraints(node.meta, node.type, scope),
    ...readOtherNames(node.meta),
    meta: node.meta.map(({ key, value }) => ({ key: key.text, value: value.value })),
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildEnum(node: EnumNode, file: SchemaFile): EnumModel {
  const base = node.base.text as EnumModel["base"];
  const docs = once(() => docsOf(file, node));
  const values = once(() =>
    node.values.map((item, index) => {
      const value = enumValueOf(node, index);
      const name = item.name.text;
      return { name, value, wire: base === "string" ? value : name, ...documentation(item, file) };
    }),
  );
  return {
    kind: "enum",
    name: node.name.text,
    base,
    get values() {
      return values();
    },
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildAlias(node: AliasNode, file: SchemaFile, scope: Scope): AliasModel {
  const docs = once(() => docsOf(file, node));
  return {
    kind: "alias",
    name: node.name.text,
    type: resolveType(node.type, scope),
    constraints: readConstraints(node.meta, node.type, scope),
    meta: node.meta.map(({ key, value }) => ({ key: key.text, value: value.value })),
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildMethod(node: MethodNode, file: SchemaFile, scope: Scope): MethodModel {
  const docs = once(() => docsOf(file, node));
  const fileOutput = isFileOutput(node.output, scope);
  return {
    name: node.name.text,
    annotations: node.annotations.map(({ name, value }) => ({ name: name.text, value: value?.value })),
    input: buildPayload(node.input, scope),
    output: fileOutput ? noFields : buildPayload(node.output, scope),
    files: filesOf(node.input),
    fileOutput,
    streamInput: node.input.stream,
    streamOutput: node.output.stream,
    proxy: node.proxy,
    errors: node.errors.length === 0 ? undefined : [...new Set(node.errors.map(({ text }) => text))],
    get docs() {
      return docs();
    },
    at: { file: file.source, span: node.span },
  };
}

function buildPayload({ succinct, list }: ArgumentsNode, scope: Scope): PayloadModel {
  if (succinct === undefined) {
    const fields = list.filter(({ type }) => fileForm(type) === undefined);
    return { kind: "arguments", arguments: fields.map((argument) => buildArgument(argument, scope)) };
  }
  const found = scope.typeByFold.get(foldName(succinct.text));
  return { kind: "struct", name: found?.node.name.text ?? succinct.text };
}

const noFields: PayloadModel = { kind: "arguments", arguments: [] };

function filesOf({ list }: ArgumentsNode): FileModel[] {
  return list.flatMap(({ name, optional, type }) => {
    const form = fileForm(type);
    return form === undefined ? [] : [{ name: name.text, optional, isList: form === "list" }];
  });
}

const noMeta: readonly MetaNode[] = [];

function buildArgument({ name, optional, type }: ArgumentNode, scope: Scope): ArgumentModel {
  return {
    name: name.text,
    optional,
    type: resolveType(type, scope),
    constraints: readConstraints(noMeta, type, scope),
  };
}

function documentation(
  node: Documented & { readonly span: Location["span"] },
  file: SchemaFile,
): { readonly docs: readonly string[]; readonly at: Location } {
  return { docs: docsOf(file, node), at: { file: file.source, span: node.span } };
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
