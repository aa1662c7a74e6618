import { resolveType } from "../../language/model/build.ts";
import { type CoreType, coreTypes } from "../../language/model/core-types.ts";
import { enumWireOf } from "../../language/model/enum-values.ts";
import { constraintsOf, linesFor } from "../../language/model/meta/read.ts";
import { isRouted, type RoutedMethod, routePath } from "../../language/model/routes.ts";
import { dataAliases } from "../../language/model/rules/errors.ts";
import { normalizeBasepath } from "../../language/model/rules/files.ts";
import { wireNameOf } from "../../language/model/rules/names.ts";
import { isDerived, type Scope } from "../../language/model/scope.ts";
import { fileType, isBytes, type ResolvedType } from "../../language/model/types.ts";
import { docsOf } from "../../language/syntax/docs.ts";
import type {
  ArgumentsNode,
  EnumNode,
  FieldNode,
  ServiceNode,
  StructNode,
  TypeNode,
} from "../../language/syntax/tree.ts";
import { metaKeyDocs } from "./meta-key-docs.ts";
import { type DeclaredEntity, type Entity, isDeclared } from "./names-in-schema.ts";

/** The hover of a name as Markdown: its declaration, documentation and JSON form. */
export function hoverText(entity: Entity, scopes: readonly Scope[]): string {
  if (!isDeclared(entity)) return builtInText(entity);
  const scope = scopes.find(({ file }) => file.source.path === entity.file.source.path) ?? scopes.at(-1);
  const docs = entity.kind === "argument" ? [] : docsOf(entity.file, entity.node);
  const parts = [fenced("ridl", declarationText(entity)), docs.join("\n")];
  if (scope !== undefined) parts.push(wireText(entity, scope, scopes));
  return parts.filter((part) => part !== "").join("\n\n");
}

function builtInText(entity: Exclude<Entity, DeclaredEntity>): string {
  switch (entity.kind) {
    case "core":
      return `${fenced("ridl", entity.name)}\n\nIn JSON: ${coreForm(entity.name)}.`;
    case "meta":
      return `${fenced("ridl", `+ ${entity.name}`)}\n\n${metaKeyDocs[entity.name]}`;
    case "import":
      return `\`${entity.target.source.path}\``;
  }
}

/** Maximum number of lines shown of a declaration. */
const maxLines = 24;

function declarationText({ node, file }: DeclaredEntity): string {
  const lines = file.source.text.slice(node.span.start, node.span.end).trimEnd().split(/\r?\n/);
  const shown = lines.slice(0, maxLines);
  return [...shown, ...(lines.length > maxLines ? ["…"] : [])].join("\n");
}

function wireText(entity: DeclaredEntity, scope: Scope, scopes: readonly Scope[]): string {
  const json = (text: string): string => fenced("typescript", text);
  switch (entity.kind) {
    case "type": {
      const { node } = entity;
      if (node.kind === "enum") return `In JSON:\n${json(enumForm(node))}`;
      const struct = node.kind === "alias" ? scope.derived.get(node) : node;
      const type = { kind: "named", name: node.name.text, span: node.span } as const;
      return `In JSON:\n${json(struct === undefined ? wireForm(type, scope) : structForm(struct, scope, depthMax))}`;
    }
    case "field": {
      const name = wireNameOf(entity.node);
      if (name === undefined) return "This field is never sent.";
      return `In JSON:\n${json(part(name, entity.node.optional, fieldForm(entity.node, scope, depthMax)))}`;
    }
    case "value":
      return `In JSON: \`${JSON.stringify(enumWireOf(entity.owner, entity.owner.values.indexOf(entity.node)))}\``;
    case "argument":
      return `In JSON:\n${json(`${JSON.stringify(entity.node.name.text)}${entity.node.optional ? "?" : ""}: ${wireForm(entity.node.type, scope)}`)}`;
    case "error": {
      const { code, name, message, httpStatus } = entity.node;
      const status = httpStatus?.text ?? "400";
      const alias = dataAliases(scope).get(name.text)?.node;
      const data = alias === undefined ? "" : `, "data": ${wireForm(alias.type, scope)}`;
      const body = `{ "error": ${JSON.stringify(name.text)}, "code": ${code.text}, "msg": ${JSON.stringify(message.value)}, "status": ${status}${data} }`;
      return `HTTP ${status}:\n${json(body)}`;
    }
    case "service":
      return `\`POST ${pathOf(scopes, entity.node.name.value)}\` followed by the name of a method.`;
    case "method":
      return methodText(entity, scope, scopes);
  }
}

function methodText(
  { node, service }: Extract<DeclaredEntity, { kind: "method" }>,
  scope: Scope,
  scopes: readonly Scope[],
): string {
  const { input, output, errors, proxy } = node;
  const call = `\`${isRouted(node) ? routeOf(scopes, service, node) : `POST ${pathOf(scopes, service.name.value)}${node.name.text}`}\``;
  if (proxy) return `${call}, forwarded unchanged.`;
  const streamPrefix = (stream: boolean): string => (stream ? "a stream of " : "");
  const lines = [
    `// ${streamPrefix(input.stream)}request\n${bodyForm(input, scope)}`,
    `// ${streamPrefix(output.stream)}response\n${bodyForm(output, scope)}`,
  ];
  const rows = errors.flatMap(({ text }) => {
    const error = scope.errorByName.get(text)?.node;
    return error === undefined
      ? []
      : [`- ${error.httpStatus?.text ?? "400"} \`${text}\` (${error.code.text})`];
  });
  const errorList = rows.length === 0 ? "" : `\n\nErrors:\n${rows.join("\n")}`;
  return `${call}\n${fenced("typescript", lines.join("\n\n"))}${errorList}`;
}

/** `GET /rpc/pets/{id}`. */
function routeOf(scopes: readonly Scope[], service: ServiceNode, method: RoutedMethod): string {
  const header = scopes.at(-1)?.file.headers.find(({ key }) => key === "basepath");
  const basepath = normalizeBasepath(header?.value.value, true).replace(/\/$/, "");
  return `${method.route.verb.text} ${basepath}${routePath(service, method)}`;
}

/** `/rpc/Pets/`. The entry file defines the base path. */
function pathOf(scopes: readonly Scope[], service: string): string {
  const header = scopes.at(-1)?.file.headers.find(({ key }) => key === "basepath");
  return `${normalizeBasepath(header?.value.value, true)}${service}/`;
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.replaceAll("```", "'''")}\n\`\`\``;
}

/** Describes the JSON form of a core type. */
export function coreForm(name: CoreType | typeof fileType): string {
  return name === fileType ? "bytes next to the JSON body, or instead of it" : coreTypes[name].description;
}

/** Levels of nested structs that are expanded. */
const depthMax = 2;
/** Maximum number of fields shown of a struct. */
const fieldsMax = 40;

/**
 * Prints the JSON form of a type in TypeScript syntax: `map<string,[]Kind>` → `{ [key: string]: ("cat" | "dog")[] }`.
 * Structs nested deeper than `depthMax` are printed by name.
 */
function wireForm(type: TypeNode, scope: Scope): string {
  return formOf(resolveType(type, scope), scope, depthMax);
}

function enumForm(node: EnumNode): string {
  const names = node.values.map((_, index) => JSON.stringify(enumWireOf(node, index)));
  const shown = names.slice(0, fieldsMax);
  return [...shown, ...(names.length > shown.length ? ["…"] : [])].join(" | ");
}

/** The body of a request or response. */
function bodyForm({ succinct, list }: ArgumentsNode, scope: Scope): string {
  if (succinct !== undefined)
    return wireForm({ kind: "named", name: succinct.text, span: succinct.span }, scope);
  const parts = list.map(({ name, optional, type }) => part(name.text, optional, wireForm(type, scope)));
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function formOf(type: ResolvedType, scope: Scope, depth: number): string {
  switch (type.kind) {
    case "core":
      return coreTypes[type.name].json;
    case "list": {
      if (isBytes(type)) return "string /* base64 */";
      const item = formOf(type.element, scope, depth);
      return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    }
    case "map":
      return `{ [key: ${type.key.name}]: ${formOf(type.value, scope, depth)} }`;
    case "unknown":
      return "unknown";
    default: {
      const declared = scope.typeByName.get(type.name);
      if (declared === undefined) return type.name;
      const { node } = declared;
      if (node.kind === "enum") return node.values.length <= 12 ? enumForm(node) : node.name.text;
      if (depth === 0) return node.name.text;
      if (node.kind === "alias") return formOf(resolveType(node.type, scope), scope, depth - 1);
      return structForm(node, scope, depth - 1);
    }
  }
}

function structForm(node: StructNode, scope: Scope, depth: number): string {
  const isPartial = isDerived(node) && node.isPartial;
  const parts = node.fields.flatMap((field) => {
    const name = wireNameOf(field);
    return name === undefined
      ? []
      : [part(name, field.optional || isPartial, fieldForm(field, scope, depth))];
  });
  if (parts.length === 0) return "{}";
  const shown = [...parts.slice(0, fieldsMax), ...(parts.length > fieldsMax ? ["…"] : [])];
  const line = `{ ${shown.join(", ")} }`;
  if (depth < depthMax || line.length <= 80) return line;
  return `{\n${shown.map((each) => `  ${each}`).join(",\n")}\n}`;
}

function fieldForm({ meta, type }: FieldNode, scope: Scope, depth: number): string {
  const form = formOf(resolveType(type, scope), scope, depth);
  return constraintsOf(linesFor(meta, type, scope)).nullable === "always" ? `${form} | null` : form;
}

function part(name: string, optional: boolean, form: string): string {
  return `${JSON.stringify(name)}${optional ? "?" : ""}: ${form}`;
}
