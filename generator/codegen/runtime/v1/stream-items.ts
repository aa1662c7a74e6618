/** The items of one connection, as they come. */
import type { FailureCode, MethodInfo } from "./client.ts";
import { readResponse } from "./client-response.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";

export interface ItemReaderOptions {
  readonly method: MethodInfo;
  /** Without a byte for so long the stream is lost. 0: never. */
  readonly silenceMs: number;
  /** Longest item, in UTF-16 units. */
  readonly itemMaxLength: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a line an item; the next part of the body is asked for when the last one is used up. Throws the `RpcError` that the server
 * ended the stream with, or -9 if it ended without an end.
 */
export async function* readItems(
  body: ReadableStream<Uint8Array>,
  { method, silenceMs, itemMaxLength, signal }: ItemReaderOptions,
): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = (): void => void reader.cancel().catch(() => {});
  const checkLength = ({ length }: string): void => {
    if (length > itemMaxLength) throw streamFailure(method, -5, `an item of more than ${itemMaxLength}`);
  };
  let rest = "";
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      let isSilent = false;
      const timer =
        silenceMs > 0 &&
        setTimeout(() => {
          isSilent = true;
          stop();
        }, silenceMs);
      const part = await reader
        .read()
        .catch((thrown) => {
          throw streamFailure(method, signal.aborted ? -8 : -9, thrown?.cause ?? thrown);
        })
        .finally(() => clearTimeout(timer || undefined));
      if (signal.aborted) throw streamFailure(method, -8, signal.reason);
      if (isSilent) throw streamFailure(method, -9, `nothing came for ${silenceMs} ms`);
      if (part.done) {
        if (rest) throw streamFailure(method, -9, "the stream ended within an item");
        return;
      }
      const text = decoder.decode(part.value, { stream: true });
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        const line = rest + text.slice(from, end);
        checkLength(line);
        rest = "";
        from = end + 1;
        if (line.trim()) yield readItem(line, method);
      }
      rest += text.slice(from);
      checkLength(rest);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Or the promise that throws what the server raised. */
function readItem(line: string, method: MethodInfo): unknown {
  let misfit: unknown;
  try {
    const value = (method.parse ?? JSON.parse)(line) as Item;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (value.webrpcError) return readResponse(method, responseOf(value.webrpcError));
      return method.decode ? method.decode(value) : value;
    }
  } catch (thrown) {
    // Not JSON, or a misfit, which says where it is.
    misfit = thrown;
  }
  throw streamFailure(method, -5, line.slice(0, 200), misfit);
}

interface Item {
  readonly webrpcError?: { readonly status?: unknown };
}

/** An error within a stream as the answer that it would have been before it. */
function responseOf(
  envelope: NonNullable<Item["webrpcError"]>,
): Pick<TransportResponse, "status" | "headers" | "text"> {
  const status = Number(envelope.status);
  return {
    status: status >= 300 ? status : 400,
    headers: { get: () => null },
    text: async () => JSON.stringify(envelope),
  };
}

/** What the client itself makes of a stream. */
export function streamFailure(
  method: MethodInfo,
  code: FailureCode,
  cause: unknown,
  misfit?: unknown,
): RpcError {
  const { [code]: info = defaultStreamLost } = method.schema.failures;
  return new RpcError({ ...info, code, cause: `${cause}`, ...(misfit as Partial<RpcErrorInit>) });
}

/** Of a schema that names no such error. */
const defaultStreamLost = { name: "WebrpcStreamLost", msg: "stream lost", status: 400 };
