import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface State {
  /** Answers that are owed. With pipelining there may be several. */
  owed: number;
  current: Pair | undefined;
  idleSince: number;
}

interface Pair {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** A connection that was quiet this long while the host stops is unlikely to bring a call in the moment that it is closed. */
const quietMs = 500;

/** Open connections and the answers owed on each: who may be cut off, and when. */
export class Connections {
  readonly #states = new Map<Socket, State>();
  #isDraining = false;

  get count(): number {
    return this.#states.size;
  }

  opened(socket: Socket): void {
    this.#states.set(socket, { owed: 0, current: undefined, idleSince: performance.now() });
    socket.once("close", () => this.#states.delete(socket));
  }

  /** A request came; answers what must be done once its answer is out. */
  began(req: IncomingMessage, res: ServerResponse): () => void {
    const state = this.#states.get(req.socket);
    if (this.#isDraining) res.shouldKeepAlive = false;
    if (state === undefined) return () => {};
    state.owed++;
    state.current = { req, res };
    return () => {
      state.owed--;
      if (state.owed === 0) state.current = undefined;
      state.idleSince = performance.now();
    };
  }

  /** The newest request of a connection that is not answered yet. */
  current(socket: Socket): Pair | undefined {
    return this.#states.get(socket)?.current;
  }

  /**
   * Stops listening, lets every call under way be answered, and ends each connection with its next answer or once it is quiet.
   * What is left at `timeMs` is cut off; answers how many connections that were, with an answer owed.
   */
  async drain(http: Server, timeMs: number): Promise<number> {
    const deadline = performance.now() + timeMs;
    // Not the method of the HTTP server: it drops idle connections at once, one of which may be bringing a call.
    NetServer.prototype.close.call(http);
    this.#isDraining = true;
    for (const { current } of this.#states.values()) {
      if (current !== undefined && !current.res.headersSent) current.res.shouldKeepAlive = false;
    }
    while (this.#states.size > 0 && performance.now() < deadline) {
      this.#closeQuiet();
      if (this.#states.size > 0) await sleep(10);
    }
    const cut = [...this.#states.values()].filter(({ owed }) => owed > 0).length;
    http.closeAllConnections();
    return cut;
  }

  #closeQuiet(): void {
    const before = performance.now() - quietMs;
    for (const [socket, { owed, idleSince }] of this.#states) {
      if (owed === 0 && idleSince < before) socket.destroy();
    }
  }
}
