/** Decodes the arguments of an event from a log, as hex. */
import type { Hex } from "../rpc/chain.ts";
import type { ContractEvent } from "./contract-event.ts";
import { type EncodeSeparately, isDynamic, isElementary } from "./types.ts";

interface EventLog {
  readonly topics: readonly Hex[];
  /** Lower case. */
  readonly data: Hex;
}

/** Loads on first use, because it needs viem. */
export async function loadDecode(): Promise<
  (event: ContractEvent, log: EventLog) => readonly Hex[] | undefined
> {
  const { encodeSeparately } = await import("./viem/encode-separately.ts");
  return (event, log) => decodeEvent(event, log, encodeSeparately);
}

/**
 * Returns the arguments in order: an address as 20 bytes, other elementary types as 32 bytes, a `string` or `bytes` as its ABI encoding.
 * If any argument is an array or tuple, every value is the ABI encoding of that argument. An indexed argument of a dynamic type is the
 * hash in its topic. Returns undefined if the log is not of this event or has another number of indexed arguments.
 */
function decodeEvent(
  event: ContractEvent,
  { topics, data }: EventLog,
  encodeSeparately: EncodeSeparately,
): readonly Hex[] | undefined {
  const { types, isIndexed, topicHash, indexedCount, isAnonymous } = event;
  if (isAnonymous || topics[0] !== topicHash || topics.length !== indexedCount + 1) return undefined;
  const dataTypes = types.filter((_, index) => isIndexed[index] !== true);
  const encoded = dataTypes.every((type) => isElementary(type) && !isDynamic(type))
    ? wordsOf(dataTypes.length, data)
    : encodeSeparately(dataTypes, data);
  if (encoded === undefined) return undefined;
  const usesShortAddresses = types.every(isElementary);
  let topic = 1;
  let value = 0;
  return types.map((type, index): Hex => {
    const word = (isIndexed[index] === true ? topics[topic++] : encoded[value++]) ?? "0x";
    return usesShortAddresses && type === "address" ? `0x${word.slice(26)}` : word;
  });
}

function wordsOf(count: number, data: Hex): readonly Hex[] | undefined {
  if (data.length < 2 + 64 * count) return undefined;
  return Array.from({ length: count }, (_, index): Hex => `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`);
}
