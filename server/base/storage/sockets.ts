import { Socket } from "node:net";

/** The sockets of a database: one that nobody answers on is not closed by a good-bye, and would keep the process alive. */
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
