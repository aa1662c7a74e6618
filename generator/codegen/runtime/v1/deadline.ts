/** The time that a handler has. */
import type { Reply } from "./errors-wire.ts";

/** Takes the answer to a call. */
export type Send = (reply: Reply) => void;

/** Sends what comes in time. Past the deadline it sends the answer of `expire` instead, and drops what comes then. */
export function sendBefore(ms: number, send: Send, expire: () => Reply): Send {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    send(expire());
  }, ms);
  return (reply) => {
    clearTimeout(timer);
    if (!isOver) {
      send(reply);
      return;
    }
    reply.stream?.cancel();
    reply.file?.cancel();
  };
}
