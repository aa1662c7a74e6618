import { type ContractEvent, isDynamic, tupleComponents } from "../../chain/events/contract-event.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

/** The parts of a log that hold arguments. Listeners look for wallets (`0x` and 20 bytes) and token ids (words of 32 bytes). */
export interface EncodedLog {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Where the logs of an event contain wallets and token ids. */
export interface ArgumentLayout {
  /** Equal for equal layouts. */
  readonly key: string;
  /** Indexes of the topics that are addresses, and of those that are token ids. */
  readonly accountTopics: readonly number[];
  readonly tokenTopics: readonly number[];
  /** Types of the arguments in the data, and the indexes of those that are token ids. */
  readonly dataTypes: readonly string[];
  readonly tokensInData: readonly number[];
  readonly hasAccountsInData: boolean;
}

export function layoutOf(event: ContractEvent): ArgumentLayout {
  const tokens = new Set(tokenArguments(event));
  const all = event.types.map((type, index) => ({ type, index, isIndexed: event.isIndexed[index] === true }));
  const indexed = all.filter(({ isIndexed }) => isIndexed);
  const inData = all.filter(({ isIndexed }) => !isIndexed);
  const indexesOf = (of: typeof all, isWanted: (each: (typeof all)[number]) => boolean): readonly number[] =>
    of.flatMap((each, index) => (isWanted(each) ? [index] : []));
  const layout = {
    // The topic of an indexed list is a hash, in which nothing can be found.
    accountTopics: indexesOf(indexed, ({ type }) => type === "address").map((index) => index + 1),
    tokenTopics: indexesOf(indexed, ({ type, index }) => tokens.has(index) && !type.endsWith("]")).map(
      (index) => index + 1,
    ),
    dataTypes: inData.map(({ type }) => type),
    tokensInData: indexesOf(inData, ({ index }) => tokens.has(index)),
    hasAccountsInData: inData.some(({ type }) => type.includes("address")),
  };
  return { ...layout, key: JSON.stringify([event.indexedCount, layout]) };
}

/**
 * Index of the token id among the arguments of an event that a standard defines, by the event's signature and number of indexed
 * arguments; -1 if the event has no token id.
 */
const tokenIdIndexes: Readonly<Record<string, number>> = {
  "Transfer(address,address,uint256)/2": -1,
  "Transfer(address,address,uint256)/3": 2,
  "Approval(address,address,uint256)/2": -1,
  "Approval(address,address,uint256)/3": 2,
  "TransferSingle(address,address,address,uint256,uint256)/3": 3,
  "TransferBatch(address,address,address,uint256[],uint256[])/3": 3,
  "URI(string,uint256)/1": 1,
};

/**
 * Indexes of the arguments that are token ids. In events of a standard, the standard defines them; in other events, the names of
 * the arguments do. In events without names, all 256-bit unsigned integers count, because nothing distinguishes them.
 */
function tokenArguments({ eventSig, types, names, indexedCount }: ContractEvent): readonly number[] {
  const known = tokenIdIndexes[`${eventSig}/${indexedCount}`];
  if (known !== undefined) return known < 0 ? [] : [known];
  const isNumber = (index: number): boolean => /^uint[0-9]+(\[[0-9]*\])?$/.test(types[index] ?? "");
  const indexes = types.map((_, index) => index).filter(isNumber);
  if (names.some((name, index) => name !== `arg${index + 1}`))
    return indexes.filter((index) => /^(tokenids?|ids?)$/i.test((names[index] ?? "").replaceAll("_", "")));
  return indexes.filter((index) => types[index]?.startsWith("uint256") === true);
}

export function visitAccounts(
  layout: ArgumentLayout,
  { topics, data }: EncodedLog,
  visit: (account: string) => void,
): void {
  for (const index of layout.accountTopics) visit(`0x${topics[index]?.slice(26)}`);
  if (!layout.hasAccountsInData) return;
  new DataWalker(data, (type, word) => {
    if (type === "address") visit(`0x${word.slice(24)}`);
  }).walkSequence(layout.dataTypes, 0);
}

export function visitTokens(
  layout: ArgumentLayout,
  { topics, data }: EncodedLog,
  visit: (token: string) => void,
): void {
  for (const index of layout.tokenTopics) visit(topics[index]?.slice(2) ?? "");
  if (layout.tokensInData.length === 0) return;
  new DataWalker(data, (_, word) => visit(word)).walkSequence(layout.dataTypes, 0, (index) =>
    layout.tokensInData.includes(index),
  );
}

/** Encodes a token id as in a log: 64 hex digits. */
export function tokenWord(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(64, "0");
}

const wordBytes = 32;

/** Steps for each word of the data: one for the word itself, and one for each of the up to 8 types nested around it. */
const stepsPerWord = 9;

/**
 * Walks over ABI-encoded data, and visits each value of a static type. Skips data that does not fit the types. Stops when the steps
 * are used up: a short log can encode overlapping lists with billions of items. The decoder rejects such logs later.
 */
class DataWalker {
  readonly #hex: string;
  readonly #visit: (type: string, word: string) => void;
  #stepsLeft: number;

  constructor(data: Hex, visit: (type: string, word: string) => void) {
    this.#hex = data.slice(2);
    this.#visit = visit;
    this.#stepsLeft = Math.ceil(this.#hex.length / (wordBytes * 2)) * stepsPerWord;
  }

  walkSequence(
    types: readonly string[],
    base: number,
    isWanted: (index: number) => boolean = () => true,
  ): void {
    let at = base;
    for (const [index, type] of types.entries()) {
      const isOffset = isDynamic(type);
      if (isWanted(index)) this.#walk(type, isOffset ? base + this.#offsetAt(at) : at);
      at += isOffset ? wordBytes : sizeOf(type);
    }
  }

  #walk(type: string, at: number): void {
    const [, item, size] = /^(.*)\[([0-9]*)\]$/.exec(type) ?? [];
    if (item !== undefined) {
      const count = size === "" ? this.#offsetAt(at) : Number(size);
      // A list cannot have more items than the data has words.
      if (count * wordBytes * 2 > this.#hex.length) return;
      this.#stepsLeft -= count;
      if (this.#stepsLeft < 0) return;
      this.walkSequence(Array<string>(count).fill(item), size === "" ? at + wordBytes : at);
    } else if (type.startsWith("(")) this.walkSequence(tupleComponents(type), at);
    else if (!isDynamic(type)) {
      const word = this.#hex.slice(at * 2, (at + wordBytes) * 2);
      if (word.length === wordBytes * 2) this.#visit(type, word);
    }
  }

  #offsetAt(at: number): number {
    const word = this.#hex.slice(at * 2, (at + wordBytes) * 2);
    const value = word.length === wordBytes * 2 ? Number(`0x${word}`) : Number.NaN;
    return value * 2 <= this.#hex.length ? value : this.#hex.length;
  }
}

/** Size of a static type, in bytes. */
function sizeOf(type: string): number {
  const [, item, size] = /^(.*)\[([0-9]+)\]$/.exec(type) ?? [];
  if (item !== undefined) return Number(size) * sizeOf(item);
  if (!type.startsWith("(")) return wordBytes;
  return tupleComponents(type).reduce((sum, part) => sum + sizeOf(part), 0);
}
