/** Calls a method for an agent. */
import type { McpApi, McpMethod } from "./mcp-api.ts";
import { type CutValue, cutJson, describeCuts } from "./mcp-cut.ts";
import type { McpSettings, McpTarget } from "./mcp-options.ts";
import { callRequest, type McpCallRequest } from "./mcp-request.ts";
import {
  invalidRequest,
  McpCallError,
  type McpFailure,
  readFailure,
  readFile,
  readItems,
  readJson,
} from "./mcp-response.ts";
import { type McpContent, type McpResult, textResult } from "./mcp-result.ts";
import { type Selection, selectedValue, visibleValue } from "./mcp-values.ts";

/** A call with its settings. */
export interface McpCall {
  readonly api: McpApi;
  readonly target: McpTarget;
  readonly settings: McpSettings;
  readonly method: McpMethod;
  readonly request: unknown;
  readonly selection: Selection;
  /** The HTTP request of the agent. */
  readonly agent: Request | undefined;
  /** Aborts when the agent cancels the call. */
  readonly signal: AbortSignal;
}

/** Throws `McpCallError`. */
export async function callMethod(call: McpCall): Promise<McpResult> {
  const { api, method, settings, signal } = call;
  const request = callRequest(api, method, call.request);
  if (isIssues(request)) throw invalidRequest(request);
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, settings.timeoutMs);
  signal.addEventListener("abort", abort);
  try {
    const response = await send(call, request, controller.signal);
    if (response.status >= 300) throw await readFailure(response);
    if (method.response === undefined) return await fileResult(response, settings);
    if (method.isStream) return await streamResult(response, call, method.response);
    return valueResult(await readJson(response), call, method.response);
  } catch (thrown) {
    if (thrown instanceof McpCallError) throw thrown;
    settings.onError(thrown);
    throw new McpCallError({
      name: "NoResponse",
      message: controller.signal.aborted
        ? `The API did not respond within ${settings.timeoutMs} ms. It may have done the work.`
        : "The API could not be reached, or the connection broke.",
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    abort();
  }
}

function isIssues(
  request: ReturnType<typeof callRequest>,
): request is Extract<typeof request, readonly unknown[]> {
  return Array.isArray(request);
}

async function send(
  { target, settings, agent }: McpCall,
  { path, method, headers, body }: McpCallRequest,
  signal: AbortSignal,
): Promise<Response> {
  const own = await (settings.headers ?? defaultHeaders(target))(agent);
  const init = { method, headers: { ...own, ...headers }, signal, ...(body !== undefined && { body }) };
  if (typeof target !== "string") return target(new Request(`http://localhost${path}`, init));
  // A redirect would send the credentials elsewhere.
  return fetch(target.replace(/\/+$/, "") + path, { ...init, redirect: "manual" });
}

function defaultHeaders(target: McpTarget): (agent: Request | undefined) => Record<string, string> {
  return (agent) => {
    const authorization = agent?.headers.get("authorization");
    return typeof target === "string" || !authorization ? {} : { Authorization: authorization };
  };
}

function valueResult(value: unknown, { api, method, selection, settings }: McpCall, type: string): McpResult {
  const visible = selectedValue(visibleValue(api, type, value), selection);
  return cutResult(cutJson(visible, settings.maxBytes), settings, method);
}

async function streamResult(response: Response, call: McpCall, type: string): Promise<McpResult> {
  const { api, settings, selection, method, signal } = call;
  const { maxItems, maxBytes, streamMs } = settings;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, streamMs);
  signal.addEventListener("abort", abort);
  try {
    const limits = { maxItems, maxBytes: maxBytes * streamFactor, signal: controller.signal };
    const { items, end, error } = await readItems(response, limits);
    if (error !== undefined && items.length === 0) throw new McpCallError(error);
    const visible = items.map((item) => selectedValue(visibleValue(api, type, item), selection));
    const result = cutResult(cutJson({ items: visible, end }, maxBytes), settings, method);
    if (end === "more") {
      const text = `The stream goes on. A call returns at most ${maxItems} items, and waits at most ${streamMs} ms.`;
      result.content.push({ type: "text", text });
    }
    return error === undefined ? result : withFailure(result, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** A selection may make items that are larger than an answer small enough. */
const streamFactor = 10;

function cutResult(cut: CutValue, { maxBytes }: McpSettings, { pageSize }: McpMethod): McpResult {
  if (cut.cuts.length === 0) return textResult(cut.text);
  const smaller = pageSize === undefined ? "" : `, or with a smaller "${pageSize}" in the request`;
  const advice = `To get less of each item, call again with "fields", such as ["items.id"]${smaller}.`;
  const result = textResult(cut.text);
  result.content.push({ type: "text", text: describeCuts(cut, maxBytes, advice) });
  return result;
}

async function fileResult(response: Response, settings: McpSettings): Promise<McpResult> {
  const { name = "file", type, size, bytes } = await readFile(response, settings.fileMaxBytes);
  const about: McpContent = {
    type: "text",
    text: JSON.stringify({ name, type, ...(size !== undefined && { size }) }),
  };
  if (bytes === undefined) {
    const text = `The file is larger than ${settings.fileMaxBytes} bytes, so its content is left out.`;
    return { content: [about, { type: "text", text }] };
  }
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(type))
    return { content: [about, { type: "image", data: base64Of(bytes), mimeType: type }] };
  const uri = `file:///${encodeURIComponent(name)}`;
  const text = textOf(bytes, type);
  if (text === undefined)
    return {
      content: [about, { type: "resource", resource: { uri, mimeType: type, blob: base64Of(bytes) } }],
    };
  const shown = text.length <= settings.maxBytes ? text : text.slice(0, settings.maxBytes);
  const content: McpContent[] = [about, { type: "resource", resource: { uri, mimeType: type, text: shown } }];
  if (shown.length < text.length)
    content.push({ type: "text", text: `Cut to ${shown.length} of ${text.length} characters.` });
  return { content };
}

/** Returns the text of a file that is one. */
function textOf(bytes: Uint8Array, type: string): string | undefined {
  if (!/^text\/|[/+](?:json|xml|csv|yaml|x-ndjson|javascript)$/.test(type)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** Adds an error to what a tool returns, as structured content and as its JSON. */
export function withFailure({ content }: McpResult, error: McpFailure): McpResult {
  const text = JSON.stringify({ error });
  return { content: [...content, { type: "text", text }], structuredContent: { error }, isError: true };
}
