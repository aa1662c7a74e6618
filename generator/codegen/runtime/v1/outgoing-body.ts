/** A response body that is sent in parts: a stream or a file. The interface between adapters and both of them. */
import type { Delivery } from "./call-report.ts";
import type { Caller } from "./caller.ts";
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import type { Reply } from "./reply.ts";

/** Where the parts are written: the connection to the caller. */
export interface Sink {
  /** Writes bytes, or text as UTF-8. Returns false if the buffer is full; the adapter calls `resume` once it has room. */
  write(part: string | Uint8Array): boolean;
  end(): void;
  /** Cuts the connection, so that the caller notices that the response is incomplete. */
  destroy(): void;
}

/** A body that is sent in parts, as adapters control it. */
export interface OutgoingBody {
  /** Starts sending, after the head of the response. */
  open(sink: Sink): void;
  /** The sink has room again. */
  resume(): void;
  /** The caller has disconnected. */
  cancel(): void;
}

/** A body that a stopping server ends early. */
export interface Drainable {
  /** Ends the body with WebrpcStreamLost. */
  endAsLost(cause: string): void;
  /** Settles when the handler has finished, which may be after the caller has disconnected. */
  readonly handlerDone: Promise<unknown>;
}

/** A call whose response is sent in parts. */
export interface OutgoingCall {
  readonly core: OutgoingCore;
  readonly caller: Pick<Caller<unknown>, "requestId" | "transport">;
  readonly method: Method;
  /** Aborts the handler's signal. */
  abort(reason: DOMException): void;
  /** Called once, when the body ends. */
  onEnd(reply: Reply, delivery: Delivery): void;
}

type OutgoingCore = Pick<
  Core<never>,
  | "badResponse"
  | "encode"
  | "failMethod"
  | "isDraining"
  | "isRecording"
  | "streamLimits"
  | "streamLost"
  | "streams"
>;

/** Creates the response to a call from the value that its handler returned. */
export type StartReply = (returned: unknown, call: OutgoingCall) => Reply;
