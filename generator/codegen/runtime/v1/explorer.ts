/** Adds the explorer to a server. The adapters serve it like the methods of the API. */
import type { Transport } from "./caller.ts";
import { type FileResponse, filesByPath, type ServedFile } from "./explorer-files.ts";
import type { MethodInfo } from "./handler.ts";
import type { OutgoingBody } from "./outgoing-body.ts";
import { type Reply, successReply } from "./reply.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

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
