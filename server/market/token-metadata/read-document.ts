/** Reads a token's metadata from the URI that its contract reports. */
import type { Outbound } from "../../base/outbound/outbound.ts";
import type { ReadingLimits } from "./limits.ts";
import { type MetadataFields, parseDocument } from "./parse-document.ts";
import { ReadingFault } from "./reading-fault.ts";
import { bytesOfDataUri, isJsonType, sourceOf } from "./token-uri.ts";

export interface ReadDocumentDependencies {
  readonly outbound: Outbound;
  readonly ipfsGateway: string | undefined;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal;
}

/** Throws ReadingFault, DocumentFault, OutboundRejection and OutboundFailure. */
export async function readDocument(
  { outbound, ipfsGateway, limits, signal }: ReadDocumentDependencies,
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
