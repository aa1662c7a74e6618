/** The responses of methods that return a file. */
import type { StartReply } from "./outgoing-call.ts";
import { isFileReply, OutgoingFile } from "./outgoing-file.ts";
import { type Reply, successReply } from "./reply.ts";

/** Creates the response of a handler that returned a file. */
export const fileReply: StartReply = (returned, call) => {
  if (!isFileReply(returned)) return call.badResponse("the handler did not return a file");
  const file = new OutgoingFile(returned, (failure, isWritable) => {
    const ended = failure === undefined ? reply : call.fail(failure);
    call.onEnd({ ...ended, status: reply.status }, { isWritable, isFile: true });
  });
  const headers = { ...file.headers, "X-Request-Id": call.requestId };
  const reply: Reply = { ...successReply(""), headers, outgoing: file };
  call.whenGone(() => file.cancel());
  return reply;
};
