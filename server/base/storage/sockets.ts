import { Socket } from "node:net";

/** Tracks the sockets of a pool, to destroy those that a silent server never closes: they would keep the process alive. */
export class Sockets {
  readonly #open = new Set<Socket>();

  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    return socket.once("close", () => this.#open.delete(socket));
  };

  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
