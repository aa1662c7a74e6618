/** Reports finished calls to the log and to a recorder. */
import type { Transport } from "./caller.ts";
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import type { Delivery } from "./outgoing-call.ts";
import { builtinCode, type Reply } from "./reply.ts";

/** A call whose response is known. */
export interface FinishedCall<Carrier> {
  readonly requestId: string;
  readonly method: Method | undefined;
  readonly path: string;
  readonly transport: Transport<Carrier>;
  readonly startedAt: number;
  /** The request body, kept for a recorder. */
  readonly requestText: string | undefined;
}

/** Reports a finished call to the log and the recorder, if the server has them. */
export function reportCall<Carrier>(
  core: Core<Carrier>,
  call: FinishedCall<Carrier>,
  reply: Reply,
  { isWritable, items, isFile = false }: Delivery,
): void {
  if (core.isLogging) log(core, call, reply, isWritable);
  // A response that was not received is not recorded. Callers of a stream have received some of its items.
  if (core.isRecording && (isWritable || items !== undefined)) record(core, call, reply, items, isFile);
}

function log<Carrier>(
  core: Core<Carrier>,
  call: FinishedCall<Carrier>,
  reply: Reply,
  isWritable: boolean,
): void {
  const { status, error, cause } = isWritable
    ? reply
    : core.builtin(builtinCode.clientGone, { cause: reply.cause });
  core.log({
    requestId: call.requestId,
    method: call.method?.info,
    path: call.path,
    carrier: call.transport.carrier,
    client: /^.{1,200}$/.exec(call.transport.header("webrpc") ?? "")?.[0],
    status,
    error,
    cause,
    durationMs: performance.now() - call.startedAt,
  });
}

function record<Carrier>(
  core: Core<Carrier>,
  { method, requestText, startedAt }: FinishedCall<Carrier>,
  { status, error, body }: Reply,
  items: readonly string[] | undefined,
  isFile: boolean,
): void {
  if (method === undefined) return;
  core.record({
    method: method.info,
    status,
    error,
    request: requestText,
    answer: body,
    items,
    isFile,
    durationMs: performance.now() - startedAt,
  });
}
