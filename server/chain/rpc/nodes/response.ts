/** Reads responses of nodes: bytes, JSON, and the message of a failure. */

import { isAscii } from "node:buffer";
import { isRecord } from "../../../base/is-record.ts";

/**
 * Returns undefined if there are more than `maxBytes` bytes; the rest is not read. Throws the signal's reason. The reader is
 * cancelled here on abort, because `fetch` of Node 20 holds the signal weakly once the headers have arrived, and an endless
 * body would otherwise be awaited forever.
 */
export async function readBytes(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = Number(response.headers.get("content-length"));
    if (size <= maxBytes) size = 0;
    while (size <= maxBytes) {
      const chunk = (await reader?.read())?.value;
      signal.throwIfAborted();
      if (chunk === undefined) return Buffer.concat(chunks);
      size += chunk.byteLength;
      chunks.push(chunk);
    }
    cancel();
    return undefined;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Logs are ASCII. Decoding them as latin1 skips UTF-8 validation and takes half the memory. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Returns undefined if the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined if there is no id. Some nodes return the number as text. */
export function idOf(reply: unknown): unknown {
  const id = isRecord(reply) ? reply["id"] : undefined;
  return typeof id === "string" && /^[0-9]+$/.test(id) ? Number(id) : id;
}

interface ErrorObject {
  readonly code: number;
  readonly detail: string;
  readonly data: unknown;
}

/** Returns the error object of a response, or undefined if it has no valid one. */
export function errorOf(reply: unknown): ErrorObject | undefined {
  const error = isRecord(reply) ? reply["error"] : undefined;
  if (!isRecord(error)) return undefined;
  const { code, message, data } = error;
  if (typeof code !== "number" || typeof message !== "string") return undefined;
  return { code, detail: message.slice(0, maxDetailLength), data };
}

/** Longest stored part of a provider's message, in characters. */
const maxDetailLength = 300;

/** Extracts the message from the body of a failure, whether JSON, HTML or text. */
export function detailOfBody(text: string): string {
  const parsed = parse(text);
  const { error = undefined, message = undefined } = isRecord(parsed) ? parsed : {};
  const found = [isRecord(error) ? error["message"] : error, message].find((one) => typeof one === "string");
  const detail = typeof found === "string" ? found : textOfPage(text);
  const short = detail.replace(/\s+/g, " ").trim().slice(0, maxDetailLength);
  return short === "" ? "it is empty" : short;
}

/** The title of an error page usually repeats its heading. */
function textOfPage(html: string): string {
  const [, title = ""] = /<title>(.*?)<\/title>/is.exec(html) ?? [];
  const text = (part: string): string =>
    part.replace(/<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, " ").trim();
  return text(html) || title;
}

/** Why a request failed: the system's message if there is one. */
export function detailOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const { cause } = err;
  return cause instanceof Error && cause.message !== "" ? cause.message : err.message;
}
