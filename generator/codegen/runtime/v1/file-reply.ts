/** The responses of methods that return a file. */
import type { StartReply } from "./outgoing-body.ts";
import { isFileReply, OutgoingFile } from "./outgoing-file.ts";
import { type Reply, successReply } from "./reply.ts";

/** Creates the response of a handler that returned a file. */
export const fileReply: StartReply = (returned, { core, caller, method, onEnd }) => {
  if (!isFileReply(returned)) return core.badResponse("the handler did not return a file");
  const file = new OutgoingFile(returned, (failure, isWritable) => {
    const ended = failure === undefined ? reply : core.failMethod(method, failure);
    onEnd({ ...ended, status: reply.status }, { isWritable, isFile: true });
  });
  const headers = { ...file.headers, "X-Request-Id": caller.requestId };
  const reply: Reply = { ...successReply(""), headers, outgoing: file };
  caller.transport.whenGone(() => file.cancel());
  return reply;
};
