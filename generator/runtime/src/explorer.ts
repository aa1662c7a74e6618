import type { Transport } from "./call.ts";
import type { MethodInfo } from "./handler.ts";
import { listsTag, tagOfContent } from "./headers.ts";
import { type OutgoingBody, type Reply, successReply } from "./reply.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

/* The files of the explorer, as every server sends them. Imports no modules of Node. */

/** The texts of files by name. A function is called on the first request of its file. */
type FileTexts = Readonly<Record<string, string | (() => string)>>;

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

/* Adds the explorer to a server. The adapters serve it like the methods of the API. */

/** Options of `withExplorer`. */
export interface ExplorerOptions {
  /** The folder of the page. Default: `/explorer/`, or `/-/explorer/` if a route of the API uses that folder. */
  readonly path?: string;
}

/** Adds a page to a server. Use the generated `withExplorer` instead, which has the page of the API. */
export function withExplorerFiles<Carrier>(
  server: RpcServer<Carrier>,
  texts: Readonly<Record<string, string>>,
  { path }: ExplorerOptions,
): RpcServer<Carrier> {
  const names = ["", ...Object.keys(texts)];
  const folder = path === undefined ? freeFolder(server, names) : givenFolder(server, names, path);
  const files = filesByPath(folder, { ...texts, "host.json": hostInfo(texts["host.json"], folder) });
  const open = (at: string, transport: Transport<Carrier>): AnyExchange | undefined => {
    const file = files.get(at);
    return file === undefined || server.methodAt(at) !== undefined
      ? undefined
      : new FileExchange(file, transport);
  };
  return {
    basepath: server.basepath,
    webrpc: server.webrpc,
    limits: server.limits,
    methodAt: (at) => server.methodAt(at),
    open: (at, transport) => open(at, transport) ?? server.open(at, transport),
    openAny: (at, transport) => open(at, transport) ?? server.openAny(at, transport),
    drain: () => server.drain(),
    refuseUnparsable: (reason, status) => server.refuseUnparsable(reason, status),
  };
}

type Methods = Pick<RpcServer<never>, "methodAt">;

function freeFolder(server: Methods, names: readonly string[]): string {
  let folder = "/explorer/";
  while (methodIn(server, names, folder) !== undefined) folder = `/-${folder}`;
  return folder;
}

/** Accepts `docs`, `/docs` and `/docs/`. */
function givenFolder(server: Methods, names: readonly string[], path: string): string {
  const folder = `/${path}/`.replace(/\/+/g, "/");
  const method = methodIn(server, names, folder);
  if (method === undefined) return folder;
  throw new RangeError(
    `path: ${folder} belongs to ${method.service}.${method.name}; choose another path for the explorer`,
  );
}

/** Returns a method with the path of a file. */
function methodIn(server: Methods, names: readonly string[], folder: string): MethodInfo | undefined {
  for (const name of names) {
    const method = server.methodAt(`${folder}${name}`);
    if (method !== undefined) return method;
  }
  return undefined;
}

/** The page calls the server that it comes from, also below a prefix. */
function hostInfo(text = "{}", folder: string): string {
  const servers = ["../".repeat(folder.split("/").length - 2) || "."];
  return JSON.stringify({ ...JSON.parse(text), servers });
}

/** A request of a file. */
class FileExchange implements AnyExchange {
  readonly takesFiles = false;
  readonly #file: ServedFile;
  readonly #transport: RequestHead;

  constructor(file: ServedFile, transport: RequestHead) {
    this.#file = file;
    this.#transport = transport;
  }

  async admit(httpMethod: string | undefined): Promise<Reply> {
    const isHead = httpMethod === "HEAD";
    if (!isHead && httpMethod !== "GET") return replyOf(badMethod, true);
    return replyOf(await this.#file.respond((name) => this.#header(name)), isHead);
  }

  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    return isWritable ? reply : undefined;
  }

  // `admit` always responds, so no body is read.

  answer(): void {}

  async receive(): Promise<void> {}

  watchBody(): undefined {}

  #header(name: string): string | undefined {
    const { sendsCompressed } = this.#transport;
    return name === "accept-encoding" && sendsCompressed !== true ? undefined : this.#transport.header(name);
  }
}

type RequestHead = Pick<Transport<unknown>, "header" | "sendsCompressed">;

const badMethod: FileResponse = {
  status: 405,
  headers: { Allow: "GET, HEAD", "Content-Length": "0" },
  body: new Uint8Array(),
};

function replyOf({ status, headers, body }: FileResponse, isHead: boolean): Reply {
  const outgoing: OutgoingBody = {
    open: (sink) => {
      if (!isHead && body.byteLength > 0) sink.write(body);
      sink.end();
    },
    resume: () => {},
    cancel: () => {},
  };
  return { ...successReply(""), status, headers, outgoing };
}
