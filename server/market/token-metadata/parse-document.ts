/** Parses a metadata document (ERC-721, ERC-1155 and common extensions) into the fields of a metadata record. */
import { isObject } from "ridlkit-runtime/json";
import type { Outbound } from "../../base/outbound/outbound.ts";
import { mayHoldJsonError } from "../import-export/check-values.ts";
import type { ReadingLimits } from "./limits.ts";
import { bytesOfDataUri, ReadingFault } from "./token-uri.ts";

const maxDepth = 32;
const maxAttributes = 1_000;

/** The fields of an import line of kind `metadata`, without the token's key. */
export type MetadataFields = Readonly<Record<string, unknown>>;

/** Throws ReadingFault. Ignores what is invalid or cannot be stored, so that one invalid part does not discard the others. */
export function parseDocument(bytes: Uint8Array): MetadataFields {
  const text = textOf(bytes);
  const { depth, withDigits } = scan(text);
  if (depth > maxDepth) throw new ReadingFault(`the document is nested more than ${maxDepth} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(withDigits, mayHoldJsonError(text) ? storable : undefined);
  } catch {
    const isPage = /^\s*<(?:!doctype|html|head|body)/i.test(text);
    throw new ReadingFault(isPage ? "the document is an HTML page, not JSON" : "the document is not JSON");
  }
  if (!isObject(value)) throw new ReadingFault("the document is not a JSON object");
  return fieldsOf(value);
}

/** UTF-8, or UTF-16 with a byte order mark. Invalid bytes become U+FFFD. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Strings, brackets and numbers. Each token ends where it must, so that invalid texts take no longer. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]|-?\d[-+.\deE]*/gs;

interface Scanned {
  /** Deepest nesting. JSON.parse itself accepts a hundred thousand levels. */
  readonly depth: number;
  /** The text with large integers as strings, which keep all digits. */
  readonly withDigits: string;
}

function scan(text: string): Scanned {
  let level = 0;
  let depth = 0;
  const withDigits = text.replace(tokens, (token) => {
    if (token === "{" || token === "[") depth = Math.max(depth, ++level);
    else if (token === "}" || token === "]") level--;
    else if (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))) return `"${token}"`;
    return token;
  });
  return { depth, withDigits };
}

/** For JSON.parse: omits what Postgres cannot store or JSON cannot write, and replaces lone surrogates by U+FFFD. */
function storable(key: string, value: unknown): unknown {
  if (key === "__proto__") return undefined;
  if (typeof value === "string") return storableText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (!isObject(value) || Object.keys(value).every((each) => storableText(each) === each)) return value;
  return Object.fromEntries(Object.entries(value).map(([each, inner]) => [storableText(each), inner]));
}

function storableText(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD");
}

function fieldsOf(value: Readonly<Record<string, unknown>>): MetadataFields {
  const text = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => value[key]).find((each): each is string => typeof each === "string" && each !== "");
  const { attributes, traits, properties, decimals, name } = value;
  const links = {
    image: text("image", "image_url", "imageUrl"),
    video: text("video"),
    audio: text("audio"),
    animation_url: text("animation_url", "animationUrl"),
  };
  const assets = Object.entries(links).flatMap(([metadataField, url]) =>
    url === undefined ? [] : [assetOf(metadataField, url)],
  );
  return withoutUndefined({
    name: typeof name === "number" ? String(name) : (text("name", "title") ?? ""),
    description: text("description"),
    image: links.image,
    video: links.video,
    audio: links.audio,
    imageData: text("image_data", "imageData"),
    externalUrl: text("external_url", "externalUrl"),
    backgroundColor: text("background_color", "backgroundColor"),
    animationUrl: links.animation_url,
    decimals: isByte(decimals) ? decimals : undefined,
    attributes: attributesOf(attributes ?? traits),
    properties: isObject(properties) ? properties : undefined,
    assets,
  });
}

/** Omits the URL of a `data:` link: there is nothing to fetch, and the file would be stored twice. */
function assetOf(metadataField: string, url: string): Readonly<Record<string, unknown>> {
  const isData = /^data:/i.test(url);
  const path = isData || !URL.canParse(url) ? "" : new URL(url).pathname;
  const filename = path.split("/").at(-1) ?? "";
  const mimeType = isData ? /^data:([-\w.+]+\/[-\w.+]+)/i.exec(url)?.[1]?.toLowerCase() : typeOf(filename);
  return withoutUndefined({
    metadataField,
    url: isData ? undefined : url,
    filename: filename === "" ? undefined : filename.slice(0, 200),
    mimeType,
  });
}

/** Types by file extension: files themselves are not read. */
const typesByExtension: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  avif: "image/avif",
  mp4: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  html: "text/html",
  pdf: "application/pdf",
};

function typeOf(filename: string): string | undefined {
  const extension = /[.]([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
}

/** Reads a list of objects, as markets write it, or an object of names and values. */
function attributesOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(value)
    ? value.filter(isObject)
    : isObject(value)
      ? Object.entries(value).map(([trait_type, each]) => ({ trait_type, value: each }))
      : [];
  return list.slice(0, maxAttributes);
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

/* Reads a token's metadata from its source. */

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
