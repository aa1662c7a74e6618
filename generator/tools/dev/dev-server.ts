import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { LoadedModules } from "./bundle.ts";
import {
  handleCors,
  type LoopbackGuard,
  type LoopbackRejection,
  loopbackOnly,
  loopbackRejection,
} from "./loopback.ts";
import type { StackMapper } from "./stack-mapper.ts";

/** The handler module has no export that can be served. The message lists the accepted exports. */
class NotServable extends Error {
  override readonly name = "NotServable";
}

/** A call whose handler threw anything other than an error of the schema. */
export interface HandlerFailure {
  /** `Pets.GetPet`. */
  readonly method: string;
  /** The stack trace, mapped to the project's own files. */
  readonly fault: string;
}

export interface ServedVersion extends LoadedModules {
  readonly stackMapper: Pick<StackMapper, "stackOf">;
}

export type ReportFailure = (failure: HandlerFailure) => void;

/** The part of `CallLog` (generator/codegen/runtime/v1/hooks.ts) that this server reads. */
interface CompletedCall {
  readonly method: { readonly service: string; readonly name: string } | undefined;
  readonly status: number;
  readonly cause: unknown;
}

interface RunningVersion {
  readonly listener: RequestListener;
  /** Calls in flight, including streams. */
  calls: number;
  isCurrent: boolean;
  /** Releases the resources of the project's code. */
  readonly close: () => void;
}

/**
 * Serves successive versions of a project on one port. A call in flight finishes with the version that accepted it. New calls go to the
 * newest version. Connections stay open across versions.
 */
export class DevServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #guard: LoopbackGuard;
  #current: RunningVersion | undefined;

  private constructor(server: Server, guard: LoopbackGuard) {
    this.#server = server;
    this.#guard = guard;
  }

  /** Listens on loopback only, because unfinished code must not be reachable from the network. Port 0 picks a free port. */
  static async open(port: number, guard: LoopbackGuard = loopbackOnly): Promise<DevServer> {
    const server = createHttpServer();
    const opened = new DevServer(server, guard);
    server.on("request", (req, res) => opened.#serve(req, res));
    await new Promise<void>((done, fail) => {
      server.once("error", fail);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", fail);
        done();
      });
    });
    return opened;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Routes new calls to this version. Throws `NotServable`; the previous version then stays in service. */
  async swap(loaded: ServedVersion, reportFailure: ReportFailure): Promise<void> {
    const onDone = ({ method, status, cause }: CompletedCall): void => {
      // Errors that a handler throws on purpose go to the caller only.
      if (status !== 500 || cause === undefined) return;
      reportFailure({
        method: `${method?.service}.${method?.name}`,
        fault: loaded.stackMapper.stackOf(cause),
      });
    };
    const version: RunningVersion = {
      listener: await listenerOf(loaded, { onDone }),
      calls: 0,
      isCurrent: true,
      close: closeOf(loaded),
    };
    const before = this.#current;
    this.#current = version;
    if (before !== undefined) {
      before.isCurrent = false;
      closeIfIdle(before);
    }
  }

  #serve(...[req, res]: Parameters<RequestListener>): void {
    const fault = loopbackRejection(req.headers, this.#guard);
    if (fault !== undefined) reject(res, fault);
    else if (!handleCors(req, res)) this.#pass(req, res);
  }

  #pass(...[req, res]: Parameters<RequestListener>): void {
    const version = this.#current;
    if (version === undefined) {
      res.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "1" });
      res.end("Nothing can be served yet: see the terminal that ridlkit runs in.\n");
      return;
    }
    version.calls += 1;
    res.once("close", () => {
      version.calls -= 1;
      closeIfIdle(version);
    });
    version.listener(req, res);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeAllConnections();
    await closed;
    const last = this.#current;
    if (last !== undefined) last.isCurrent = false;
    if (last !== undefined) closeIfIdle(last);
  }
}

/** Responds in the format of the errors of a generated server. */
function reject(res: ServerResponse, { header, value }: LoopbackRejection): void {
  const cause =
    header === "Host"
      ? `the header Host names "${value}", not this machine: call http://localhost, or allow the name with --allow-host`
      : `pages of "${value}" may not call this server: serve the page from http://localhost, or allow its origin with --allow-origin`;
  const error = JSON.stringify({
    error: "WebrpcBadRequest",
    code: -4,
    msg: "bad request",
    cause,
    status: 400,
  });
  const length = Buffer.byteLength(error);
  res.writeHead(400, { "Content-Type": "application/json", "Content-Length": length }).end(error);
}

function closeIfIdle(version: RunningVersion): void {
  if (!version.isCurrent && version.calls === 0) version.close();
}

/** The exported `listener`, for projects whose handlers need a framework. Otherwise the server on node:http. */
async function listenerOf(loaded: LoadedModules, options: object): Promise<RequestListener> {
  const { listener } = loaded.own;
  if (typeof listener === "function") return listener as RequestListener;
  return loaded.nodeListener(await serverOf(loaded, options));
}

/** The exported `server`. Otherwise a server for `handlers`, or for the result of `createHandlers()`. */
async function serverOf({ own, createServer }: LoadedModules, options: object): Promise<object> {
  const { server, handlers, createHandlers } = own;
  if (isObject(server) && "openAny" in server) return server;
  if (isObject(handlers)) return createServer(handlers, options);
  if (typeof createHandlers === "function") {
    const created: unknown = await createHandlers();
    if (isObject(created)) return createServer(created, options);
  }
  throw new NotServable(
    'The module exports none of "handlers", "createHandlers" (a function that makes them), "server" (what createServer returns) and "listener" (a request listener of node:http).',
  );
}

/** A module can export `close` to release connections and timers. Called at most once; errors are ignored. */
function closeOf({ own }: LoadedModules): () => void {
  let isClosed = false;
  return () => {
    const { close } = own;
    if (isClosed || typeof close !== "function") return;
    isClosed = true;
    void Promise.resolve()
      .then(() => close())
      .catch(() => {});
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
