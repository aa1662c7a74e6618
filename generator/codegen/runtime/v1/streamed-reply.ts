/** Responses that outlast their head: streams and files. Each reports once how it ended. */
import { addRecordedItem, type Delivery } from "./call-report.ts";
import type { Caller } from "./caller.ts";
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import { fileReply, type Reply, streamReply } from "./errors-wire.ts";
import { isFileReply, OutgoingFile } from "./outgoing-file.ts";
import { OutgoingStream } from "./outgoing-stream.ts";

/** A call whose response is a stream or a file. */
export interface StreamedCall<Carrier> {
  readonly core: Core<Carrier>;
  readonly caller: Pick<Caller<Carrier>, "requestId" | "transport">;
  readonly method: Method;
  /** Called once at the end. */
  onEnd(reply: Reply, delivery: Delivery): void;
}

/** Creates the response of a handler that returned an async iterable. */
export function startStreamReply<Carrier>(
  items: unknown,
  { core, caller, method, onEnd }: StreamedCall<Carrier>,
  abort: (reason: DOMException) => void,
): Reply {
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
  const reply = streamReply(stream, caller.requestId);
  core.streams.add(stream);
  caller.transport.whenGone(() => stream.cancel());
  return reply;
}

/** Creates the response of a handler that returned a file. */
export function startFileReply<Carrier>(
  answer: unknown,
  { core, caller, method, onEnd }: StreamedCall<Carrier>,
): Reply {
  if (!isFileReply(answer)) return core.badResponse("the handler did not return a file");
  const file = new OutgoingFile(answer, (failure, isWritable) => {
    const ended = failure === undefined ? reply : core.failMethod(method, failure);
    onEnd({ ...ended, status: reply.status }, { isWritable });
  });
  const reply = fileReply(file, caller.requestId);
  return reply;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
