/** Reads the items of one connection. */
import type { FailureCode, MethodInfo } from "./client.ts";
import { readResponse } from "./client-response.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";

/** How the items of a connection are read. */
export interface ItemReaderOptions {
  readonly method: MethodInfo;
  /** A connection without any byte for this long counts as lost. 0: no limit. */
  readonly silenceMs: number;
  /** Longest item, in UTF-16 units. */
  readonly itemMaxLength: number;
  readonly signal: AbortSignal;
}

/**
 * Reads one item per line. Requests more bytes when the last ones are used up. Throws the `RpcError` that ended the
 * stream, or error -9 if the connection ended without one.
 */
export async function* readItems(
  body: ReadableStream<Uint8Array>,
  { method, silenceMs, itemMaxLength, signal }: ItemReaderOptions,
): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = (): void => void reader.cancel().catch(() => {});
  const checkLength = ({ length }: string): void => {
    if (length > itemMaxLength)
      throw streamFailure(method, -5, `an item is longer than ${itemMaxLength} characters`);
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
      if (isSilent) throw streamFailure(method, -9, `no data for ${silenceMs} ms`);
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

/** Returns the item, or a promise that rejects with the error that the server sent. */
function readItem(line: string, method: MethodInfo): unknown {
  let mismatch: unknown;
  try {
    const value = (method.parse ?? JSON.parse)(line) as Item;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (value.webrpcError) return readResponse(method, responseOf(value.webrpcError));
      return method.decode ? method.decode(value) : value;
    }
  } catch (thrown) {
    // Not JSON, or a value that does not match its type. The latter carries its path.
    mismatch = thrown;
  }
  throw streamFailure(method, -5, line.slice(0, 200), mismatch);
}

interface Item {
  readonly webrpcError?: { readonly status?: unknown };
}

/** Converts an error within a stream to an error response. */
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

/** Creates an error that the client itself raises for a stream. */
export function streamFailure(
  method: MethodInfo,
  code: FailureCode,
  cause: unknown,
  mismatch?: unknown,
): RpcError {
  const { [code]: info = defaultStreamLost } = method.schema.failures;
  return new RpcError({ ...info, code, cause: `${cause}`, ...(mismatch as Partial<RpcErrorInit>) });
}

/** Used if the schema does not name this error. */
const defaultStreamLost = { name: "WebrpcStreamLost", msg: "stream lost", status: 400 };
