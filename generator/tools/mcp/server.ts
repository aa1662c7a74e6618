/** An MCP server over standard input and output whose tools run ridlkit. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type DocsPage, searchDocs } from "./docs.ts";

/** Runs ridlkit, and returns what it prints. */
export type RunCommand = (args: readonly string[]) => Promise<CommandOutput>;

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface McpSurroundings {
  readonly run: RunCommand;
  readonly docs: () => readonly DocsPage[];
  readonly version: string;
}

type Values = Readonly<Record<string, unknown>>;

interface Tool {
  readonly name: string;
  readonly description: string;
  /** Descriptions of the arguments; those of lists start with "List". */
  readonly properties: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly isReadOnly: boolean;
  readonly argsOf: (values: Values) => readonly string[];
}

const text = (values: Values, name: string): readonly string[] =>
  values[name] === undefined ? [] : [`${values[name]}`];

const option = (values: Values, name: string): readonly string[] =>
  text(values, name).map((value) => `--${name}=${value}`);

/** Files come after `--`, so that none is read as an option. */
const file = (values: Values): readonly string[] => ["--", ...text(values, "file")];

const fileText = "Path of a schema. Default: all schemas of ridlkit.config.json.";

const tools: readonly Tool[] = [
  {
    name: "lint",
    description:
      "Checks schemas, and returns diagnostics with positions, advice and fixes. Call it after every edit of a schema.",
    properties: { file: fileText, preset: "Style rules to check too: recommended or strict." },
    isReadOnly: true,
    argsOf: (values) => ["lint", ...option(values, "preset"), ...file(values)],
  },
  {
    name: "explain",
    description: "Explains a diagnostic: its rule and reason, an invalid and a valid example.",
    properties: { code: "A code, such as RK308, or its name." },
    required: ["code"],
    isReadOnly: true,
    argsOf: (values) => ["explain", "--", ...text(values, "code")],
  },
  {
    name: "generate",
    description: "Generates code from schemas, and returns the files that changed. Do not edit these files.",
    properties: {
      file: fileText,
      out: "Output folder, for a schema that is not in the configuration.",
      target: "Targets, separated by commas, such as client,server,validators,openapi.",
    },
    isReadOnly: false,
    argsOf: (values) => ["generate", ...option(values, "out"), ...option(values, "target"), ...file(values)],
  },
  {
    name: "breaking",
    description: "Finds changes of schemas that break callers of an earlier version.",
    properties: { against: "A Git revision, a kept version or a file.", file: fileText },
    required: ["against"],
    isReadOnly: true,
    argsOf: (values) => ["breaking", ...option(values, "against"), ...file(values)],
  },
];

const docsTool = {
  name: "docs",
  description:
    "The documentation of ridlkit and of the schema language RIDL. Read the page schema-language before you write a schema.",
  properties: { query: "A page, such as schema-language, or words to search for. Default: lists the pages." },
  required: [],
  isReadOnly: true,
};

/** The newest version, for clients that ask for one that the server does not know. */
const protocols = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Serves until the input ends. Messages are JSON, one a line. */
export async function serveMcp(
  input: Readable,
  write: (line: string) => void,
  surroundings: McpSurroundings,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === "") continue;
    const answer = respond(line, surroundings).then((response) => {
      if (response !== undefined) write(`${JSON.stringify({ jsonrpc: "2.0", ...response })}\n`);
      running.delete(answer);
    });
    running.add(answer);
  }
  await Promise.all(running);
}

/** Returns the response to a message. Undefined for notifications. */
async function respond(line: string, surroundings: McpSurroundings): Promise<object | undefined> {
  let message: { readonly id?: unknown; readonly method?: unknown; readonly params?: Values | null } | null;
  try {
    message = JSON.parse(line);
  } catch {
    return { id: null, error: { code: -32700, message: "The message is not JSON." } };
  }
  if (typeof message !== "object" || message === null || Array.isArray(message))
    return {
      id: null,
      error: { code: -32600, message: "A line must have one message. Batches are not supported." },
    };
  const { id, method, params: given } = message;
  if (id === undefined) return undefined;
  const params = given ?? {};
  switch (method) {
    case "initialize":
      return { id, result: initialize(params, surroundings.version) };
    case "ping":
      return { id, result: {} };
    case "tools/list":
      return { id, result: { tools: [...tools, docsTool].map(describeTool) } };
    case "tools/call":
      return { id, ...(await callTool(params, surroundings)) };
    default:
      return { id, error: { code: -32601, message: `There is no method ${JSON.stringify(method)}.` } };
  }
}

function initialize({ protocolVersion }: Values, version: string): object {
  return {
    protocolVersion: protocols.find((one) => one === protocolVersion) ?? protocols[0],
    capabilities: { tools: {} },
    serverInfo: { name: "ridlkit", version },
    instructions:
      "Edit the schema, call lint until it is clean, then generate. Never edit generated files. Before a release, call breaking.",
  };
}

function describeTool({
  name,
  description,
  properties,
  required = [],
  isReadOnly,
}: Omit<Tool, "argsOf">): object {
  return {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, about]) => [key, { type: "string", description: about }]),
      ),
      required,
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

async function callTool({ name, arguments: given }: Values, { run, docs }: McpSurroundings): Promise<object> {
  const tool = [...tools, docsTool].find((one) => one.name === name);
  if (tool === undefined)
    return { error: { code: -32602, message: `There is no tool ${JSON.stringify(name)}.` } };
  const values = (given ?? {}) as Values;
  const faults = [
    ...Object.entries(values).flatMap(([key, value]) => {
      if (!Object.hasOwn(tool.properties, key))
        return [
          `There is no argument "${key}". The arguments are ${Object.keys(tool.properties).join(", ")}.`,
        ];
      return typeof value === "string" ? [] : [`The argument "${key}" must be text.`];
    }),
    ...(tool.required ?? [])
      .filter((key) => values[key] === undefined)
      .map((key) => `The argument "${key}" is missing.`),
  ];
  if (faults.length > 0) return { result: { ...content(faults.join(" ")), isError: true } };
  if (!("argsOf" in tool)) return { result: content(searchDocs(docs(), `${values["query"] ?? ""}`)) };
  const [command = "", ...args] = tool.argsOf(values);
  const { code, out, err } = await run([command, "--format=json", ...args]);
  // Findings exit with 1. They are what was asked for.
  return { result: { ...content(out.trim() || err.trim()), ...(code > 1 && { isError: true }) } };
}

function content(result: string): { readonly content: readonly object[] } {
  return { content: [{ type: "text", text: result }] };
}
