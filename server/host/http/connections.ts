import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { addressForLimits, callerAddress, peerAddress, type TrustedProxies } from "./caller-address.ts";

interface State {
  /** Responses that are still to be sent. Pipelining allows several. */
  pendingResponses: number;
  currentExchange: Exchange | undefined;
  /** While draining: consecutive ticks without a pending response. */
  idleTicks: number;
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** While draining: interval between checks of all connections, in milliseconds. */
const tickMs = 10;
/**
 * A connection that was idle for this many ticks is unlikely to deliver a call just as it is closed. Counted in ticks, not in
 * milliseconds, because a busy thread notices new data late.
 */
const idleTicksMin = 50;
/** Longest wait for a tick without new connections, in ticks. */
const acceptTicksMax = 50;

/** Tracks open connections and their pending responses, so that a stopping host knows when it may close each of them. */
export class Connections {
  readonly #states = new Map<Socket, State>();
  #isDraining = false;
  #openedCount = 0;

  get count(): number {
    return this.#states.size;
  }

  add(socket: Socket): void {
    this.#states.set(socket, { pendingResponses: 0, currentExchange: undefined, idleTicks: 0 });
    this.#openedCount++;
    socket.once("close", () => this.#states.delete(socket));
  }

  /** Registers a request, and returns the callback for the end of its response. */
  requestStarted(req: IncomingMessage, res: ServerResponse): () => void {
    const state = this.#states.get(req.socket);
    if (this.#isDraining) res.shouldKeepAlive = false;
    if (state === undefined) return () => {};
    state.pendingResponses++;
    state.currentExchange = { req, res };
    return () => {
      state.pendingResponses--;
      if (state.pendingResponses === 0 && req.complete) state.currentExchange = undefined;
      state.idleTicks = 0;
    };
  }

  /** The newest exchange of a connection, unless its response has been sent and its body has arrived. */
  current(socket: Socket): Exchange | undefined {
    const state = this.#states.get(socket);
    return state?.pendingResponses === 0 && state.currentExchange?.req.complete === true
      ? undefined
      : state?.currentExchange;
  }

  /**
   * Stops listening and lets all calls in flight finish. Each connection closes after its next response, or once it is idle.
   * Connections that are still open after `timeMs` are cut off; returns how many of them had a pending response.
   */
  async drain(http: Server, timeMs: number): Promise<number> {
    const deadline = performance.now() + timeMs;
    await this.#acceptAll();
    // Not `http.close()`: it closes idle connections immediately, and one of them may be delivering a call.
    NetServer.prototype.close.call(http);
    this.#isDraining = true;
    for (const { currentExchange } of this.#states.values()) {
      if (currentExchange !== undefined && !currentExchange.res.headersSent)
        currentExchange.res.shouldKeepAlive = false;
    }
    while (this.#states.size > 0 && performance.now() < deadline) {
      this.#closeIdle();
      if (this.#states.size > 0) await sleep(tickMs);
    }
    const cut = [...this.#states.values()].filter(({ pendingResponses }) => pendingResponses > 0).length;
    http.closeAllConnections();
    return cut;
  }

  /**
   * The kernel may hold connections that Node has not accepted yet. Closing now would reset them together with their requests, so
   * this waits for a tick without new ones.
   */
  async #acceptAll(): Promise<void> {
    for (let tick = 0, seen = -1; tick < acceptTicksMax && seen !== this.#openedCount; tick++) {
      seen = this.#openedCount;
      await sleep(tickMs);
    }
  }

  #closeIdle(): void {
    for (const [socket, state] of this.#states) {
      if (state.pendingResponses > 0) state.idleTicks = 0;
      else if (++state.idleTicks > idleTicksMin) socket.destroy();
    }
  }
}

interface CallerConnectionsOptions {
  readonly max: number;
  readonly isTrusted: TrustedProxies;
}

/**
 * Counts the connections of each caller address. The connections of a trusted proxy carry requests of many callers: there each
 * request counts for its caller until its response ends, and the connection itself does not count.
 */
export class CallerConnections {
  readonly #options: CallerConnectionsOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: CallerConnectionsOptions) {
    this.#options = options;
  }

  admitsSocket(socket: Socket): boolean {
    const address = peerAddress(socket);
    return this.#options.isTrusted(address) || this.#admits(addressForLimits(address), socket);
  }

  admitsRequest(req: IncomingMessage, res: ServerResponse): boolean {
    const { isTrusted } = this.#options;
    if (!isTrusted(peerAddress(req.socket))) return true;
    return this.#admits(addressForLimits(callerAddress(req, isTrusted)), res);
  }

  #admits(address: string, held: Socket | ServerResponse): boolean {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#options.max) return false;
    this.#counts.set(address, count + 1);
    held.once("close", () => this.#release(address));
    return true;
  }

  #release(address: string): void {
    const count = (this.#counts.get(address) ?? 0) - 1;
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }
}
