import { isRouted, type RoutedMethod, routePath } from "../../language/model/routes.ts";
import { normalizeBasepath } from "../../language/model/rules/basepath.ts";
import { enumWireOf } from "../../language/model/rules/enum-json-names.ts";
import { wireNameOf } from "../../language/model/rules/json-names.ts";
import type { Scope } from "../../language/model/scope.ts";
import { docsOf } from "../../language/syntax/docs.ts";
import type { ServiceNode } from "../../language/syntax/tree.ts";
import { metaKeyDocs } from "./meta-key-docs.ts";
import { type DeclaredEntity, type Entity, isDeclared } from "./names-in-schema.ts";
import { bodyForm, coreForm, enumForm, structForm, wireForm } from "./wire-form.ts";

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
const linesMax = 24;

function declarationText({ node, file }: DeclaredEntity): string {
  const lines = file.source.text.slice(node.span.start, node.span.end).trimEnd().split(/\r?\n/);
  const shown = lines.slice(0, linesMax);
  return [...shown, ...(lines.length > linesMax ? ["…"] : [])].join("\n");
}

function wireText(entity: DeclaredEntity, scope: Scope, scopes: readonly Scope[]): string {
  const json = (text: string): string => fenced("typescript", text);
  switch (entity.kind) {
    case "type": {
      const { node } = entity;
      if (node.kind === "struct") return `In JSON:\n${json(structForm(node, scope))}`;
      if (node.kind === "enum") return `In JSON:\n${json(enumForm(node))}`;
      return `In JSON:\n${json(wireForm(node.type, scope))}`;
    }
    case "field": {
      const name = wireNameOf(entity.node);
      if (name === undefined) return "This field is never sent.";
      const mark = entity.node.optional ? "?" : "";
      return `In JSON:\n${json(`${JSON.stringify(name)}${mark}: ${wireForm(entity.node.type, scope)}`)}`;
    }
    case "value":
      return `In JSON: \`${JSON.stringify(enumWireOf(entity.owner, entity.owner.values.indexOf(entity.node)))}\``;
    case "argument":
      return `In JSON:\n${json(`${JSON.stringify(entity.node.name.text)}${entity.node.optional ? "?" : ""}: ${wireForm(entity.node.type, scope)}`)}`;
    case "error": {
      const { code, name, message, httpStatus } = entity.node;
      const status = httpStatus?.text ?? "400";
      const body = `{ "error": ${JSON.stringify(name.text)}, "code": ${code.text}, "msg": ${JSON.stringify(message.value)}, "status": ${status} }`;
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
