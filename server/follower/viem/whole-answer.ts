import { isAscii } from "node:buffer";
import { ResponseBodyTooLargeError } from "viem";

/**
 * The same answer with its text at hand. Throws ResponseBodyTooLargeError. Logs are ASCII, whose text is made without a look at each character,
 * and is half as large as one that a stream of pieces is decoded to.
 */
export async function wholeAnswer(response: Response, maxBytes: number): Promise<Response> {
  const announced = Number(response.headers.get("content-length"));
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size: announced });
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > maxBytes) throw new ResponseBodyTooLargeError({ maxSize: maxBytes, size });
    pieces.push(piece);
  }
  const whole = Buffer.concat(pieces);
  const { ok, status, statusText, headers } = response;
  const text = async (): Promise<string> => whole.toString(isAscii(whole) ? "latin1" : "utf8");
  return { ok, status, statusText, headers, text } as Response;
}
