import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { routeVerbs } from "../../language/syntax/route-verbs.ts";
import type { LoadedModules, StackMapper } from "./bundle.ts";
import { type ExplorerContract, ExplorerSite } from "./explorer-site.ts";
import {
  handleCors,
  type LoopbackGuard,
  type LoopbackRejection,
  loopbackOnly,
  loopbackRejection,
} from "./loopback.ts";
import { type Problem, ProblemFeed } from "./problem-feed.ts";

/** The entry module has none of the expected exports. */
class NotServable extends Error {
  override readonly name = "NotServable";
}

/** A handler threw something that is not an error of the schema. */
export interface HandlerFailure {
  /** `Pets.GetPet`. */
  readonly method: string;
  /** The error with its stack, mapped to the project's files. */
  readonly error: string;
}

/** A loaded version of a project. */
export interface ServedVersion extends LoadedModules {
  readonly stackMapper: Pick<StackMapper, "stackOf">;
  /** The contract that the explorer shows. Undefined: there is no explorer. */
  readonly contract?: ExplorerContract | undefined;
}

/** `isCurrent`: the handler belongs to the newest version. */
export type ReportFailure = (failure: HandlerFailure, isCurrent: boolean) => void;

/** A subset of `CallLog` in generator/runtime/src/options.ts. */
interface CompletedCall {
  readonly method: { readonly service: string; readonly name: string } | undefined;
  readonly status: number;
  readonly error?: { readonly name: string } | undefined;
  readonly cause: unknown;
}

interface RunningVersion {
  readonly listener: RequestListener;
  readonly explorer: ExplorerSite | undefined;
  /** Number of calls in flight, including streams. */
  calls: number;
  isCurrent: boolean;
  /** Frees resources of the project's code. */
  readonly close: () => void;
}

/**
 * An HTTP server that swaps versions of a project. A call stays with the version that accepted it; new calls go to the newest version.
 * Connections stay open across swaps.
 */
export class DevServer implements AsyncDisposable {
  readonly #server = createHttpServer((req, res) => this.#serve(req, res));
  readonly #port: number;
  readonly #lastPort: number;
  readonly #guard: LoopbackGuard;
  readonly #problems = new ProblemFeed();
  #current: RunningVersion | undefined;

  /** Takes the first port from `port` to `lastPort` that is not in use. Port 0 selects a free port. */
  constructor(port: number, guard: LoopbackGuard = loopbackOnly, lastPort: number = port) {
    this.#port = port;
    this.#lastPort = lastPort;
    this.#guard = guard;
  }

  /**
   * Listens on loopback only, because code under development must not be reachable from outside. Does nothing if the server listens. Throws the
   * system's error if the port cannot be opened.
   */
  async listen(): Promise<void> {
    if (this.#server.listening) return;
    for (let port = this.#port; !(await this.#listenOn(port)); port++);
  }

  /** Returns false if the port is in use and the next one may be tried. */
  #listenOn(port: number): Promise<boolean> {
    const server = this.#server;
    return new Promise((done, fail) => {
      const onError = (err: NodeJS.ErrnoException): void =>
        port < this.#lastPort && err.code === "EADDRINUSE" ? done(false) : fail(err);
      server.once("error", onError);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", onError);
        done(true);
      });
    });
  }

  /** The first port, if it was in use and the server listens on a later one. */
  get busyPort(): number | undefined {
    return this.#port === 0 || this.#port === this.#boundPort ? undefined : this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#boundPort}`;
  }

  get #boundPort(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Shows a problem on open pages of the explorer, and to callers before the first version. */
  report(problem: Problem): void {
    this.#problems.report(problem);
  }

  /** Shows on open pages of the explorer what a handler has thrown. */
  notify(problem: Problem): void {
    this.#problems.notify(problem);
  }

  /** The address of the explorer. Undefined if none is served. */
  get explorerUrl(): string | undefined {
    const path = this.#current?.explorer?.path;
    return path === undefined ? undefined : `${this.url}${path}`;
  }

  /**
   * Sends new calls to this version, and listens, so that the first caller meets a version. If it throws NotServable, the previous version
   * keeps serving. Throws the system's error if the port cannot be opened.
   */
  async swap(loaded: ServedVersion, reportFailure: ReportFailure): Promise<void> {
    const onResponse = ({ method, status, error, cause }: CompletedCall): void => {
      // Errors of the schema are expected; only the caller needs them.
      if (status !== 500 || cause === undefined) return;
      const reason = loaded.stackMapper.stackOf(cause);
      reportFailure(
        {
          method: `${method?.service}.${method?.name}`,
          error:
            error?.name === "WebrpcBadResponse"
              ? `The response does not match the schema: ${reason}`
              : reason,
        },
        version.isCurrent,
      );
    };
    const version: RunningVersion = {
      listener: await listenerOf(loaded, { onResponse, checkResponses: true }),
      explorer: loaded.contract && new ExplorerSite(loaded.contract, { ownsRoot: !hasListener(loaded) }),
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
    await this.listen();
    this.#problems.report(undefined);
  }

  #serve(...[req, res]: Parameters<RequestListener>): void {
    const fault = loopbackRejection(req.headers, this.#guard);
    if (fault !== undefined) reject(res, fault);
    else if (!handleCors(req, res, routeVerbs.join(", "))) this.#pass(req, res);
  }

  #pass(...[req, res]: Parameters<RequestListener>): void {
    const version = this.#current;
    if (version === undefined) {
      const { title, text } = (isFromHere(req) ? this.#problems.problem : undefined) ?? nothingServed;
      // A browser asks again until the first version is served.
      const headers = { "Retry-After": "1", Refresh: "1" };
      res
        .writeHead(503, { "Content-Type": "text/plain; charset=utf-8", ...headers })
        .end(`${title}\n\n${text}\n`);
      return;
    }
    if (req.method === "GET" && req.url === version.explorer?.problemsPath && isFromHere(req)) {
      this.#problems.open(res);
      return;
    }
    if (version.explorer?.serve(req, res) === true) return;
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

/** Problems contain paths and source lines: they are for pages of this server on this machine, not for `--allow-host` and its like. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { host, origin } = headers;
  return (
    loopbackRejection(headers, loopbackOnly) === undefined &&
    (origin === undefined || origin === `http://${host}`)
  );
}

const nothingServed: Pick<Problem, "title" | "text"> = {
  title: "Nothing is served yet.",
  text: "See the terminal that runs ridlkit.",
};

/** Rejects a request with the error format of generated servers. */
function reject(res: ServerResponse, { header, value }: LoopbackRejection): void {
  const cause =
    header === "Host"
      ? `the Host header "${value}" is not this machine: call http://localhost, or allow the name with --allow-host`
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

/** Uses the exported `listener`, for projects whose handlers need a framework, or else serves through node:http. */
async function listenerOf(loaded: LoadedModules, options: object): Promise<RequestListener> {
  if (hasListener(loaded)) return loaded.own["listener"] as RequestListener;
  return loaded.nodeListener(await serverOf(loaded, options));
}

function hasListener({ own }: LoadedModules): boolean {
  return typeof own["listener"] === "function";
}

/** Uses the exported `server`, or creates one from `handlers` or `createHandlers()`. */
async function serverOf(loaded: LoadedModules, given: object): Promise<object> {
  const { own, createServer } = loaded;
  const { server, handlers, createHandlers } = own;
  const options = { ...given, ...keyOptions(loaded) };
  if (isObject(server) && "openAny" in server) return server;
  if (isObject(handlers)) return createServer(handlers, options);
  if (typeof createHandlers === "function") {
    const created: unknown = await createHandlers();
    if (isObject(created)) return createServer(created, options);
  }
  throw new NotServable(
    'The entry module must export "handlers", "createHandlers" (a function that returns handlers), "server" (the result of createServer) or "listener" (a request listener for node:http).',
  );
}

/** Keeps idempotency keys in memory. All callers share them, because nothing is known about callers. */
function keyOptions({ memoryIdempotencyStore }: Pick<LoadedModules, "memoryIdempotencyStore">): object {
  return memoryIdempotencyStore === undefined
    ? {}
    : { idempotency: { store: memoryIdempotencyStore(), scope: () => "" } };
}

/** Calls the exported `close` once. A version may hold connections and timers, which `close` frees. */
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
