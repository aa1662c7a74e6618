/** A document of metadata (ERC-721, ERC-1155 and what markets have added) as the record that is kept of it. */
import { faultOfJson } from "../transfer/values.ts";
import { ReadingFault } from "./reading-fault.ts";
import { utf8 } from "./token-uri.ts";

/** Deepest nesting of a document. */
const depthMax = 32;
const attributesMax = 1_000;
const assetsMax = 100;

/** A line of the record kind `metadata`, without its key. */
export type MetadataFields = Readonly<Record<string, unknown>>;

/** Throws ReadingFault. What is no text where one is expected is left out: one odd field does not cost the others. */
export function readDocument(bytes: Uint8Array): MetadataFields {
  const text = utf8(bytes);
  if (text === undefined) throw new ReadingFault("the document is no UTF-8");
  if (isDeeper(text, depthMax)) throw new ReadingFault(`the document is nested more than ${depthMax} deep`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    const isPage = /^\s*<(?:!doctype|html|head|body)/i.test(text);
    throw new ReadingFault(isPage ? "the document is a page (HTML) and no JSON" : "the document is no JSON");
  }
  if (!isRecord(value)) throw new ReadingFault("the document is no JSON object");
  const fault = faultOfJson(value);
  if (fault !== undefined) throw new ReadingFault(fault);
  return fieldsOf(value);
}

/** Counts brackets outside of texts, because a parser takes a hundred thousand levels without a word. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (isText) {
      if (char === backslash) at++;
      else if (char === quote) isText = false;
    } else if (char === quote) isText = true;
    else if (char === openBrace || char === openBracket) {
      if (++depth > most) return true;
    } else if (char === closeBrace || char === closeBracket) depth--;
  }
  return false;
}

const [backslash, quote, openBrace, closeBrace, openBracket, closeBracket] = [92, 34, 123, 125, 91, 93];

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
    properties: isRecord(properties) ? properties : undefined,
    assets: assets.slice(0, assetsMax),
  });
}

/** Links that hold the file itself are no assets to be fetched, and would be kept twice. */
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

/** By the ending of a name: files themselves are not read. */
const typesByEnding: Readonly<Record<string, string>> = {
  ...{ png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" },
  ...{
    svg: "image/svg+xml",
    avif: "image/avif",
    mp4: "video/mp4",
    webm: "video/webm",
    mov: "video/quicktime",
  },
  ...{ mp3: "audio/mpeg", wav: "audio/wav", ogg: "audio/ogg", flac: "audio/flac" },
  ...{ glb: "model/gltf-binary", gltf: "model/gltf+json", html: "text/html", pdf: "application/pdf" },
};

function typeOf(filename: string): string | undefined {
  const ending = /[.]([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined;
}

/** A list of objects, as markets have it; a plain object of names and values is one too. */
function attributesOf(given: unknown): readonly Readonly<Record<string, unknown>>[] {
  const list = Array.isArray(given)
    ? given.filter(isRecord)
    : isRecord(given)
      ? Object.entries(given).map(([trait_type, value]) => ({ trait_type, value }))
      : [];
  return list.slice(0, attributesMax);
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
