/** Decodes the arguments of an event from a log, as hex. */
import type { Hex } from "../rpc/chain.ts";
import { type ContractEvent, type EncodeSeparately, isDynamic, isElementary } from "./contract-event.ts";

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
  const { dataTypes, isStatic, usesShortAddresses } = layoutOf(event);
  const encoded = isStatic ? wordsOf(dataTypes.length, data) : encodeSeparately(dataTypes, data);
  if (encoded === undefined) return undefined;
  let topic = 1;
  let value = 0;
  return types.map((type, index): Hex => {
    const word = (isIndexed[index] === true ? topics[topic++] : encoded[value++]) ?? "0x";
    return usesShortAddresses && type === "address" ? `0x${word.slice(26)}` : word;
  });
}

interface Layout {
  /** Types of the arguments in the data. */
  readonly dataTypes: readonly string[];
  /** Whether each of them takes one word. */
  readonly isStatic: boolean;
  readonly usesShortAddresses: boolean;
}

const layouts = new WeakMap<ContractEvent, Layout>();

function layoutOf(event: ContractEvent): Layout {
  let layout = layouts.get(event);
  if (layout === undefined) {
    const { types, isIndexed } = event;
    const dataTypes = types.filter((_, index) => isIndexed[index] !== true);
    const isStatic = dataTypes.every((type) => isElementary(type) && !isDynamic(type));
    layout = { dataTypes, isStatic, usesShortAddresses: types.every(isElementary) };
    layouts.set(event, layout);
  }
  return layout;
}

function wordsOf(count: number, data: Hex): readonly Hex[] | undefined {
  if (data.length < 2 + 64 * count) return undefined;
  const words: Hex[] = [];
  for (let at = 2; at < 2 + 64 * count; at += 64) words.push(`0x${data.slice(at, at + 64)}`);
  return words;
}
