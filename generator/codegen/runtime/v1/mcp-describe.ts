/** Prints methods and types for agents, in the manner of TypeScript. */
import { firstSentence, type McpApi, type McpField, type McpMethod, type McpType } from "./mcp-api.ts";
import { declaredType, shapeOf, structOf, typeNames } from "./mcp-types.ts";
import { hasOwn } from "./own-property.ts";

/** One line of a search result: `Shop.Buy(id, count) [changes data] Buys a pet.` */
export function methodLine(method: McpMethod, api: McpApi): string {
  const { name, docs, request, files = [] } = method;
  const fields = structOf(api, request)?.fields ?? [];
  const listed = [
    ...fields.map((field) => field.name + (field.isOptional ? "?" : "")),
    ...files.map((file) => file.name),
  ];
  const shown = listed.length > shownFieldsMax ? [...listed.slice(0, shownFieldsMax), "…"] : listed;
  return `${name}(${shown.join(", ")}) [${hintsOf(method).join(", ")}] ${bounded(firstSentence(docs), sentenceMax)}`.trim();
}

const shownFieldsMax = 8;
const sentenceMax = 160;

function hintsOf({ isRead, isIdempotent, isStream, response, deprecated }: McpMethod): readonly string[] {
  return [
    isRead ? "read-only" : isIdempotent ? "changes data, safe to repeat" : "changes data",
    ...(isStream ? ["stream"] : []),
    ...(response === undefined ? ["file"] : []),
    ...(deprecated === undefined ? [] : ["deprecated"]),
  ];
}

/** Most bytes of types of one description. The others are listed by name. */
const typesMaxLength = 12_000;

/** Describes a method with its types. */
export function describeMethod(method: McpMethod, api: McpApi): string {
  const { name, docs, deprecated, request, response, isStream, files = [], errors } = method;
  const result = response === undefined ? "File" : isStream ? `stream of ${response}` : response;
  const roots = response === undefined ? [request] : [request, response];
  return [
    ...(docs === undefined ? [] : [comment(docs)]),
    `${name}(request: ${request}): ${result}`,
    `Hints: ${hintsOf(method).join(", ")}`,
    ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated || "do not use it"}`]),
    ...(files.length === 0 ? [] : [fileLine(files)]),
    ...(isStream ? ["The call returns the first items."] : []),
    errorLine(errors, api),
    "",
    describeTypes(roots, request, api),
  ].join("\n");
}

function fileLine(files: NonNullable<McpMethod["files"]>): string {
  const each = files.map(
    ({ name, within, isOptional, isList }) =>
      `${within === undefined ? "" : `${within}.`}${name}${isOptional ? "?" : ""}: File${isList ? "[]" : ""}`,
  );
  return `Files in the request: ${each.join(", ")}, with File = { name: string; type?: string; text?: string; base64?: string }`;
}

/** Most errors that are listed for a method that may raise any. */
const errorsMax = 20;

function errorLine(names: readonly string[] | undefined, { errors }: McpApi): string {
  const all = names ?? Object.keys(errors);
  if (all.length === 0) return "Errors: only those of the protocol";
  const listed = all.slice(0, errorsMax).map((name) => {
    const { status, message } = errors[name] ?? { status: 0, message: "" };
    return `${name} (${status}: ${message})`;
  });
  const more = all.length - listed.length;
  return `Errors: ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Describes types and the types that they use, the nearest first. `request` is described as callers write it. */
export function describeTypes(roots: readonly string[], request: string | undefined, api: McpApi): string {
  const blocks: string[] = [];
  const omitted: string[] = [];
  const queue = [...new Set(roots)];
  const seen = new Set(queue);
  let length = 0;
  for (const name of queue) {
    const type = declaredType(api, name);
    if (type === undefined) continue;
    const text = typeText(name, type, name === request);
    if (length > 0 && length + text.length > typesMaxLength) omitted.push(name);
    else {
      length += text.length;
      blocks.push(bounded(text, typesMaxLength));
    }
    for (const used of new Set(usesOf(type))) {
      if (seen.has(used)) continue;
      seen.add(used);
      queue.push(used);
    }
  }
  if (omitted.length > 0)
    blocks.push(`Types not shown, search for their names: ${bounded(omitted.join(", "), 1_000)}`);
  return blocks.join("\n");
}

/** Names of the types that a type refers to. */
export function usesOf(type: McpType): readonly string[] {
  if (type.kind === "enum") return [];
  return type.kind === "alias" ? typeNames(type.type) : type.fields.flatMap((field) => typeNames(field.type));
}

function typeText(name: string, type: McpType, isRequest: boolean): string {
  const docs = type.docs === undefined ? "" : `${comment(type.docs)}\n`;
  switch (type.kind) {
    case "struct":
      return `${docs}interface ${name} {\n${type.fields.map((field) => fieldText(field, isRequest)).join("")}}`;
    case "enum": {
      const values = type.values.map(
        ([text, about]) => JSON.stringify(text) + (about ? ` /* ${plain(about)} */` : ""),
      );
      return `${docs}type ${name} = ${values.join(" | ")};`;
    }
    case "alias":
      return `${docs}type ${name} = ${printed(type.type)};${type.limits ? ` // ${type.limits}` : ""}`;
  }
}

function fieldText(
  { name, type, docs, limits, isOptional, isSecret, deprecated }: McpField,
  isRequest: boolean,
): string {
  const notes = [
    ...(limits === undefined ? [] : [limits]),
    ...(isSecret ? [isRequest ? "secret" : "secret, never in responses"] : []),
    ...(deprecated === undefined ? [] : [`deprecated${deprecated && `: ${deprecated}`}`]),
    ...(docs === undefined ? [] : [docs]),
  ];
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `  ${key}${isOptional ? "?" : ""}: ${printed(type)};${notes.length === 0 ? "" : ` // ${plain(notes.join(". "))}`}\n`;
}

const printedNames: Readonly<Record<string, string>> = {
  bool: "boolean",
  any: "unknown",
  bytes: "string /* base64 */",
  bigint: "string /* an integer in decimal */",
  timestamp: "string /* RFC 3339 */",
  float32: "number",
  float64: "number",
  byte: "number /* 0 to 255 */",
};

/** Integers keep their names, which say how large they may be. */
function printed(type: string): string {
  const shape = shapeOf(type);
  if (shape.kind === "list") {
    const item = printed(shape.item);
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }
  if (shape.kind === "map")
    return `Record<${shape.key === "string" ? "string" : printed(shape.key)}, ${printed(shape.value)}>`;
  return hasOwn(printedNames, type) ? (printedNames[type] ?? type) : type;
}

function comment(docs: string): string {
  return `// ${plain(docs)}`;
}

/** One line, so that texts of the schema cannot look like code. */
function plain(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function bounded(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
