import type { Transport } from "./transport.ts";
import { StreamedResponse } from "./transport-undici-stream.ts";
import {
  type DispatchController,
  DispatchedRequest,
  type DispatchHandler,
  type DispatchOptions,
  firstOf,
  type UndiciDispatcher,
  type UndiciHeaders,
} from "./undici-dispatcher.ts";

export type { UndiciDispatcher } from "./undici-dispatcher.ts";

/** Options of `undiciTransport`. */
export interface UndiciOptions {
  /** Largest response in bytes. A longer one is not read to its end and fails with error -5. Default: no limit. */
  readonly maxResponseBytes?: number;
}

/**
 * A transport for Node that costs a fraction of `fetch`: `undiciTransport(new Agent())` with
 * `import { Agent } from "undici"`. It uses undici's dispatcher, because `request` of undici would add a stream.
 */
export function undiciTransport(
  dispatcher: UndiciDispatcher,
  { maxResponseBytes = Number.POSITIVE_INFINITY }: UndiciOptions = {},
): Transport {
  return (url, { method, headers, body, signal, stream }) =>
    new Promise((resolve, reject) => {
      // Skips "https://" and one letter of the host.
      const end = url.indexOf("/", 9);
      const Gatherer = stream ? StreamedResponse : BufferedResponse;
      const answer = new Gatherer(maxResponseBytes, signal, resolve, reject);
      // undici sends no body for an empty text.
      const sent = body instanceof FormData ? sentForm(headers, body) : { headers, body: body ?? "" };
      dispatcher.dispatch({ origin: url.slice(0, end), path: url.slice(end), method, ...sent }, answer);
    });
}

/** Encodes a form as `fetch` does, because undici accepts only its own FormData. */
function sentForm(
  headers: Record<string, string>,
  form: FormData,
): Pick<DispatchOptions, "headers" | "body"> {
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  // undici accepts any iterable, but its types name only some.
  return { headers: { ...headers, "Content-Type": type }, body: encoded.body as never };
}

/** A response that is collected completely. */
class BufferedResponse extends DispatchedRequest implements DispatchHandler {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #status = 0;
  #headers: UndiciHeaders = {};

  onResponseStart(_controller: DispatchController, status: number, headers: UndiciHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.maxBytes) {
      this.#chunks.push(chunk);
      return;
    }
    this.#settle(`the response is larger than ${this.maxBytes} bytes: ${textOf(this.#chunks).slice(0, 100)}`);
    controller.abort(new Error("the response is too large"));
  }

  onResponseEnd(): void {
    this.#settle(textOf(this.#chunks));
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    this.ended();
    this.reject(error);
  }

  #settle(text: string): void {
    this.ended();
    const headers = this.#headers;
    this.resolve({
      status: this.#status,
      headers: { get: (name) => firstOf(headers[name]) },
      text: async () => text,
    });
  }
}

const utf8 = new TextDecoder();

function textOf(chunks: readonly Uint8Array[]): string {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return utf8.decode(only);
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
