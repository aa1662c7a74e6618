/** What the log and a recorder are told of a call that has ended. */
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import { builtinCode, type Reply } from "./errors-wire.ts";

/** A call, once there is an answer. */
export interface FinishedCall<Carrier> {
  readonly requestId: string;
  readonly method: Method | undefined;
  readonly path: string;
  readonly carrier: Carrier;
  readonly startedAt: number;
  /** For a recorder. */
  readonly requestText: string | undefined;
}

/** How an answer left. */
export interface Delivery {
  /** False: the caller was gone. */
  readonly isWritable: boolean;
  /** Of a stream, as many as are recorded. */
  readonly items?: readonly string[];
}

export function reportCall<Carrier>(
  core: Core<Carrier>,
  call: FinishedCall<Carrier>,
  reply: Reply,
  { isWritable, items }: Delivery,
): void {
  if (core.isLogging) log(core, call, reply, isWritable);
  // What nobody was there to get is no answer; of a stream they had their part.
  if (core.isRecording && (isWritable || items !== undefined)) record(core, call, reply, items);
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
  { status, error, body, file }: Reply,
  items: readonly string[] | undefined,
): void {
  if (method === undefined) return;
  core.record({
    method: method.info,
    status,
    error,
    request: requestText,
    answer: body,
    items,
    isFile: file !== undefined,
    durationMs: performance.now() - startedAt,
  });
}

/** Items that are kept for a recorder, and their characters: what comes first tells what the others are like. */
const recordedItemLimits = { items: 20, characters: 100_000 };

/** Keeps an item for a recorder if there is room. */
export function addRecordedItem(items: string[], item: string): void {
  const characters = items.reduce((sum, { length }) => sum + length, item.length);
  if (items.length < recordedItemLimits.items && characters <= recordedItemLimits.characters)
    items.push(item);
}
