/** Reads responses that are files. */
import type { MethodInfo } from "./client.ts";
import { readResponse } from "./client-response.ts";
import { RpcError } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";

/** A file that a server returned. Reading it slowly slows the server down. */
export interface ReceivedFile {
  /**
   * File name chosen by the server; do not use it as a path. In a browser, the server must expose the header
   * Content-Disposition.
   */
  readonly name: string | undefined;
  /** Media type. */
  readonly type: string;
  /** In bytes, if the server sent it. */
  readonly size: number | undefined;
  /** Read it once, or cancel it. Fails if the connection breaks. */
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * Returns the file. Throws the `RpcError` that an error response describes. The signal of the call also ends the
 * stream.
 */
export async function readFile(
  method: MethodInfo,
  response: TransportResponse,
  signal?: AbortSignal,
): Promise<ReceivedFile> {
  const { status, headers, body } = response;
  if (status !== 200) await readResponse(method, response);
  if (!body) {
    const cause = "the response has no body, or the transport does not support streaming";
    throw new RpcError({ ...method.schema.failures[-5], code: -5, cause });
  }
  const length = headers.get("content-length");
  return {
    name: nameIn(headers.get("content-disposition") ?? ""),
    type: headers.get("content-type") ?? "application/octet-stream",
    size: length ? Number(length) : undefined,
    stream: signal ? body.pipeThrough(new TransformStream(), { signal }) : body,
  };
}

/**
 * Reads the file name of a header such as `inline; filename="a.png"; filename*=UTF-8''%C3%A4.png`. The last form takes
 * precedence.
 */
function nameIn(disposition: string): string | undefined {
  const whole = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)/i.exec(disposition)?.[1];
  try {
    return whole ? decodeURIComponent(whole) : plain;
  } catch {
    return plain;
  }
}
