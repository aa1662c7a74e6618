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

/** A call whose request body the host may watch. */
export interface WatchedCall {
  /** Returns undefined if the host watches no bodies. */
  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined;
}

export function asRefusal(refusal: string | RpcFailure): BodyRefusal {
  return typeof refusal === "string" ? new BodyFault(refusal) : refusal;
}
