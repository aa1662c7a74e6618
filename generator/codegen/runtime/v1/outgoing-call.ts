/** The interface between a call and the code that sends its response in parts. */
import type { Drainable } from "./outgoing-body.ts";
import type { Reply } from "./reply.ts";
import type { StreamLimits } from "./stream-server-limits.ts";

/** Creates the response to a call from the value that its handler returned. */
export type StartReply = (returned: unknown, call: OutgoingCall) => Reply;

/** A call whose response is sent in parts. */
export interface OutgoingCall {
  readonly requestId: string;
  readonly streamLimits: StreamLimits;
  readonly isRecording: boolean;
  /** The server is stopping. */
  readonly isDraining: boolean;
  /** Bodies that are still being sent, for `drain`. */
  readonly open: Set<Drainable>;
  /** Calls back once if the caller disconnects. */
  whenGone(callback: () => void): void;
  /** Serializes a value of the response type. Returns an error response if the value is invalid. */
  encode(value: unknown): Reply;
  /** Converts what the handler threw, or returned as an error, to an error response. */
  fail(thrown: unknown): Reply;
  /** Creates WebrpcBadResponse. */
  badResponse(cause: string): Reply;
  /** Creates WebrpcStreamLost. */
  lost(cause: string): Reply;
  /** Aborts the handler's signal. */
  abort(reason: DOMException): void;
  /** Called once, when the body ends. */
  onEnd(reply: Reply, delivery: Delivery): void;
}

/** How a response was delivered. */
export interface Delivery {
  /** False if the caller had disconnected. */
  readonly isWritable: boolean;
  /** The recorded items of a stream. */
  readonly items?: readonly string[];
  readonly isFile?: boolean;
}
