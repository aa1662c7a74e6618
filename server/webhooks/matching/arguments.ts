import type { ContractEvent } from "../../chain/events/contract-event.ts";
import { isDynamic, partsOf } from "../../chain/events/types.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

/** What listeners look for in a log: wallets as `0x` and 20 bytes, token ids as words of 32 bytes. */
export interface Words {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Where the wallets and the token ids of an event stand. */
export interface ArgumentPlan {
  /** The same for plans that are alike. */
  readonly shape: string;
  /** Topics that are addresses, and that are token ids. */
  readonly accountTopics: readonly number[];
  readonly tokenTopics: readonly number[];
  /** Types of the data, and which of them are token ids. */
  readonly inData: readonly string[];
  readonly tokensInData: readonly number[];
  readonly hasAccountsInData: boolean;
}

export function planOf(event: ContractEvent): ArgumentPlan {
  const tokens = new Set(tokenArguments(event));
  const all = event.types.map((type, index) => ({ type, index, isIndexed: event.isIndexed[index] === true }));
  const indexed = all.filter(({ isIndexed }) => isIndexed);
  const inData = all.filter(({ isIndexed }) => !isIndexed);
  const places = (of: typeof all, isWanted: (each: (typeof all)[number]) => boolean): readonly number[] =>
    of.flatMap((each, place) => (isWanted(each) ? [place] : []));
  const plan = {
    // Of an indexed list the chain keeps a hash, in which nothing can be found.
    accountTopics: places(indexed, ({ type }) => type === "address").map((place) => place + 1),
    tokenTopics: places(indexed, ({ type, index }) => tokens.has(index) && !type.endsWith("]")).map(
      (place) => place + 1,
    ),
    inData: inData.map(({ type }) => type),
    tokensInData: places(inData, ({ index }) => tokens.has(index)),
    hasAccountsInData: inData.some(({ type }) => type.includes("address")),
  };
  return { ...plan, shape: JSON.stringify([event.indexedCount, plan]) };
}

/** Argument of the standards that is a token id, by the canonical event and how many arguments are indexed; -1: it has none. */
const standards: Readonly<Record<string, number>> = {
  "Transfer(address,address,uint256)/2": -1,
  "Transfer(address,address,uint256)/3": 2,
  "Approval(address,address,uint256)/2": -1,
  "Approval(address,address,uint256)/3": 2,
  "TransferSingle(address,address,address,uint256,uint256)/3": 3,
  "TransferBatch(address,address,address,uint256[],uint256[])/3": 3,
  "URI(string,uint256)/1": 1,
};

/**
 * Which arguments are token ids: of the standards' events those that the standard says; of others those that are called so; and
 * of an event without names, where nothing tells them apart, all numbers of 256 bits.
 */
function tokenArguments({ eventSig, types, names, indexedCount }: ContractEvent): readonly number[] {
  const known = standards[`${eventSig}/${indexedCount}`];
  if (known !== undefined) return known < 0 ? [] : [known];
  const isNumber = (index: number): boolean => /^uint[0-9]+(\[[0-9]*\])?$/.test(types[index] ?? "");
  const indexes = types.map((_, index) => index).filter(isNumber);
  if (names.some((name, index) => name !== `arg${index + 1}`))
    return indexes.filter((index) => /^(tokenids?|ids?)$/i.test((names[index] ?? "").replaceAll("_", "")));
  return indexes.filter((index) => types[index]?.startsWith("uint256") === true);
}

export function accountsIn(
  plan: ArgumentPlan,
  { topics, data }: Words,
  found: (account: string) => void,
): void {
  for (const place of plan.accountTopics) found(`0x${topics[place]?.slice(26)}`);
  if (!plan.hasAccountsInData) return;
  new Data(data, (type, word) => {
    if (type === "address") found(`0x${word.slice(24)}`);
  }).sequence(plan.inData, 0);
}

export function tokensIn(plan: ArgumentPlan, { topics, data }: Words, found: (token: string) => void): void {
  for (const place of plan.tokenTopics) found(topics[place]?.slice(2) ?? "");
  if (plan.tokensInData.length === 0) return;
  new Data(data, (_, word) => found(word)).sequence(plan.inData, 0, (place) =>
    plan.tokensInData.includes(place),
  );
}

/** A token id as it stands in a log. */
export function tokenWord(decimal: string): string {
  return BigInt(decimal).toString(16).padStart(64, "0");
}

const wordBytes = 32;

/** Steps for each word of the data: one for it, and one for each of the types around it, which are nested at most 8 deep. */
const stepsPerWord = 9;

/**
 * Walks over ABI-encoded data, as deep as its types go. What does not fit together ends the walk, and so do lists that lie over each
 * other, of which a short log can hold billions; decoding refuses both later.
 */
class Data {
  readonly #hex: string;
  readonly #visit: (type: string, word: string) => void;
  #stepsLeft: number;

  constructor(data: Hex, visit: (type: string, word: string) => void) {
    this.#hex = data.slice(2);
    this.#visit = visit;
    this.#stepsLeft = Math.ceil(this.#hex.length / (wordBytes * 2)) * stepsPerWord;
  }

  sequence(types: readonly string[], base: number, isWanted: (place: number) => boolean = () => true): void {
    let at = base;
    for (const [place, type] of types.entries()) {
      const isFar = isDynamic(type);
      if (isWanted(place)) this.#walk(type, isFar ? base + this.#number(at) : at);
      at += isFar ? wordBytes : sizeOf(type);
    }
  }

  #walk(type: string, at: number): void {
    const [, item, size] = /^(.*)\[([0-9]*)\]$/.exec(type) ?? [];
    if (item !== undefined) {
      const count = size === "" ? this.#number(at) : Number(size);
      // No more than the data can hold.
      if (count * wordBytes * 2 > this.#hex.length) return;
      this.#stepsLeft -= count;
      if (this.#stepsLeft < 0) return;
      this.sequence(Array<string>(count).fill(item), size === "" ? at + wordBytes : at);
    } else if (type.startsWith("(")) this.sequence(partsOf(type), at);
    else if (!isDynamic(type)) {
      const word = this.#hex.slice(at * 2, (at + wordBytes) * 2);
      if (word.length === wordBytes * 2) this.#visit(type, word);
    }
  }

  #number(at: number): number {
    const word = this.#hex.slice(at * 2, (at + wordBytes) * 2);
    const value = word.length === wordBytes * 2 ? Number(`0x${word}`) : Number.NaN;
    return value * 2 <= this.#hex.length ? value : this.#hex.length;
  }
}

/** Of a type of fixed length, in bytes. */
function sizeOf(type: string): number {
  const [, item, size] = /^(.*)\[([0-9]+)\]$/.exec(type) ?? [];
  if (item !== undefined) return Number(size) * sizeOf(item);
  if (!type.startsWith("(")) return wordBytes;
  return partsOf(type).reduce((sum, part) => sum + sizeOf(part), 0);
}
