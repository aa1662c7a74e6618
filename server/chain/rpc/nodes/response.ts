/** Responses of nodes: bytes, JSON, and the words of a failure. */
import { isAscii } from "node:buffer";

/**
 * Undefined: more than `maxBytes`; the rest is not read. Throws the signal's reason. The reader is told of the signal here: `fetch` of
 * Node 20 holds it weakly once the headers are there, and a body without an end would be waited for without one.
 */
export async function readBytes(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const reader = response.body?.getReader();
  const leave = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", leave, { once: true });
  try {
    const pieces: Uint8Array[] = [];
    let size = Number(response.headers.get("content-length"));
    if (size <= maxBytes) size = 0;
    while (size <= maxBytes) {
      const piece = (await reader?.read())?.value;
      signal.throwIfAborted();
      if (piece === undefined) return Buffer.concat(pieces);
      size += piece.byteLength;
      pieces.push(piece);
    }
    leave();
    return undefined;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** Logs are ASCII: their text is made without a look at each character, and takes half the memory. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Undefined: no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined: none that is a number or null. */
export function idOf(answer: unknown): unknown {
  return isRecord(answer) ? answer["id"] : undefined;
}

interface ErrorObject {
  readonly code: number;
  readonly detail: string;
  readonly data: unknown;
}

/** The error of an answer; undefined where it has none of the form that JSON-RPC gives it. */
export function errorOf(answer: unknown): ErrorObject | undefined {
  const error = isRecord(answer) ? answer["error"] : undefined;
  if (!isRecord(error)) return undefined;
  const { code, message, data } = error;
  if (typeof code !== "number" || typeof message !== "string") return undefined;
  return { code, detail: message.slice(0, wordsMax), data };
}

/** Longest part of a provider's words that is kept, in characters. */
const wordsMax = 300;

/** What a body says of a failure, be it JSON, HTML or text. */
export function detailOfBody(text: string): string {
  const parsed = parse(text);
  const { error = undefined, message = undefined } = isRecord(parsed) ? parsed : {};
  const said = [isRecord(error) ? error["message"] : error, message].find((one) => typeof one === "string");
  const detail = typeof said === "string" ? said : text.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, " ");
  const short = detail.replace(/\s+/g, " ").trim().slice(0, wordsMax);
  return short === "" ? "it is empty" : short;
}

/** What ended a request: the system's words where there are any. */
export function detailOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const { cause } = err;
  return cause instanceof Error && cause.message !== "" ? cause.message : err.message;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
