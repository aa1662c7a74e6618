import { docsOf } from "../syntax/docs.ts";
import type { ErrorNode, SchemaFile, ServiceNode } from "../syntax/tree.ts";
import { Alias, Enum, Method, Struct } from "./lazy-models.ts";
import { errorsListedBy } from "./listed-errors.ts";
import type { ErrorModel, Model, ServiceModel, TypeModel } from "./model.ts";
import { normalizeBasepath } from "./rules/basepath.ts";
import { errorCode, errorName, errorStatus } from "./rules/errors.ts";
import { headerOf } from "./rules/headers.ts";
import type { Declared, Scope, TypeDeclarationNode } from "./scope.ts";

/** Builds the model of a valid file and everything that it imports. */
export function buildModel(scope: Scope): Model {
  const header = (key: "name" | "version" | "basepath"): string | undefined =>
    headerOf(scope, key)?.value.value;
  const types = scope.types.map((type) => buildType(type, scope));
  const services = new Set(scope.services);
  return {
    name: header("name") ?? "",
    version: header("version") ?? "",
    basepath: normalizeBasepath(header("basepath"), services.size > 0),
    types,
    typeByName: new Map(types.map((type) => [type.name, type])),
    errors: scope.errors.map(({ node, file }) => buildError(node, file)),
    services: [...services].map(({ node, file }) => buildService(node, file, scope)),
  };
}

function buildService(node: ServiceNode, file: SchemaFile, scope: Scope): ServiceModel {
  const methods = lazily(() => node.methods.map((method) => new Method(method, file, scope)));
  const docs = lazily(() => docsOf(file, node));
  const listedErrors = lazily(() => errorsListedBy(node));
  return {
    name: node.name.value,
    ...(node.path !== undefined && { path: node.path.value }),
    get listedErrors() {
      return listedErrors();
    },
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
  const docs = lazily(() => docsOf(file, node));
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

export function buildType({ node, file }: Declared<TypeDeclarationNode>, scope: Scope): TypeModel {
  switch (node.kind) {
    case "struct":
      return new Struct(node, file, scope);
    case "enum":
      return new Enum(node, file);
    case "alias":
      return new Alias(node, file, scope);
  }
}

function lazily<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
