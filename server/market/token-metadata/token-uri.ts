/** Locates the metadata of a token by the URI that its contract returns. */
import type { Hex } from "../../chain/rpc/chain.ts";
import { ReadingFault } from "./reading-fault.ts";

/** A document within the URI itself, or a URL to read it from. */
export type TokenSource = { readonly data: string } | { readonly url: string };

/** Calls of `tokenURI(uint256)` (ERC-721) and `uri(uint256)` (ERC-1155). */
export const tokenUriCall = (tokenId: bigint): Hex => `0xc87b56dd${wordOf(tokenId)}`;
export const uriCall = (tokenId: bigint): Hex => `0x0e89341c${wordOf(tokenId)}`;

function wordOf(tokenId: bigint): string {
  return tokenId.toString(16).padStart(64, "0");
}

/** Decodes the `string` that a contract returned. Returns undefined if the response is no string. */
export function decodeString(response: Hex | undefined): string | undefined {
  if (response === undefined) return undefined;
  const bytes = Buffer.from(response.slice(2), "hex");
  const at = numberAt(bytes, 0);
  const length = at === undefined ? undefined : numberAt(bytes, at);
  if (at === undefined || length === undefined || at + 32 + length > bytes.length) return undefined;
  return utf8(bytes.subarray(at + 32, at + 32 + length));
}

/** Reads a word that fits into 32 bits, such as an offset. */
function numberAt(bytes: Buffer, at: number): number | undefined {
  if (at + 32 > bytes.length) return undefined;
  for (let index = at; index < at + 28; index++) if (bytes[index] !== 0) return undefined;
  return bytes.readUInt32BE(at + 28);
}

export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface SourceOptions {
  readonly tokenId: bigint;
  /** Ends with a slash: `https://gateway.example/ipfs/`. */
  readonly ipfsGateway: string | undefined;
}

/** Throws ReadingFault. */
export function sourceOf(text: string, { tokenId, ipfsGateway }: SourceOptions): TokenSource {
  // ERC-1155: 64 lower-case hex digits, without 0x.
  const uri = text.trim().replaceAll("{id}", wordOf(tokenId));
  if (uri === "") throw new ReadingFault("the contract returns an empty URI for this token");
  if (/^data:/i.test(uri)) return { data: uri };
  if (/^https?:/i.test(uri)) return { url: uri };
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9][^\s]*)$/i.exec(uri)?.[1];
  if (ipfs !== undefined) return { url: throughGateway(ipfs, ipfsGateway) };
  // Some contracts return the document itself.
  if (uri.startsWith("{")) return { data: `data:application/json,${encodeURIComponent(uri)}` };
  throw new ReadingFault(`unsupported URI "${uri.slice(0, 80)}": expected data:, https:, http: or ipfs:`);
}

function throughGateway(path: string, gateway: string | undefined): string {
  if (gateway === undefined)
    throw new ReadingFault("the metadata is on IPFS, and no gateway is configured (setting ipfsGateway)");
  // A path with `..` would leave the gateway's folder.
  if (path.split(/[/\\]/).some((part) => /^(?:[.]|%2e){1,2}$/i.test(part)))
    throw new ReadingFault("the IPFS path contains . or ..");
  return `${gateway}${path}`;
}

/** Returns the bytes of a `data:` URI (RFC 2397). Throws ReadingFault. */
export function bytesOfDataUri(uri: string): Buffer {
  const comma = uri.indexOf(",");
  if (comma === -1) throw new ReadingFault("the data: URI has no comma");
  const [type = "", ...parameters] = uri.slice("data:".length, comma).toLowerCase().split(";");
  if (!isJsonType(type.trim())) throw new ReadingFault(`the data: URI is "${type.slice(0, 80)}", not JSON`);
  const body = uri.slice(comma + 1);
  if (parameters.some((each) => each.trim() === "base64")) {
    const plain = body.includes("%") ? percentDecode(body) : body;
    if (!/^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(plain))
      throw new ReadingFault("the data: URI is not valid base64");
    return Buffer.from(plain, "base64");
  }
  return Buffer.from(percentDecode(body), "utf8");
}

/** Decodes percent escapes. Many contracts do not escape their JSON, so a percent sign that starts no escape stays. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
    const decoded = utf8(bytes);
    if (decoded === undefined) throw new ReadingFault("the document is not valid UTF-8");
    return decoded;
  });
}

/** Whether a media type is JSON, or one that servers send by default. */
export function isJsonType(mediaType: string): boolean {
  return (
    mediaType === "" ||
    mediaType === "application/json" ||
    mediaType === "text/json" ||
    mediaType === "text/plain" ||
    mediaType === "application/octet-stream" ||
    mediaType === "binary/octet-stream" ||
    /^application\/[-a-z0-9.]+[+]json$/.test(mediaType)
  );
}
