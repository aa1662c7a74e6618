/** Enforces the deadline of a handler. */
import type { Reply } from "./reply.ts";

/** Sends the response to a call. */
export type Send = (reply: Reply) => void;

/**
 * Returns a function that sends the first response within `ms`. After the deadline it sends the response of `expire`
 * and discards later ones.
 */
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
    reply.outgoing?.cancel();
  };
}
