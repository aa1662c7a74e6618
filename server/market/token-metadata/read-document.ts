/** Reads a token's metadata from its source. */
import type { Outbound } from "../../base/outbound/outbound.ts";
import type { ReadingLimits } from "./limits.ts";
import { type MetadataFields, parseDocument } from "./parse-document.ts";
import { ReadingFault } from "./reading-fault.ts";
import { bytesOfDataUri } from "./token-uri.ts";

export interface ReadDocumentDependencies {
  readonly outbound: Outbound;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

/** Throws ReadingFault. */
export function readDataUri(uri: string): MetadataFields {
  return parseDocument(bytesOfDataUri(uri));
}

/** Throws ReadingFault, DocumentFault, OutboundRejection and OutboundFailure. */
export async function readDocument(
  { outbound, limits, signal }: ReadDocumentDependencies,
  url: string,
): Promise<MetadataFields> {
  const { status, mediaType, body } = await outbound.read({
    url,
    maxMs: limits.maxDocumentMs,
    maxBytes: limits.maxDocumentBytes,
    maxRedirects: limits.maxRedirects,
    accept: "application/json",
    signal,
  });
  if (status < 200 || status > 299)
    throw new ReadingFault(`the server of the URI responded with status ${status}`);
  // Media types are often wrong, so the bytes decide.
  try {
    return parseDocument(body);
  } catch (err) {
    const isTyped = err instanceof ReadingFault && mediaType !== "" && !/json$/.test(mediaType);
    throw isTyped ? new ReadingFault(`${err.message}; its type is "${mediaType.slice(0, 80)}"`) : err;
  }
}
