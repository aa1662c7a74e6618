import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Compilation, compile } from "../../../language/compile.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { TransportInit, TransportResponse } from "../../../verify/client/method-client.ts";
import { didYouMean } from "../command-error.ts";
import { noResponseText } from "../servers/failures.ts";

/** Where servers that publish their contract serve its IR. */
const paths = ["/schema.json", "/explorer/schema.json"];

/** Time limit for each path, in milliseconds. */
const timeoutMs = 10_000;

/** Compiles the schema that a server publishes. Returns a message if there is none. */
export async function fetchContract(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Compilation | string> {
  const refusals: string[] = [];
  for (const path of paths) {
    const found = await fetchText(`${address}${path}`, headers);
    if (found.kind === "unreachable") return noResponseText(address, found.error);
    if (found.kind === "text")
      return compile("schema.json", { read: () => ({ kind: "bytes", bytes: Buffer.from(found.text) }) });
    refusals.push(`${path} (${found.reason})`);
  }
  return `${visible(address)} serves no schema: neither ${refusals.join(" nor ")}. Name the schema with --schema FILE.`;
}

type Fetched =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly error: unknown };

async function fetchText(url: string, headers: Readonly<Record<string, string>>): Promise<Fetched> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await sendHttp(url, { method: "GET", headers: { ...headers }, body: null, signal });
    const text = await response.text();
    if (response.status !== 200) return { kind: "unusable", reason: `HTTP ${response.status}` };
    return /^\s*\{/.test(text) ? { kind: "text", text } : { kind: "unusable", reason: "not JSON" };
  } catch (err) {
    return { kind: "unreachable", error: err };
  }
}

/** A method by its full name, `Shop.GetOrder`. */
export interface MethodName {
  readonly service: string;
  readonly method: string;
}

/** Most names in a message. */
const maxListed = 20;

/** Finds a method by its full name, or by its own name if that is unique. Returns a message if there is no such method. */
export function findMethod(wanted: string, all: readonly MethodName[]): MethodName | string {
  const exact = all.find((one) => fullName(one) === wanted);
  const named = all.filter(({ method }) => method === wanted);
  const found = exact ?? (named.length === 1 ? named[0] : undefined);
  if (found !== undefined) return found;
  if (named.length > 1) return `Several services have the method "${wanted}": ${listed(named)}.`;
  const near =
    suggest(wanted, all.map(fullName)) ??
    suggest(
      wanted,
      all.map(({ method }) => method),
    );
  return `Unknown method "${wanted}".${didYouMean(near) || ` Methods: ${listed(all)}.`}`;
}

export function fullName({ service, method }: MethodName): string {
  return `${service}.${method}`;
}

/** `Shop.Buy, Shop.Ping and 12 more`. */
export function listed(all: readonly MethodName[]): string {
  if (all.length === 0) return "none";
  const names = all.slice(0, maxListed).map(fullName).join(", ");
  return all.length > maxListed ? `${names} and ${all.length - maxListed} more` : names;
}

/*
 * Sends requests with Node's HTTP client. The first call of `fetch` takes longer than everything else that a call does, so
 * only forms are sent with it.
 */

/** The start of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface HttpResponse extends TransportResponse {
  readonly head: ResponseHead;
}

export type HttpRequest = Pick<TransportInit, "headers" | "signal"> & {
  readonly method: string;
  readonly body: TransportInit["body"];
};

export async function sendHttp(url: string, init: HttpRequest): Promise<HttpResponse> {
  const { method, headers, body, signal } = init;
  // Not `instanceof FormData`: naming that class loads it.
  if (typeof body === "object" && body !== null) return sendForm(url, init);
  const { request } = await (url.startsWith("https:") ? import("node:https") : import("node:http"));
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === null ? {} : { "Content-Length": `${Buffer.byteLength(body)}` };
    const sent = request(url, {
      method,
      headers: { Accept: "*/*", ...headers, ...length },
      ...(signal && { signal }),
    });
    sent.once("response", resolve).once("error", reject).end(body);
  });
  return received(message);
}

function received(message: IncomingMessage): HttpResponse {
  const { statusCode: status = 0, statusMessage: statusText = "", headers, rawHeaders } = message;
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
  return {
    head: { status, statusText, headers: pairs },
    status,
    headers: { get: (name) => [headers[name.toLowerCase()] ?? []].flat().join(", ") || null },
    text: async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of message) chunks.push(chunk as Uint8Array);
      return new TextDecoder().decode(Buffer.concat(chunks));
    },
    get body() {
      return Readable.toWeb(message) as ReadableStream<Uint8Array>;
    },
  };
}

/** Node's `fetch` encodes forms, and sends their files without keeping them in memory. */
async function sendForm(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  const response = await fetch(url, { method, headers, body, signal, redirect: "error" });
  const { status, statusText } = response;
  return {
    head: { status, statusText, headers: [...response.headers] },
    status,
    headers: response.headers,
    text: () => response.text(),
    body: response.body as ReadableStream<Uint8Array> | null,
  };
}
