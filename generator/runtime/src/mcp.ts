import { hasOwn, isObject } from "./json.ts";
import {
  declaredType,
  firstSentence,
  type McpApi,
  type McpError,
  type McpField,
  type McpMethod,
  type McpType,
  selectionOf,
  shapeOf,
  structOf,
  typeNames,
} from "./mcp-api.ts";
import {
  callMethod,
  exposedMethods,
  McpCallError,
  type McpFailure,
  type McpOptions,
  type McpResult,
  type McpSettings,
  type McpTarget,
  mcpSettings,
  textResult,
  withFailure,
} from "./mcp-call.ts";
import { McpSearch } from "./mcp-search.ts";

/* Prints methods and types for agents, in the manner of TypeScript. */

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

/** Most characters of types of one description, and of those of a response. The others are listed by name. */
const typesMaxLength = 12_000;
const resultsMaxLength = 1_200;

/** Describes a method with its types. */
function describeMethod(method: McpMethod, api: McpApi): string {
  const { name, docs, deprecated, request, response, isStream, files = [], errors } = method;
  const result = response === undefined ? "File" : isStream ? `stream of ${response}` : response;
  const raised = (errors ?? Object.keys(api.errors)).slice(0, errorsMax);
  const data = raised.flatMap((error) => api.errors[error]?.data ?? []);
  const results = [...(response === undefined ? [] : [response]), ...data];
  return [
    ...(docs === undefined ? [] : [comment(docs)]),
    `${name}(request: ${request}): ${result}`,
    `Hints: ${hintsOf(method).join(", ")}`,
    ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated || "do not use it"}`]),
    ...(files.length === 0 ? [] : [fileLine(files)]),
    ...(isStream ? ["The call returns the first items."] : []),
    errorLine(errors, api),
    "",
    describeTypes([request], results, api),
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
    const { status, message, data }: Omit<McpError, "code"> = errors[name] ?? { status: 0, message: "" };
    return `${name} (${status}: ${message}${data === undefined ? "" : `, with data: ${data}`})`;
  });
  const more = all.length - listed.length;
  return `Errors: ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * Describes types and the types that they use, the nearest first. Those of `requests` are described as callers write them, and come
 * first. The rest of `results` is named, because agents can search for its types.
 */
export function describeTypes(requests: readonly string[], results: readonly string[], api: McpApi): string {
  const blocks: string[] = [];
  const omitted: string[] = [];
  const seen = new Set<string>();
  let length = 0;
  const add = (roots: readonly string[], maxLength: number): void => {
    const queue = [...roots];
    for (const name of queue) {
      const type = declaredType(api, name);
      if (type === undefined || seen.has(name)) continue;
      seen.add(name);
      const text = typeText(name, type, requests.includes(name));
      if (length > 0 && length + text.length > maxLength) omitted.push(name);
      else {
        length += text.length;
        blocks.push(bounded(text, typesMaxLength));
      }
      queue.push(...usesOf(type));
    }
  };
  add(requests, typesMaxLength);
  add(results, Math.min(length + resultsMaxLength, typesMaxLength));
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
  { name, type, docs, limits, isOptional, isNullable, isSecret, deprecated }: McpField,
  isRequest: boolean,
): string {
  const notes = [
    ...(limits === undefined ? [] : [limits]),
    ...(isSecret ? [isRequest ? "secret" : "secret, never in responses"] : []),
    ...(deprecated === undefined ? [] : [`deprecated${deprecated && `: ${deprecated}`}`]),
    ...(docs === undefined ? [] : [docs]),
  ];
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const text = `${printed(type)}${isNullable ? " | null" : ""}`;
  return `  ${key}${isOptional ? "?" : ""}: ${text};${notes.length === 0 ? "" : ` // ${plain(notes.join(". "))}`}\n`;
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

/* The two tools of an MCP server: `search` finds methods, `call` calls one. Depends on no SDK. */

/** A call of a tool. */
interface ToolContext {
  /** The HTTP request of the agent. Undefined over stdio. */
  readonly request: Request | undefined;
  readonly signal: AbortSignal;
}

/** The arguments of a tool as a Standard Schema, as the SDK takes them. */
interface ToolInput<Arguments> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Arguments; readonly output: Arguments } | undefined;
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: Arguments; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

interface Tool<Arguments> {
  readonly config: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: ToolInput<Arguments>;
    readonly annotations: {
      readonly readOnlyHint: boolean;
      readonly destructiveHint: boolean;
      readonly idempotentHint: boolean;
      readonly openWorldHint: boolean;
    };
  };
  readonly run: (given: Arguments, context: ToolContext) => Promise<McpResult>;
}

interface SearchArguments {
  readonly query: string;
  readonly limit?: number;
}

interface CallArguments {
  readonly method: string;
  readonly request?: unknown;
  readonly fields?: readonly string[];
}

export interface McpTools {
  readonly instructions: string;
  readonly search: Tool<SearchArguments>;
  readonly call: Tool<CallArguments>;
}

export function mcpTools(api: McpApi, target: McpTarget, options: McpOptions = {}): McpTools {
  const settings = mcpSettings(options);
  const exposed = new Exposed(api, exposedMethods(api.methods, options));
  return {
    instructions: `Use "search" to find a method of ${api.name} for a task, "search" with its name to see its types, then "call".`,
    search: searchTool(exposed),
    call: callTool(exposed, target, settings),
  };
}

/** Each word of a query costs time. */
const queryMaxLength = 1_000;

/** The methods that agents can see. */
class Exposed {
  readonly api: McpApi;
  readonly methods: readonly McpMethod[];
  #search: McpSearch | undefined;
  #types: ReadonlySet<string> | undefined;

  constructor(api: McpApi, methods: readonly McpMethod[]) {
    this.api = api;
    this.methods = methods;
  }

  get search(): McpSearch {
    this.#search ??= new McpSearch(this.api, this.methods);
    return this.#search;
  }

  /** Returns a method by its name: `Shop.Buy`, `shop/buy`, or `Buy` if only one service has it. */
  named(text: string): McpMethod | undefined {
    const name = text.trim().replace("/", ".");
    const exact = this.methods.find((method) => method.name === name);
    if (exact !== undefined) return exact;
    if (!/^[\w.]+$/.test(name)) return undefined;
    const lower = name.toLowerCase();
    const isNamed = (method: McpMethod): boolean =>
      name.includes(".") ? method.name.toLowerCase() === lower : method.name.endsWith(`.${name}`);
    const found = this.methods.filter(isNamed);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Names of the types that the methods use. */
  get types(): ReadonlySet<string> {
    this.#types ??= typesOf(this.methods, this.api);
    return this.#types;
  }

  /** The names of services, each with its methods. */
  get services(): ReadonlyMap<string, readonly McpMethod[]> {
    const services = new Map<string, McpMethod[]>();
    for (const method of this.methods) {
      const [service = ""] = method.name.split(".");
      const methods = services.get(service) ?? [];
      services.set(service, methods);
      methods.push(method);
    }
    return services;
  }

  /** Services with the number of their methods: `Shop (12), Users (3)`. */
  servicesLine(maxLength: number): string {
    const all = [...this.services].map(([service, { length }]) => `${service} (${length})`);
    let text = "";
    for (const [index, one] of all.entries()) {
      if (text.length + one.length > maxLength) return `${text} and ${all.length - index} more`;
      text += index === 0 ? one : `, ${one}`;
    }
    return text;
  }
}

function typesOf(methods: readonly McpMethod[], api: McpApi): ReadonlySet<string> {
  const names = new Set(methods.flatMap(({ request, response = "" }) => [request, response]));
  // Iterating a Set includes elements added during the loop.
  for (const name of names) {
    const type = declaredType(api, name);
    if (type === undefined) names.delete(name);
    else for (const used of usesOf(type)) names.add(used);
  }
  return names;
}

/** Most characters of the services in the description of a tool, which costs every conversation. */
const servicesMaxLength = 500;

/** Default and largest number of methods that a search returns. */
const limitDefault = 8;
const limitMax = 30;

function searchTool(exposed: Exposed): Tool<SearchArguments> {
  const { api, methods } = exposed;
  return {
    config: {
      title: `Search ${api.name}`,
      description:
        `Finds methods of the API ${api.name}, which has ${methods.length}. The query is a task in a few words, the name of a method ` +
        `(Service.Method) for its request, response, limits and errors, or the name of a service or type. The search compares words: name ` +
        `the action and the thing as the API would, such as "delete alias". Services: ${exposed.servicesLine(servicesMaxLength)}.`,
      inputSchema: toolInput<SearchArguments>(
        {
          query: {
            type: "string",
            description:
              'A task ("refund an order"), or the name of a method, service or type. Empty: lists the services.',
          },
          limit: { type: "integer", minimum: 1, maximum: limitMax, description: `Default ${limitDefault}.` },
        },
        ["query"],
      ),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run: async ({ query, limit = limitDefault }) => textResult(searchText(exposed, query, limit)),
  };
}

function searchText(exposed: Exposed, query: string, limit: number): string {
  const { api } = exposed;
  const name = query.trim();
  if (name === "") return servicesText(exposed);
  const method = exposed.named(name);
  if (method !== undefined) return describeMethod(method, api);
  if (exposed.types.has(name)) return describeTypes([name], [], api);
  const service = exposed.services.get(name);
  const asked = name.slice(0, queryMaxLength);
  const found = service ?? exposed.search.find(asked);
  const more = found.length - limit;
  const limits =
    limit < limitMax ? ` Set "limit", at most ${limitMax}, or use other words.` : " Use other words.";
  return [
    ...found.slice(0, limit).map((one) => methodLine(one, api)),
    ...(more > 0 ? [`${more} more match.${limits}`] : []),
    ...(found.length > 0 ? ["Search for the name of a method to see its types."] : ["No method matches."]),
    ...(service === undefined ? adviceFor(exposed, asked, found, limit) : []),
  ].join("\n");
}

/** After a weak match, helps an agent to ask again in words of the API. */
function adviceFor(
  exposed: Exposed,
  query: string,
  found: readonly McpMethod[],
  limit: number,
): readonly string[] {
  const [best] = found;
  if (best !== undefined && !exposed.search.isWeakMatch(query, best)) return [];
  const unknown = exposed.search.unknownWords(query);
  const next = found.slice(limit, limit + namedMax).map(({ name }) => name);
  return [
    ...(best === undefined ? [] : ["The match is weak: the best method has few words of the query."]),
    ...(unknown.length === 0 ? [] : [`No method has: ${bounded(unknown.join(", "), 200)}.`]),
    ...(next.length === 0 ? [] : [`Next: ${next.join(", ")}.`]),
    `Services: ${exposed.servicesLine(2 * servicesMaxLength)}.`,
    `Frequent words: ${exposed.search.frequentWords.slice(0, frequentMax).join(", ")}.`,
    "Search again with words of the API.",
  ];
}

/** How many methods are only named, and how many frequent words are listed. */
const namedMax = 20;
const frequentMax = 50;

/** One line for each service: `Shop (12 methods) Sells pets.` */
function servicesText({ api, services }: Exposed): string {
  const all = [...services].map(([name, { length }]) => {
    const docs = bounded(firstSentence(api.services?.[name]), sentenceMax);
    return `${name} (${length} method${length === 1 ? "" : "s"}) ${docs}`.trim();
  });
  const more = all.length - listedServicesMax;
  return [
    ...all.slice(0, listedServicesMax),
    ...(more > 0 ? [`${more} more services.`] : []),
    "Search for the name of a service to see its methods.",
  ].join("\n");
}

const listedServicesMax = 100;

function callTool(exposed: Exposed, target: McpTarget, settings: McpSettings): Tool<CallArguments> {
  const { api, methods } = exposed;
  const isReading = methods.every(({ isRead }) => isRead);
  return {
    config: {
      title: `Call ${api.name}`,
      description:
        `Calls a method of ${api.name}. Search for its name first. Responses larger than ${settings.maxBytes} bytes are cut, and say so: ` +
        `select parts with "fields". Write integers beyond 2^53 - 1 as text.`,
      inputSchema: toolInput<CallArguments>(
        {
          method: { type: "string", description: "Service.Method" },
          request: { type: "object", description: "The request, as the search describes it." },
          fields: {
            type: "array",
            items: { type: "string" },
            description:
              'Parts of the response to keep, such as ["orders.id", "page"]. Paths lead through lists.',
          },
        },
        ["method"],
      ),
      annotations: {
        readOnlyHint: isReading,
        destructiveHint: !isReading,
        idempotentHint: methods.every(({ isIdempotent }) => isIdempotent),
        openWorldHint: true,
      },
    },
    run: async ({ method: name, request, fields = [] }, context) => {
      try {
        const method = exposed.named(name);
        if (method === undefined) throw unknownMethod(exposed, name);
        const selection = selectionOf(api, method.response ?? "any", fields);
        if (typeof selection === "string")
          throw new McpCallError({ name: "UnknownField", message: selection });
        const { request: agent, signal } = context;
        return await callMethod({ api, target, settings, method, request, selection, agent, signal });
      } catch (thrown) {
        if (thrown instanceof McpCallError) return failedResult(thrown.failure);
        settings.onError(thrown);
        return failedResult({
          name: "InternalError",
          message: "The MCP server failed. The call may have been made.",
        });
      }
    },
  };
}

function unknownMethod(exposed: Exposed, name: string): McpCallError {
  const similar = exposed.search
    .find(name.slice(0, queryMaxLength))
    .slice(0, 3)
    .map((method) => method.name);
  const hint = similar.length === 0 ? 'Use "search" to find methods.' : `Did you mean ${similar.join(", ")}?`;
  return new McpCallError({
    name: "UnknownMethod",
    message: `There is no method ${JSON.stringify(name.slice(0, 100))}. ${hint}`,
  });
}

function failedResult(failure: McpFailure): McpResult {
  return withFailure({ content: [] }, failure);
}

type Properties = Readonly<Record<string, { readonly type: string; readonly [keyword: string]: unknown }>>;

function toolInput<Arguments>(properties: Properties, required: readonly string[]): ToolInput<Arguments> {
  const schema = (): Record<string, unknown> => ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  return {
    "~standard": {
      version: 1,
      vendor: "ridlkit",
      validate: (value) => {
        const messages = faultsOf(value, properties, required);
        if (messages.length > 0) return { issues: messages.map((message) => ({ message })) };
        return { value: value as Arguments };
      },
      jsonSchema: { input: schema, output: schema },
    },
  };
}

function faultsOf(value: unknown, properties: Properties, required: readonly string[]): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return ["The arguments must be an object."];
  const given = new Map(Object.entries(value));
  const unknown = [...given.keys()].filter((name) => !Object.keys(properties).includes(name));
  return [
    ...unknown.map(
      (name) => `There is no argument "${name}". The arguments are ${Object.keys(properties).join(", ")}.`,
    ),
    ...required
      .filter((name) => given.get(name) === undefined)
      .map((name) => `The argument "${name}" is missing.`),
    ...Object.entries(properties).flatMap(([name, { type, minimum = 0, maximum = 0 }]) => {
      const one = given.get(name);
      return one === undefined || isOfType(one, type, [Number(minimum), Number(maximum)])
        ? []
        : [
            `The argument "${name}" must be ${expectedTypes[type]}${type === "integer" ? ` from ${minimum} to ${maximum}` : ""}.`,
          ];
    }),
  ];
}

const expectedTypes: Readonly<Record<string, string>> = {
  string: "text",
  integer: "an integer",
  object: "an object",
  array: "a list of texts",
};

function isOfType(value: unknown, type: string, [minimum, maximum]: readonly [number, number]): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    case "array":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    default:
      // Some clients send objects as their JSON.
      return isObject(value) || typeof value === "string";
  }
}
