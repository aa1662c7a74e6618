/** Reports finished calls to the log and to a recorder. */
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import { builtinCode, type Reply } from "./reply.ts";

/** A call whose response is known. */
export interface FinishedCall<Carrier> {
  readonly requestId: string;
  readonly method: Method | undefined;
  readonly path: string;
  readonly carrier: Carrier;
  readonly startedAt: number;
  /** The request body, kept for a recorder. */
  readonly requestText: string | undefined;
}

/** How a response was delivered. */
export interface Delivery {
  /** False if the caller had disconnected. */
  readonly isWritable: boolean;
  /** The recorded items of a stream. */
  readonly items?: readonly string[];
  readonly isFile?: boolean;
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
    carrier: call.carrier,
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

/** Limits of the items recorded per stream. The first items show what the others look like. */
const recordedItemLimits = { items: 20, characters: 100_000 };

/** Records an item of a stream while the limits allow it. */
export function addRecordedItem(items: string[], item: string): void {
  const characters = items.reduce((sum, { length }) => sum + length, item.length);
  if (items.length < recordedItemLimits.items && characters <= recordedItemLimits.characters)
    items.push(item);
}
