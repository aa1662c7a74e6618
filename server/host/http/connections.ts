import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface State {
  /** Answers that are owed. With pipelining there may be several. */
  pendingResponses: number;
  currentExchange: Exchange | undefined;
  /** Turns of the stop's clock in which nothing was owed. */
  idleTicks: number;
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** One turn of the stop's clock, in milliseconds. */
const turnMs = 10;
/**
 * A connection that was quiet for this many turns is unlikely to bring a call in the moment that it is closed. Turns and not time:
 * while the thread is busy, what has arrived is not seen.
 */
const quietTurnsMin = 50;
/** Most turns in which new connections are waited for. */
const acceptTurnsMax = 50;

/** Open connections and the answers owed on each: who may be cut off, and when. */
export class Connections {
  readonly #states = new Map<Socket, State>();
  #isDraining = false;
  #opened = 0;

  get count(): number {
    return this.#states.size;
  }

  add(socket: Socket): void {
    this.#states.set(socket, { pendingResponses: 0, currentExchange: undefined, idleTicks: 0 });
    this.#opened++;
    socket.once("close", () => this.#states.delete(socket));
  }

  /** A request came; answers what must be done once its answer is out. */
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

  /** The newest request of a connection that is not answered yet, or of which the body is still to come though it is. */
  current(socket: Socket): Exchange | undefined {
    const state = this.#states.get(socket);
    return state?.pendingResponses === 0 && state.currentExchange?.req.complete === true
      ? undefined
      : state?.currentExchange;
  }

  /**
   * Stops listening, lets every call under way be answered, and ends each connection with its next answer or once it is quiet.
   * What is left at `timeMs` is cut off; answers how many connections that were, with an answer owed.
   */
  async drain(http: Server, timeMs: number): Promise<number> {
    const deadline = performance.now() + timeMs;
    await this.#acceptAll();
    // Not the method of the HTTP server: it drops idle connections at once, one of which may be bringing a call.
    NetServer.prototype.close.call(http);
    this.#isDraining = true;
    for (const { currentExchange } of this.#states.values()) {
      if (currentExchange !== undefined && !currentExchange.res.headersSent)
        currentExchange.res.shouldKeepAlive = false;
    }
    while (this.#states.size > 0 && performance.now() < deadline) {
      this.#closeQuiet();
      if (this.#states.size > 0) await sleep(turnMs);
    }
    const cut = [...this.#states.values()].filter(({ pendingResponses }) => pendingResponses > 0).length;
    http.closeAllConnections();
    return cut;
  }

  /** The system has connections that we have not seen yet, and would reset them with what they brought: a turn without any is the time to close. */
  async #acceptAll(): Promise<void> {
    for (let turn = 0, seen = -1; turn < acceptTurnsMax && seen !== this.#opened; turn++) {
      seen = this.#opened;
      await sleep(turnMs);
    }
  }

  #closeQuiet(): void {
    for (const [socket, state] of this.#states) {
      if (state.pendingResponses > 0) state.idleTicks = 0;
      else if (++state.idleTicks > quietTurnsMin) socket.destroy();
    }
  }
}
