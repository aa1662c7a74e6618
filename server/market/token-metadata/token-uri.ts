/** Locates the metadata of a token by the URI that its contract returns. */
import type { Hex } from "../../chain/rpc/chain.ts";

/** A document within the URI itself, or a URL to read it from, and one with the same content if that fails. */
type TokenSource =
  | { readonly data: string }
  | { readonly url: string; readonly alternative?: string | undefined };

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

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Each ends with a slash. Undefined: what is stored there is not read. */
export interface Gateways {
  /** `https://gateway.example/ipfs/` */
  readonly ipfsGateway: string | undefined;
  /** `https://arweave.example/` */
  readonly arweaveGateway: string | undefined;
}

/** Base58 of a hash, as in `QmYwAP…`, or multibase in base32, base36 or base58, as in `bafybei…`. */
const cid = "(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,}|k[0-9a-z]{50,}|z[1-9A-HJ-NP-Za-km-z]{40,})";

/** `ipfs://…`, with one slash or none, `/ipfs/…`, and the same for names (IPNS). Some contracts write the scheme twice. */
const ipfsPattern = /^\/?ip([fn])s(?::\/{0,2}|\/)(?:\/?ip[fn]s\/)?([^/\s].*)$/is;
const barePattern = new RegExp(`^${cid}(?:[/?#].*)?$`, "s");
/** A gateway with the content in the path or, as browsers require, in the host name. */
const gatewayPattern = new RegExp(
  `^https?://(?:[^/]+/ip([fn])s/(${cid}.*)|(${cid})[.]ip([fn])s[.][^/]+(.*))$`,
  "is",
);
const arweavePattern = /^ar:\/{0,2}([^/\s].*)$/is;

/** Throws ReadingFault. */
export function sourceOf(text: string, tokenId: bigint, gateways: Gateways): TokenSource {
  // ERC-1155: 64 lower-case hex digits, without 0x.
  const uri = text.trim().replace(/\{id\}|%7Bid%7D/gi, wordOf(tokenId));
  if (uri === "") throw new ReadingFault("the contract returns an empty URI for this token");
  if (/^data:/i.test(uri)) return { data: uri };
  if (/^https?:/i.test(uri)) return { url: uri, alternative: alternativeTo(uri, gateways) };
  const [, kind = "f", path] = ipfsPattern.exec(uri) ?? [];
  const ipfs = path ?? (barePattern.test(uri) ? uri : undefined);
  if (ipfs !== undefined) return { url: throughIpfs(kind, ipfs, gateways) };
  const arweave = arweavePattern.exec(uri)?.[1];
  if (arweave !== undefined) return { url: throughArweave(arweave, gateways) };
  // Some contracts return the document itself.
  if (uri.startsWith("{")) return { data: `data:application/json,${encodeURIComponent(uri)}` };
  throw new ReadingFault(
    `unsupported URI "${uri.slice(0, 80)}": expected data:, https:, http:, ipfs: or ar:`,
  );
}

/** Many gateways are gone, and the configured one has the same content. */
function alternativeTo(uri: string, gateways: Gateways): string | undefined {
  const [, pathKind, path, hash, hostKind, rest] = gatewayPattern.exec(uri) ?? [];
  const content = path ?? (hash === undefined ? undefined : `${hash}${rest}`);
  if (content === undefined || gateways.ipfsGateway === undefined || isOutside(content)) return undefined;
  const url = throughIpfs(pathKind ?? hostKind ?? "f", content, gateways);
  return url === uri ? undefined : url;
}

/** `kind` is "f" for content, and "n" for a name. */
function throughIpfs(kind: string, path: string, { ipfsGateway: gateway }: Gateways): string {
  if (gateway === undefined)
    throw new ReadingFault("the metadata is on IPFS, and no gateway is configured (setting ipfsGateway)");
  if (isOutside(path)) throw new ReadingFault("the IPFS path contains . or ..");
  if (kind.toLowerCase() === "f") return `${gateway}${encodePath(path)}`;
  if (!gateway.endsWith("/ipfs/"))
    throw new ReadingFault(
      "the metadata has an IPNS name, and the setting ipfsGateway does not end with /ipfs/",
    );
  return `${gateway.slice(0, -"ipfs/".length)}ipns/${encodePath(path)}`;
}

function throughArweave(path: string, { arweaveGateway: gateway }: Gateways): string {
  if (gateway === undefined)
    throw new ReadingFault(
      "the metadata is on Arweave, and no gateway is configured (setting arweaveGateway)",
    );
  if (isOutside(path)) throw new ReadingFault("the Arweave path contains . or ..");
  return `${gateway}${encodePath(path)}`;
}

/** Whether a path would leave the gateway's folder. */
function isOutside(path: string): boolean {
  return path.split(/[/\\]/).some((part) => /^(?:[.]|%2e){1,2}(?:$|[?#])/i.test(part));
}

/** Escapes what a URL cannot contain. File names such as `Token #1 100%.json` are common, and fragments have no use here. */
function encodePath(path: string): string {
  return path
    .replace(/%(?![0-9a-f]{2})/gi, "%25")
    .replace(/[^-\w.~!$&'()*+,;=:@%/?]/gu, (char) => encodeURIComponent(char));
}

/** Returns the bytes of a `data:` URI (RFC 2397), whatever its media type. Throws ReadingFault. */
export function bytesOfDataUri(uri: string): Buffer {
  const comma = uri.indexOf(",");
  if (comma === -1) throw new ReadingFault("the data: URI has no comma");
  const parameters = uri.slice("data:".length, comma).toLowerCase().split(";");
  const body = uri.slice(comma + 1);
  if (parameters.some((each) => each.trim() === "base64")) {
    const plain = body.includes("%") ? percentDecode(body) : body;
    if (!/^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(plain))
      throw new ReadingFault("the data: URI is not valid base64");
    return Buffer.from(plain, "base64");
  }
  return Buffer.from(percentDecode(body), "utf8");
}

/** The escapes of one character in UTF-8. */
const escapedCharacter =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi;

/** Decodes percent escapes. Many contracts do not escape their JSON, so a percent sign that starts no valid escape stays. */
function percentDecode(text: string): string {
  return text.replace(escapedCharacter, (run) => utf8(Buffer.from(run.replaceAll("%", ""), "hex")) ?? run);
}

/** The metadata of a token could not be read. The message is for the operator and the token's owner. */
export class ReadingFault extends Error {
  override readonly name = "ReadingFault";
  /** Whether the token itself may be fine. The failure then does not count, so the wait before the next attempt does not grow. */
  readonly isTransient: boolean;

  constructor(message: string, { isTransient = false }: { readonly isTransient?: boolean } = {}) {
    super(message);
    this.isTransient = isTransient;
  }
}
