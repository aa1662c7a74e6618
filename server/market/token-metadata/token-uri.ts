/** Where the metadata of a token is, as its contract says. */
import type { Hex } from "../../chain/rpc/chain.ts";
import { ReadingFault } from "./reading-fault.ts";

/** A document that stands in the link itself, or an address to read it from. */
export type TokenSource = { readonly data: string } | { readonly url: string };

/** `tokenURI(uint256)` of ERC-721 and `uri(uint256)` of ERC-1155. */
export const tokenUriCall = (tokenId: bigint): Hex => `0xc87b56dd${wordOf(tokenId)}`;
export const uriCall = (tokenId: bigint): Hex => `0x0e89341c${wordOf(tokenId)}`;

function wordOf(tokenId: bigint): string {
  return tokenId.toString(16).padStart(64, "0");
}

/** The one text of an answer; undefined: it is not one. */
export function textOf(answer: Hex | undefined): string | undefined {
  if (answer === undefined || answer.length < 130) return undefined;
  const bytes = Buffer.from(answer.slice(2), "hex");
  const at = numberAt(bytes, 0);
  const length = at === undefined ? undefined : numberAt(bytes, at);
  if (at === undefined || length === undefined || at + 32 + length > bytes.length) return undefined;
  return utf8(bytes.subarray(at + 32, at + 32 + length));
}

/** A word that may be a place in these bytes. */
function numberAt(bytes: Buffer, at: number): number | undefined {
  if (at + 32 > bytes.length) return undefined;
  for (let index = at; index < at + 28; index++) if (bytes[index] !== 0) return undefined;
  return bytes.readUInt32BE(at + 28);
}

/** Undefined: the bytes are no UTF-8. */
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
  // ERC-1155: lower case hex of 64 digits, without 0x.
  const uri = text.trim().replaceAll("{id}", wordOf(tokenId));
  if (uri === "") throw new ReadingFault("the contract names no metadata for this token");
  if (/^data:/i.test(uri)) return { data: uri };
  if (/^https?:/i.test(uri)) return { url: uri };
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9][^\s]*)$/i.exec(uri)?.[1];
  if (ipfs !== undefined) return { url: throughGateway(ipfs, ipfsGateway) };
  // Contracts that answer the document itself.
  if (uri.startsWith("{")) return { data: `data:application/json,${encodeURIComponent(uri)}` };
  throw new ReadingFault(
    `no metadata is read from "${uri.slice(0, 80)}": expected data:, https:, http: or ipfs:`,
  );
}

function throughGateway(path: string, gateway: string | undefined): string {
  if (gateway === undefined)
    throw new ReadingFault("it is on IPFS, and no gateway is configured here (setting ipfsGateway)");
  // A path that climbs would leave the gateway's folder.
  if (path.split(/[/\\]/).some((part) => /^(?:[.]|%2e){1,2}$/i.test(part)))
    throw new ReadingFault("the path on IPFS has a part that is . or ..");
  return `${gateway}${path}`;
}

/** The document of a `data:` link (RFC 2397), as bytes. Throws ReadingFault. */
export function bytesOfDataUri(uri: string): Buffer {
  const comma = uri.indexOf(",");
  if (comma === -1) throw new ReadingFault("the data: link has no comma");
  const [type = "", ...parameters] = uri.slice("data:".length, comma).toLowerCase().split(";");
  if (!isJson(type.trim())) throw new ReadingFault(`the data: link is no JSON but "${type.slice(0, 80)}"`);
  const body = uri.slice(comma + 1);
  if (parameters.some((each) => each.trim() === "base64")) {
    const plain = body.includes("%") ? unescaped(body) : body;
    if (!/^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(plain)) throw new ReadingFault("the data: link is no base64");
    return Buffer.from(plain, "base64");
  }
  return Buffer.from(unescaped(body), "utf8");
}

/** Many contracts write their JSON without escapes: a percent sign that is none of RFC 3986 stays. */
function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll("%", ""), "hex");
    const decoded = utf8(bytes);
    if (decoded === undefined) throw new ReadingFault("the document is no UTF-8");
    return decoded;
  });
}

/** Types of JSON, and those that servers give when they do not know better. */
export function isJson(mediaType: string): boolean {
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
