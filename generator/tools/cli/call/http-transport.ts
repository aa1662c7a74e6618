/**
 * Sends requests with Node's HTTP client. The first call of `fetch` takes longer than everything else that a call does, so
 * only forms are sent with it.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { TransportInit, TransportResponse } from "../../../verify/client/method-client.ts";

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
