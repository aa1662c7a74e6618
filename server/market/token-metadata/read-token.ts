/** Reads a token's metadata from the URI that its contract reports. */
import type { Outbound } from "../../base/outbound/outbound.ts";
import { type MetadataFields, parseDocument } from "./parse-document.ts";
import { ReadingFault } from "./reading-fault.ts";
import { bytesOfDataUri, isJsonType, sourceOf } from "./token-uri.ts";

export interface ReadingLimits {
  /** Time-out from the DNS lookup to the last byte, redirects included, in milliseconds. */
  readonly maxDocumentMs: number;
  readonly maxDocumentBytes: number;
  readonly maxRedirects: number;
}

export const readingLimits: ReadingLimits = {
  // The same as for webhooks. Bounds how long a server that sends byte by byte occupies a slot.
  maxDocumentMs: 10_000,
  // Most documents have a few kilobytes, or a few hundred with an embedded picture.
  maxDocumentBytes: 1_048_576,
  maxRedirects: 3,
};

export interface ReadTokenPorts {
  readonly outbound: Outbound;
  readonly ipfsGateway: string | undefined;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

/** Throws ReadingFault, DocumentFault, OutboundRejection and OutboundFailure. */
export async function readToken(
  { outbound, ipfsGateway, limits, signal }: ReadTokenPorts,
  uri: string,
  tokenId: bigint,
): Promise<MetadataFields> {
  const source = sourceOf(uri, { tokenId, ipfsGateway });
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
