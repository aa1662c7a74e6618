/** The responses of methods that stream. */
import { addRecordedItem } from "./call-report.ts";
import type { StartReply } from "./outgoing-body.ts";
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
export const streamReply: StartReply = (items, { core, caller, method, abort, onEnd }) => {
  if (!isAsyncIterable(items))
    return core.badResponse("the handler of a stream did not return an async iterable");
  if (core.isDraining) return core.streamLost("the server is stopping");
  const recorded: string[] = [];
  const stream: OutgoingStream = new OutgoingStream(items, {
    limits: core.streamLimits,
    encode: (item) => {
      const reply = core.encode(item, method);
      if (core.isRecording && reply.error === undefined) addRecordedItem(recorded, reply.body);
      return reply;
    },
    fail: (thrown) => core.failMethod(method, thrown),
    lost: (cause) => core.streamLost(cause),
    abort,
    onEnd: (failure, isWritable) => {
      core.streams.delete(stream);
      onEnd({ ...(failure ?? reply), status: reply.status }, { isWritable, items: recorded });
    },
  });
  const headers = { ...streamHeaders, "X-Request-Id": caller.requestId };
  const reply: Reply = { ...successReply(""), headers, outgoing: stream };
  core.streams.add(stream);
  caller.transport.whenGone(() => stream.cancel());
  return reply;
};

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
