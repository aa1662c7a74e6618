import { segmentsOf } from "../../../language/model/routes.ts";
import type { EmittedFile, OpenapiOptions, OpenapiVersion } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../plan/plan.ts";
import { definitionsOf } from "../json-schema/index.ts";
import { documentationKeywords } from "../json-schema/type-schema.ts";
import { header } from "../text.ts";
import { ComponentNames, componentVariants } from "./component-names.ts";
import { ErrorRegistry } from "./errors.ts";
import { OperationPrinter, withBodyTypes } from "./operation.ts";
import { asVersion30 } from "./version-3.0.ts";

/**
 * Emits `openapi/openapi.yaml` or `.json`: the API as OpenAPI 3.0, 3.1 or 3.2. A method without a route is a POST. Errors are
 * grouped by status, with one schema per code.
 */
export function emitOpenapi(plan: Plan, options: OpenapiOptions = {}): readonly EmittedFile[] {
  const document = openapiDocument(plan, options);
  if (options.format === "json") {
    return [{ path: "openapi/openapi.json", text: `${JSON.stringify(document, null, 2)}\n` }];
  }
  const firstLine = header(plan.schemaFile).replace("//", "#");
  return [{ path: "openapi/openapi.yaml", text: `${firstLine}\n${writeYaml(document)}` }];
}

function openapiDocument(plan: Plan, options: OpenapiOptions): Json {
  const { title, version = "3.1", servers = [], securitySchemes = {} } = options;
  const bodies = withBodyTypes(plan);
  const names = new ComponentNames(plan);
  const variants = componentVariants(bodies, names);
  const errors = new ErrorRegistry(plan, names, variants);
  const paths = pathItems(plan, new OperationPrinter(plan, variants, errors, options), version);
  const document = {
    openapi: patchVersions[version],
    info: { title: title ?? (plan.schemaName || "API"), version: plan.schemaVersion },
    ...(servers.length === 0 ? {} : { servers: servers.map((server) => ({ ...server })) }),
    ...(plan.services.length === 0 ? {} : { tags: plan.services.map(tag) }),
    paths,
    components: {
      schemas: { ...definitionsOf(bodies, variants), ...errors.schemas() },
      responses: errors.responses(),
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
  return version === "3.0" ? asVersion30(document) : document;
}

/** Some tools for version 3.0 know no later patch than 3.0.3. */
const patchVersions: Readonly<Record<OpenapiVersion, string>> = {
  "3.0": "3.0.3",
  "3.1": "3.1.0",
  "3.2": "3.2.0",
};

function tag(service: PlannedService): Json {
  return { name: service.name, ...documentationKeywords(service) };
}

/** The operations of a path, by their key in a path item: `get`, `post`, … */
interface PathItem {
  readonly path: string;
  readonly operations: Map<string, Json>;
}

/** Returns the path items by path. Methods with routes share the item of their path. */
function pathItems(
  plan: Plan,
  printer: OperationPrinter,
  version: OpenapiVersion,
): Readonly<Record<string, Json>> {
  const items = new Map<string, PathItem>();
  for (const service of plan.services) {
    for (const method of service.methods) {
      const path = method.route?.path ?? encodedPath(method.path);
      const item = items.get(shapeOf(path)) ?? { path, operations: new Map<string, Json>() };
      items.set(shapeOf(path), item);
      item.operations.set(
        operationKey(method, version),
        printer.operation(service, method, parameterNames(item.path)),
      );
      if (method.read === undefined || method.route !== undefined) continue;
      item.operations.set("get", printer.getOperation(service, method));
      // Older documents omit this operation, because tools know no key for it, and GET and POST do the same.
      if (version === "3.2") item.operations.set("query", printer.queryOperation(service, method));
    }
  }
  return Object.fromEntries(
    [...items.values()].map(({ path, operations }) => [
      path,
      { ...queryNote(operations, version), ...Object.fromEntries(operations) },
    ]),
  );
}

/** Escapes braces, which would mean a path parameter. */
function encodedPath(path: string): string {
  return encodeURI(path);
}

/** Two paths that differ only in the names of their parameters are the same path in OpenAPI: `/pets/{}`. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "{}");
}

function parameterNames(path: string): readonly string[] {
  return segmentsOf(path).flatMap((segment) => ("parameter" in segment ? [segment.parameter] : []));
}

const queryKey = "x-query";

/** OpenAPI 3.0 and 3.1 have no key for QUERY, and accept unknown keys only if they start with `x-`. */
function operationKey({ route }: PlannedMethod, version: OpenapiVersion): string {
  if (route === undefined) return "post";
  return route.verb === "QUERY" && version !== "3.2" ? queryKey : route.verb.toLowerCase();
}

function queryNote(
  operations: PathItem["operations"],
  version: OpenapiVersion,
): { readonly description?: string } {
  if (!operations.has(queryKey)) return {};
  return {
    description: `\`x-query\` is the operation of the HTTP method QUERY, which OpenAPI ${version} lacks.`,
  };
}

/** Writes JSON as YAML 1.2 in block style. Quotes only where necessary, and writes multi-line text as blocks. */
function writeYaml(value: Json): string {
  return `${block(value, "").replace(/^\n/, "")}\n`;
}

/** Writes a value after `key:` or `-`, starting with its space or line break. */
function block(value: Json, indent: string): string {
  if (typeof value === "string") return ` ${text(value, indent)}`;
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return (value as readonly Json[]).map((item) => `\n${indent}-${entry(item, `${indent}  `)}`).join("");
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return " {}";
  return entries.map(([key, item]) => `\n${indent}${scalar(key)}:${block(item, `${indent}  `)}`).join("");
}

/** Writes a list item. The first key of an object is on the line of the dash. */
function entry(item: Json, indent: string): string {
  return block(item, indent).replace(/^\n */, " ");
}

function text(value: string, indent: string): string {
  if (!value.includes("\n") || !value.split("\n").every(isPlainLine) || /^\n|\n$/.test(value))
    return scalar(value);
  return `|-\n${value.replace(/^(?=.)/gm, indent || "  ")}`;
}

/**
 * Whether a line can be part of a block: no spaces at its ends, which readers treat differently, and no unprintable
 * characters.
 */
function isPlainLine(line: string): boolean {
  return line === line.trim() && !unprintable.test(line);
}

const unprintable = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;

/** Writes text on one line, quoted as in JSON if its meaning would be ambiguous. */
function scalar(value: string): string {
  if (/^[A-Za-z$_/][\w$/.-]*$/.test(value) && !reservedWords.has(value.toLowerCase())) return value;
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Words with a meaning in YAML 1.1 or 1.2. */
const reservedWords: ReadonlySet<string> = new Set("true false null yes no on off y n nan inf".split(" "));
