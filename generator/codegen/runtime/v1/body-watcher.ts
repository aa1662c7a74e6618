/** Watches request bodies while they arrive, so that a host can limit their total memory and reject slow senders. */
import type { RpcFailure } from "./failure.ts";
import { BodyFault } from "./json.ts";

/** A request body that is about to be read. */
export interface ArrivingBody<Carrier = unknown> {
  /** What the adapter received: Koa's context, Node's `IncomingMessage`, or a Fetch API `Request`. */
  readonly carrier: Carrier;
  /** The body is a form, and its files are stored on disk instead of in memory. */
  readonly hasFiles: boolean;
  /**
   * Stops reading. The call fails with this error, or with WebrpcBadRequest and this reason. Do not call it before the
   * watcher is returned.
   */
  readonly refuse: (refusal: string | RpcFailure) => void;
}

/** Counts the bytes of one request body. */
export interface BodyWatcher {
  arrived(bytes: number): void;
  /** Called once, when the body is complete, rejected, or cut off. */
  ended(): void;
}

/** Creates the watcher of a request body. */
export type WatchBody<Carrier = unknown> = (body: ArrivingBody<Carrier>) => BodyWatcher;

/** Why a body was rejected. */
export type BodyRefusal = BodyFault | RpcFailure;

/** The part of an exchange that readers of bodies use. */
export interface WatchedCall {
  /** Returns undefined if the host watches no bodies. */
  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined;
}

export function asRefusal(refusal: string | RpcFailure): BodyRefusal {
  return typeof refusal === "string" ? new BodyFault(refusal) : refusal;
}

/** The chunks of a form, reported to the watcher as its receiver reads them. */
export class WatchedChunks implements AsyncIterable<Uint8Array> {
  /** Why reading stopped early. */
  refusal: BodyRefusal | undefined;
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #watcher: BodyWatcher | undefined;
  /** Stops waiting for the next chunk. */
  #stopWaiting = (): void => {};

  constructor(chunks: AsyncIterable<Uint8Array>, call: WatchedCall) {
    this.#chunks = chunks;
    this.#watcher = call.watchBody((refusal) => {
      this.refusal = refusal;
      this.#stopWaiting();
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#chunks[Symbol.asyncIterator]();
    try {
      while (this.refusal === undefined) {
        const { done, value } = await this.#next(chunks);
        if (done === true) return;
        this.#watcher?.arrived(value.byteLength);
        yield value;
      }
    } finally {
      this.#watcher?.ended();
      // Not awaited: a stalled sender would block the reader of this form.
      chunks.return?.().catch(() => {});
    }
  }

  /** Creates one promise per chunk. A single promise in `Promise.race` would keep all chunks in memory. */
  #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve({ done: true, value: undefined });
      chunks.next().then(resolve, reject);
    });
  }
}
