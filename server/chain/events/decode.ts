/** The arguments of an event in a log, as hex. */
import type { Hex } from "../rpc/chain.ts";
import type { ContractEvent } from "./contract-event.ts";
import { type EncodeSeparately, isDynamic, isElementary } from "./types.ts";

interface EventLog {
  readonly topics: readonly Hex[];
  /** Lower case. */
  readonly data: Hex;
}

/** Loaded when first asked for: it stands on viem. */
export async function loadDecode(): Promise<
  (event: ContractEvent, log: EventLog) => readonly Hex[] | undefined
> {
  const { encodeSeparately } = await import("./viem/encode-separately.ts");
  return (event, log) => decodeEvent(event, log, encodeSeparately);
}

/**
 * In the order of the arguments: an address as its 20 bytes, else 32 bytes. With an array or tuple among the arguments each value
 * is the ABI encoding of that argument alone, and so is a `string` or `bytes`; of an indexed one of these the chain keeps the hash.
 * Undefined: the log is none of this event, for which the number of indexed arguments must fit too.
 */
function decodeEvent(
  event: ContractEvent,
  { topics, data }: EventLog,
  encodeSeparately: EncodeSeparately,
): readonly Hex[] | undefined {
  const { types, isIndexed, topicHash, indexedCount, isAnonymous } = event;
  if (isAnonymous || topics[0] !== topicHash || topics.length !== indexedCount + 1) return undefined;
  const inData = types.filter((_, index) => isIndexed[index] !== true);
  const encoded = inData.every((type) => isElementary(type) && !isDynamic(type))
    ? wordsOf(inData.length, data)
    : encodeSeparately(inData, data);
  if (encoded === undefined) return undefined;
  const isShort = types.every(isElementary);
  let topic = 1;
  let value = 0;
  return types.map((type, index): Hex => {
    const word = (isIndexed[index] === true ? topics[topic++] : encoded[value++]) ?? "0x";
    return isShort && type === "address" ? `0x${word.slice(26)}` : word;
  });
}

function wordsOf(count: number, data: Hex): readonly Hex[] | undefined {
  if (data.length < 2 + 64 * count) return undefined;
  return Array.from({ length: count }, (_, index): Hex => `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`);
}
