import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressForLimits, callerAddress, peerAddress, type TrustedProxies } from "./caller-address.ts";

export interface CallerConnectionsOptions {
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
