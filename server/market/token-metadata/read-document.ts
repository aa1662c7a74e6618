/** Reads a token's metadata from its source. */
import type { Outbound } from "../../base/outbound/outbound.ts";
import type { ReadingLimits } from "./limits.ts";
import { type MetadataFields, parseDocument } from "./parse-document.ts";
import { ReadingFault } from "./reading-fault.ts";
import { bytesOfDataUri, isJsonType, type TokenSource } from "./token-uri.ts";

export interface ReadDocumentDependencies {
  readonly outbound: Outbound;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

/** Throws ReadingFault, DocumentFault, OutboundRejection and OutboundFailure. */
export async function readDocument(
  { outbound, limits, signal }: ReadDocumentDependencies,
  source: TokenSource,
): Promise<MetadataFields> {
  if ("data" in source) return parseDocument(bytesOfDataUri(source.data));
  const { status, mediaType, body } = await outbound.read({
    url: source.url,
    maxMs: limits.maxDocumentMs,
    maxBytes: limits.maxDocumentBytes,
    maxRedirects: limits.maxRedirects,
    accept: "application/json",
    signal,
  });
  if (status < 200 || status > 299)
    throw new ReadingFault(`the server of the URI responded with status ${status}`);
  if (!isJsonType(mediaType))
    throw new ReadingFault(`the server of the URI responded with "${mediaType.slice(0, 80)}", not JSON`);
  return parseDocument(body);
}
