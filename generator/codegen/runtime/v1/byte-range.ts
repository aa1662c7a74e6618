/** Parts of files, as the header `Range` of RFC 9110 requests them. */
import type { FileBytes, FileReply } from "./outgoing-file.ts";

/** The first and the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the requested part of a file. Undefined for the whole file: without a range, with several, or with an invalid
 * one. "unsatisfiable" if the file does not have that part.
 */
export function requestedRange(
  field: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i.exec(field ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Returns the size of a file in bytes, if it is known. */
export function sizeOf(file: FileReply): number | undefined {
  if (file instanceof Blob) return file.size;
  return file.size ?? (file.body instanceof Uint8Array ? file.body.byteLength : undefined);
}

/** Returns a part of a file, with the name and the media type of the file. */
export function partOf(file: FileReply, { start, end }: ByteRange): FileBytes {
  const size = end - start + 1;
  if (file instanceof Blob) {
    const named = "name" in file && typeof file.name === "string" ? { name: file.name } : {};
    return { body: file.slice(start, end + 1).stream(), type: file.type, size, ...named };
  }
  const { body } = file;
  const part = body instanceof Uint8Array ? body.subarray(start, end + 1) : skipped(body, start, end);
  return { ...file, body: part, size };
}

async function* skipped(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of body instanceof ReadableStream ? chunksOfStream(body) : body) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > end) return;
  }
}

/** Not every platform supports async iteration of ReadableStream. */
async function* chunksOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}
