/** The responses of reads that return a file: whole, in part, or only their head. */
import { partOf, requestedRange, sizeOf } from "./byte-range.ts";
import { fileReply } from "./file-reply.ts";
import type { OutgoingCall, StartReply } from "./outgoing-call.ts";
import { type FileReply, isFileReply, OutgoingFile } from "./outgoing-file.ts";
import type { FileReadCall } from "./read-exchange.ts";
import { type Reply, successReply } from "./reply.ts";

/** Creates the response of a handler that returned a file. A call by POST gets the whole file. */
export const fileReadReply: StartReply = (returned, call) => {
  if (!isReadCall(call) || !isFileReply(returned)) return fileReply(returned, call);
  const { conditions } = call;
  const size = sizeOf(returned);
  const accepted = size === undefined ? undefined : { "Accept-Ranges": "bytes" };
  if (conditions.isMet() || conditions.httpMethod === "HEAD") return headOf(returned, call, accepted);
  const range = size === undefined ? undefined : requestedRange(conditions.range, size);
  if (size === undefined || range === undefined) return withHeaders(fileReply(returned, call), accepted);
  if (range === "unsatisfiable") {
    discard(returned);
    return call.unsatisfiable(size);
  }
  const reply = fileReply(partOf(returned, range), {
    ...call,
    onEnd: (ended, delivery) => call.onEnd({ ...ended, status: 206 }, delivery),
  });
  const placed = { ...accepted, "Content-Range": `bytes ${range.start}-${range.end}/${size}` };
  return { ...withHeaders(reply, placed), status: 206 };
};

function isReadCall(call: OutgoingCall): call is FileReadCall {
  return "conditions" in call;
}

function withHeaders(reply: Reply, headers: Reply["headers"]): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function headOf(file: FileReply, { requestId }: FileReadCall, headers: Reply["headers"]): Reply {
  const all = { ...discard(file), "X-Request-Id": requestId, ...headers };
  return { ...successReply(""), headers: all };
}

/** Closes a file that is not sent. Returns its headers. */
function discard(file: FileReply): Readonly<Record<string, string>> {
  const unsent = new OutgoingFile(file, () => {});
  unsent.cancel();
  return unsent.headers;
}
