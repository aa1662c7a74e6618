/** Watching request bodies while they arrive: hosts bound the memory that bodies hold and the rate at which they come. */
import type { RpcFailure } from "./failure.ts";
import { BodyFault } from "./json.ts";

/** A body that is about to be read. */
export interface ArrivingBody<Carrier = unknown> {
  /** Koa's context, Node's request, or the web's `Request`. */
  readonly carrier: Carrier;
  /** The body is a form whose files are stored on the disk instead of in memory. */
  readonly hasFiles: boolean;
  /** Ends the reading; the call fails with WebrpcBadRequest and this reason, or with this error. Not to be called before the watcher is returned. */
  readonly refuse: (refusal: string | RpcFailure) => void;
}

export interface BodyWatcher {
  arrived(bytes: number): void;
  /** Called once, when the body is complete, refused, or broken off. */
  ended(): void;
}

export type WatchBody<Carrier = unknown> = (body: ArrivingBody<Carrier>) => BodyWatcher;

export type BodyRefusal = BodyFault | RpcFailure;

/** What readers of bodies use of an exchange. */
export interface WatchedCall {
  /** Undefined: the host watches no bodies. */
  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined;
}

export function asRefusal(refusal: string | RpcFailure): BodyRefusal {
  return typeof refusal === "string" ? new BodyFault(refusal) : refusal;
}

/** The chunks of a form, for its receiver. */
export class WatchedChunks implements AsyncIterable<Uint8Array> {
  /** Why the reading ended early. */
  refusal: BodyRefusal | undefined;
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #watcher: BodyWatcher | undefined;
  /** Ends the wait for the next chunk. */
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
      // A sender that has stopped would hold up whoever waits for this.
      chunks.return?.().catch(() => {});
    }
  }

  /** `Promise.race` with one promise for all chunks would keep all of them in memory. */
  #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve({ done: true, value: undefined });
      chunks.next().then(resolve, reject);
    });
  }
}
