import { printExact } from "../../../verify/client/exact-json.ts";
import type { Send, TestCall } from "../../../verify/contract-test/call.ts";
import { multipartForm } from "../../../verify/replay/http-request.ts";
import { shellQuote } from "../output/terminal.ts";
import { connectionFailure, noResponseText } from "../servers/failures.ts";

/** The server under test. */
export interface Target {
  readonly address: string;
  /** Values of credential headers, by header name. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Header `Webrpc` of the calls: the version of an earlier contract that the server still speaks. */
  readonly webrpc?: string | undefined;
}

/** Time limit of a call, in milliseconds. */
const callTimeoutMs = 10_000;

/** Longest response body that is read. A faulty server may send an endless one. */
const responseMaxBytes = 32 * 1024 * 1024;

/** Returns the message if the server cannot be reached, and undefined if it sends any response. */
export async function connectionError({ address }: Target): Promise<string | undefined> {
  try {
    const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(callTimeoutMs) });
    await response.body?.cancel();
    return undefined;
  } catch (err) {
    return noResponseText(address, err);
  }
}

/** Lowest time limit of a call, in milliseconds, even if the time for all calls runs out: otherwise a slow response would count as a failure. */
const minCallMs = 2_000;

export function sendTo({ address, credentials, webrpc }: Target, leftMs: () => number): Send {
  return async ({ verb = "POST", path, body, files, withoutCredentials, headers: more }) => {
    const headers = {
      ...more,
      ...(webrpc === undefined ? {} : { webrpc }),
      ...(files === undefined && body !== undefined ? { "content-type": "application/json" } : {}),
      ...(withoutCredentials === true ? {} : credentials),
    };
    const limitMs = Math.ceil(Math.min(callTimeoutMs, Math.max(minCallMs, leftMs())));
    try {
      const response = await fetch(`${address}${path}`, {
        method: verb,
        headers,
        body: bodyOf(body, files),
        redirect: "manual",
        signal: AbortSignal.timeout(limitMs),
      });
      const text = await (isStream(response) ? firstLines(response) : readBody(response));
      const { headers: received, status } = response;
      const header = (name: string): string | undefined => received.get(name) ?? undefined;
      return {
        status,
        text,
        contentType: header("content-type") ?? "",
        allow: header("allow"),
        etag: header("etag"),
        cacheControl: header("cache-control"),
        vary: header("vary"),
      };
    } catch (err) {
      const isCut = limitMs < callTimeoutMs && err instanceof Error && err.name === "TimeoutError";
      return { status: 0, text: connectionFailure(err, address).reason, contentType: "", isCut };
    }
  };
}

function bodyOf(body: TestCall["body"], files: TestCall["files"]): string | FormData | null {
  if (body === undefined) return null;
  return files === undefined ? printExact(body) : multipartForm(body, files);
}

async function readBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > responseMaxBytes) throw new Error(`the response is longer than ${responseMaxBytes} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/x-ndjson") ?? false;
}

/** Streams are cancelled after `items` items or `ms` milliseconds, and `idleMs` milliseconds after an item without another one. */
const streamLimit = { items: 10, ms: 1_500, idleMs: 200 };

async function firstLines({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const end = performance.now() + streamLimit.ms;
  let text = "";
  for (;;) {
    const timeout = new Promise<undefined>((resolve) => {
      const leftMs = end - performance.now();
      setTimeout(
        () => resolve(undefined),
        text.trim() === "" ? leftMs : Math.min(leftMs, streamLimit.idleMs),
      ).unref();
    });
    const part = await Promise.race([reader?.read(), timeout]);
    if (part === undefined) break;
    if (part.done) return text;
    text += part.value;
    if (text.split("\n").filter((line) => line !== "").length > streamLimit.items) break;
  }
  reader?.cancel().catch(() => {});
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/**
 * Prints a call as a curl command, for a finding of a rule. Credentials are written as shell variables, because output
 * ends up in logs.
 */
export function curlOf(
  { verb, path, body, files, withoutCredentials, headers = {} }: TestCall,
  { address, credentials, webrpc }: Target,
  rule: string,
): string {
  const names = withoutCredentials === true ? [] : Object.keys(credentials);
  const more = Object.entries(headers).map(([name, value]) => ` -H ${shellQuote(`${name}: ${value}`)}`);
  const version = webrpc === undefined ? "" : ` -H ${shellQuote(`webrpc: ${webrpc}`)}`;
  const keys = names
    .map((name) => ` -H "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}"`)
    .concat(version, more)
    .join("");
  const url = shellQuote(`${address}${path}`);
  const isDefault = verb === undefined || (verb === "GET" && body === undefined);
  const verbFlag = verb === "HEAD" ? "-I " : isDefault ? "" : `-X ${verb} `;
  const showsHead = more.length > 0 || rulesOnHeaders.has(rule);
  const method = showsHead && verb !== "HEAD" ? `-i ${verbFlag}` : verbFlag;
  if (body === undefined) return `curl -s ${method}${url}${keys}`;
  const text = printExact(body);
  if (files === undefined)
    return `curl -s ${method}${url} -H 'content-type: application/json'${keys} -d ${shellQuote(text)}`;
  const parts = files.map((name) => ` -F ${shellQuote(`${name}=bytes;filename=file.txt`)}`).join("");
  return `curl -s ${url}${keys} --form-string ${shellQuote(`json=${text}`)}${parts}`;
}

/** Rules whose findings are seen in the headers of a response. */
const rulesOnHeaders: ReadonlySet<string> = new Set(["cache-headers", "etag-changes", "errors-not-cached"]);
