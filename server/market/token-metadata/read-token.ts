/** From what a contract answers to the record of a token's metadata. */
import type { Outbound } from "../../base/outbound/outbound.ts";
import { type MetadataFields, readDocument } from "./document.ts";
import { ReadingFault } from "./reading-fault.ts";
import { bytesOfDataUri, isJson, sourceOf } from "./token-uri.ts";

/** What one token may take at most. */
export interface ReadingLimits {
  /** From the name to the last byte, redirects included, in milliseconds. */
  readonly documentMaxMs: number;
  readonly documentMaxBytes: number;
  readonly maxRedirects: number;
}

export const readingLimits: ReadingLimits = {
  // As long as webhooks get; whoever drips bytes keeps a place no longer.
  documentMaxMs: 10_000,
  // Documents have some kilobytes; pictures as text within them some hundred.
  documentMaxBytes: 1_048_576,
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
  if ("data" in source) return readDocument(bytesOfDataUri(source.data));
  const { status, mediaType, body } = await outbound.read({
    url: source.url,
    maxMs: limits.documentMaxMs,
    maxBytes: limits.documentMaxBytes,
    maxRedirects: limits.maxRedirects,
    accept: "application/json",
    signal,
  });
  if (status < 200 || status > 299) throw new ReadingFault(`its server answered with the status ${status}`);
  if (!isJson(mediaType)) throw new ReadingFault(`its server gave "${mediaType.slice(0, 80)}" and no JSON`);
  return readDocument(body);
}
