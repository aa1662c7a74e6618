/** The filter of 2,048 bits in the header of a block, set by the contracts and topics of its logs. Yellow paper, section 4.3.1. */
import type { Hex } from "../rpc/chain.ts";
import type { ChainLog, LogFilter } from "./derive/deriver.ts";

const bytes = 256;
/** Contracts and topics come again and again; about 10 MB. */
const rememberedMax = 50_000;

export class BloomFilters {
  readonly #keccak: (data: Uint8Array) => Uint8Array;
  readonly #bits = new Map<Hex, readonly [number, number, number]>();

  constructor(keccak: (data: Uint8Array) => Uint8Array) {
    this.#keccak = keccak;
  }

  /** Whether these are all logs of a block with this filter, up to what a filter cannot tell. */
  isExactly(logs: readonly ChainLog[], bloom: Hex): boolean {
    const made = Buffer.alloc(bytes);
    for (const { address, topics } of logs) for (const item of [address, ...topics]) this.#set(made, item);
    return `0x${made.toString("hex")}` === bloom;
  }

  /** False: a block with this filter certainly holds nothing of it. */
  mayContain({ addresses, topics }: LogFilter, bloom: Hex): boolean {
    const filter = Buffer.from(bloom.slice(2), "hex");
    return this.#mayHoldAny(filter, addresses) && this.#mayHoldAny(filter, topics);
  }

  #mayHoldAny(filter: Buffer, items: ReadonlySet<Hex> | undefined): boolean {
    // Past so many one of them is there by chance anyhow, and asking the node is cheaper.
    if (items === undefined || items.size > 1_000) return true;
    for (const item of items)
      if (this.#bitsOf(item).every((bit) => ((filter[bytes - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0))
        return true;
    return false;
  }

  #set(filter: Buffer, item: Hex): void {
    for (const bit of this.#bitsOf(item)) {
      const at = bytes - 1 - (bit >> 3);
      filter[at] = (filter[at] ?? 0) | (1 << (bit & 7));
    }
  }

  #bitsOf(item: Hex): readonly [number, number, number] {
    const known = this.#bits.get(item);
    if (known !== undefined) return known;
    const hash = this.#keccak(Buffer.from(item.slice(2), "hex"));
    const bit = (at: number): number => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047;
    const bits = [bit(0), bit(2), bit(4)] as const;
    if (this.#bits.size >= rememberedMax) this.#bits.clear();
    this.#bits.set(item, bits);
    return bits;
  }
}
