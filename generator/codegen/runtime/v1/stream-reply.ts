/** The responses of methods that stream. */
import type { StartReply } from "./outgoing-call.ts";
import { OutgoingStream } from "./outgoing-stream.ts";
import { type Reply, successReply } from "./reply.ts";

/** `X-Accel-Buffering` tells nginx and compatible proxies not to buffer. */
const streamHeaders = {
  "Content-Type": "application/x-ndjson",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Accel-Buffering": "no",
};

/** Creates the response of a handler that returned an async iterable. */
export const streamReply: StartReply = (items, call) => {
  if (!isAsyncIterable(items))
    return call.badResponse("the handler of a stream did not return an async iterable");
  if (call.isDraining) return call.lost("the server is stopping");
  const recorded: string[] = [];
  const stream: OutgoingStream = new OutgoingStream(items, {
    limits: call.streamLimits,
    encode: (item) => {
      const reply = call.encode(item);
      if (call.isRecording && reply.error === undefined) addRecordedItem(recorded, reply.body);
      return reply;
    },
    fail: (thrown) => call.fail(thrown),
    lost: (cause) => call.lost(cause),
    abort: (reason) => call.abort(reason),
    onEnd: (failure, isWritable) => {
      call.open.delete(stream);
      call.onEnd({ ...(failure ?? reply), status: reply.status }, { isWritable, items: recorded });
    },
  });
  const headers = { ...streamHeaders, "X-Request-Id": call.requestId };
  const reply: Reply = { ...successReply(""), headers, outgoing: stream };
  call.open.add(stream);
  call.whenGone(() => stream.cancel());
  return reply;
};

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Limits of the items recorded per stream. The first items show what the others look like. */
const recordedItemLimits = { items: 20, characters: 100_000 };

/** Records an item of a stream while the limits allow it. */
function addRecordedItem(items: string[], item: string): void {
  const characters = items.reduce((sum, { length }) => sum + length, item.length);
  if (items.length < recordedItemLimits.items && characters <= recordedItemLimits.characters)
    items.push(item);
}
