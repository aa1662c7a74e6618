/** The files of the explorer, as every server sends them. Imports no modules of Node. */
import { listsTag, tagOfContent } from "./entity-tag.ts";

/** The texts of files by name. A function is called on the first request of its file. */
export type FileTexts = Readonly<Record<string, string | (() => string)>>;

/** A response to GET. A response to HEAD is the same without its body. */
export interface FileResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the status does not permit a body. */
  readonly body: Uint8Array;
}

/** Returns a request header by its lower-case name. */
type HeaderOf = (name: string) => string | undefined;

/** A file or a redirect. */
export interface ServedFile {
  respond(header: HeaderOf): Promise<FileResponse>;
}

/**
 * Returns the files of a folder such as `/explorer/` by their paths. The folder itself is the page, and its path without
 * the last slash redirects to the page.
 */
export function filesByPath(folder: string, texts: FileTexts): Map<string, ServedFile> {
  const files = Object.entries(texts).map(
    ([name, text]) => [`${folder}${name}`, new TextFile(name, text)] as const,
  );
  const byPath = new Map<string, ServedFile>(files);
  const page = byPath.get(`${folder}index.html`);
  if (page === undefined) return byPath;
  byPath.set(folder, page);
  // Not to the folder: Next.js and others remove the last slash of a path, and both redirects would repeat forever.
  const [, name = ""] = /([^/]*)\/$/.exec(folder) ?? [];
  if (name !== "") byPath.set(folder.slice(0, -1), redirectTo(`${name}/index.html`));
  return byPath;
}

/** The location is relative, because a proxy may add a prefix to the path. */
export function redirectTo(location: string): ServedFile {
  const headers = { Location: location, "Content-Length": "0" };
  return { respond: async () => ({ status: 302, headers, body: new Uint8Array() }) };
}

class TextFile implements ServedFile {
  readonly #name: string;
  readonly #text: string | (() => string);
  #loaded: Promise<LoadedFile> | undefined;
  #gzipped: Promise<Uint8Array | undefined> | undefined;

  constructor(name: string, text: string | (() => string)) {
    this.#name = name;
    this.#text = text;
  }

  async respond(header: HeaderOf): Promise<FileResponse> {
    this.#loaded ??= load(this.#name, this.#text);
    const { text, bytes, tag, headers } = await this.#loaded;
    if (listsTag(header("if-none-match") ?? "", tag)) return { status: 304, headers, body: new Uint8Array() };
    const gzipped =
      isCompressible(bytes) && acceptsGzip(header("accept-encoding")) ? await this.#gzip(text) : undefined;
    const body = gzipped ?? bytes;
    return {
      status: 200,
      headers: {
        ...headers,
        "Content-Type": typeOf(this.#name),
        "Content-Length": String(body.byteLength),
        ...(gzipped === undefined ? {} : { "Content-Encoding": "gzip" }),
      },
      body,
    };
  }

  #gzip(text: string): Promise<Uint8Array | undefined> {
    this.#gzipped ??= gzip(text);
    return this.#gzipped;
  }
}

interface LoadedFile {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly tag: string;
  /** Those that do not depend on the encoding. */
  readonly headers: Readonly<Record<string, string>>;
}

async function load(name: string, source: string | (() => string)): Promise<LoadedFile> {
  const text = typeof source === "string" ? source : source();
  const bytes = new TextEncoder().encode(text);
  const tag = await tagOfContent(bytes);
  return { text, bytes, tag, headers: headersOf(name, tag, isCompressible(bytes)) };
}

/** Smaller files fit into a packet anyway. */
function isCompressible({ byteLength }: Uint8Array): boolean {
  return byteLength >= 1024;
}

async function gzip(text: string): Promise<Uint8Array | undefined> {
  // Bun has it since version 1.3.3.
  if (typeof CompressionStream === "undefined") return undefined;
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** `gzip;q=0` declines it. */
function acceptsGzip(field = ""): boolean {
  return field.split(",").some((item) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(item));
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}

/** A year, in seconds: the longest time that caches keep a file. */
const immutableSeconds = 31_536_000;

function headersOf(name: string, tag: string, isEncodable: boolean): Record<string, string> {
  // The name contains a hash of the content.
  const isImmutable = /-[A-Z0-9]{8}\.(?:js|css)$/.test(name);
  return {
    // Weak, because the compressed and the plain file share it.
    ETag: `W/${tag}`,
    "Cache-Control": isImmutable ? `public, max-age=${immutableSeconds}, immutable` : "no-cache",
    // Not part of the policy of static pages: browsers accept this rule only in a header.
    "Content-Security-Policy": `${contentSecurityPolicy([])}; frame-ancestors 'none'`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(isEncodable ? { Vary: "Accept-Encoding" } : {}),
  };
}

/**
 * Allows only files of the page's host, and calls of the given origins: no other request, no inline script or style.
 * `blob:` shows files of calls.
 */
export function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
