/** An answer that is a file. */
import type { MethodInfo } from "./client.ts";
import { readResponse } from "./client-response.ts";
import { RpcError } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";

/** A file that a server answers. It is read as it comes: a slow reader slows the server down. */
export interface ReceivedFile {
  /** As the server calls it; no safe path. A browser shows it only if the server exposes the header Content-Disposition. */
  readonly name: string | undefined;
  /** Media type. */
  readonly type: string;
  /** In bytes, if the server said it. */
  readonly size: number | undefined;
  /** To be read once, or cancelled. It fails if the connection breaks off. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** The file; throws the `RpcError` that the answer is instead. The signal of the call ends the stream too. */
export async function readFile(
  method: MethodInfo,
  response: TransportResponse,
  signal?: AbortSignal,
): Promise<ReceivedFile> {
  const { status, headers, body } = response;
  if (status !== 200) await readResponse(method, response);
  if (!body) {
    const cause = "an answer without a body, or a transport that does not stream";
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

/** Of a header as `inline; filename="a.png"; filename*=UTF-8''%C3%A4.png`, where the last one counts. */
function nameIn(disposition: string): string | undefined {
  const whole = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)/i.exec(disposition)?.[1];
  try {
    return whole ? decodeURIComponent(whole) : plain;
  } catch {
    return plain;
  }
}
