import {
  exposableMethods,
  methodData,
  serviceDocs,
  usedTypes,
} from "../../../../generator/codegen/emit/mcp/index.ts";
import { type McpTools, mcpTools } from "../../../../generator/runtime/src/mcp.ts";
import type { McpApi } from "../../../../generator/runtime/src/mcp-api.ts";
import type { McpOptions, McpResult, McpTarget } from "../../../../generator/runtime/src/mcp-call.ts";
import { planOf } from "../../../support/sample-plan.ts";

/** Returns the data that generated code has for a schema, without its first lines. */
export function apiOf(declarations: string): McpApi {
  const plan = planOf(
    { "s.ridl": `webrpc = v1\nname = shop\nversion = v1\nbasepath = /rpc\n\n${declarations}` },
    "s.ridl",
  );
  const methods = exposableMethods(plan);
  const errors = plan.errors.filter(({ isOfProtocol }) => !isOfProtocol);
  const data = {
    name: plan.schemaName,
    version: plan.schemaVersion,
    methods: methods.map(methodData),
    services: serviceDocs(methods),
    types: Object.fromEntries(usedTypes(plan, methods, errors)),
    errors: Object.fromEntries(
      errors.map(({ name, code, httpStatus, message, data }) => [
        name,
        { code, status: httpStatus, message, data: data?.type },
      ]),
    ),
  };
  return JSON.parse(JSON.stringify(data)) as McpApi;
}

const { signal } = new AbortController();

export interface CalledTools {
  readonly tools: McpTools;
  readonly search: (query: string, limit?: number) => Promise<string>;
  readonly call: (
    method: string,
    request?: unknown,
    fields?: readonly string[],
    agent?: Request,
  ) => Promise<McpResult>;
}

/** Returns functions that call the tools as an SDK does. */
export function toolsOf(api: McpApi, target: McpTarget, options?: McpOptions): CalledTools {
  const tools = mcpTools(api, target, options);
  return {
    tools,
    search: async (query, limit) => {
      const given = limit === undefined ? { query } : { query, limit };
      return textOf(await tools.search.run(given, { request: undefined, signal }));
    },
    call: (method, request, fields, agent) =>
      tools.call.run(
        { method, ...(request !== undefined && { request }), ...(fields && { fields }) },
        { request: agent, signal },
      ),
  };
}

/** Returns all texts of a result. */
export function textOf({ content }: McpResult): string {
  return content.map((one) => (one.type === "text" ? one.text : JSON.stringify(one))).join("\n");
}

/** Returns the first text of a result, which is the response. */
export function bodyOf({ content: [first] }: McpResult): string {
  return first?.type === "text" ? first.text : "";
}

export function json(body: string, status = 200): Response {
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}
