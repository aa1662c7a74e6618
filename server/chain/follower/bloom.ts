/** The bloom filter in a block header: 2,048 bits, set by the contracts and topics of the block's logs. Yellow paper, section 4.3.1. */
import type { Hex } from "../rpc/chain.ts";
import type { ChainLog } from "./derive/blocks.ts";
import type { LogFilter } from "./derive/log-filter.ts";

const bytes = 256;
/** Maximum number of contracts and topics whose bits are cached; they take about 10 MB. */
const maxCached = 50_000;

/**
 * Whether any bit is set. A filter without bits proves nothing: nodes of zkSync and Polygon return empty filters for some blocks that
 * have logs.
 */
export function isFilled(bloom: Hex): boolean {
  return !/^0x0*$/.test(bloom);
}

export class BloomFilters {
  readonly #keccak: (data: Uint8Array) => Uint8Array;
  readonly #bits = new Map<Hex, readonly [number, number, number]>();

  constructor(keccak: (data: Uint8Array) => Uint8Array) {
    this.#keccak = keccak;
  }

  /** Whether exactly these logs produce the bloom filter of the block. False positives are possible. */
  isExactly(logs: readonly ChainLog[], bloom: Hex): boolean {
    const computed = Buffer.alloc(bytes);
    for (const { address, topics } of logs)
      for (const item of [address, ...topics]) this.#set(computed, item);
    return `0x${computed.toString("hex")}` === bloom;
  }

  /** False if the block certainly has no log that passes the filter. */
  mayContain({ addresses, topics }: LogFilter, bloom: Hex): boolean {
    const filter = Buffer.from(bloom.slice(2), "hex");
    return this.#mayHoldAny(filter, addresses) && this.#mayHoldAny(filter, topics);
  }

  #mayHoldAny(filter: Buffer, items: ReadonlySet<Hex> | undefined): boolean {
    // With more items a false positive is almost certain, and asking the node is cheaper.
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
    if (this.#bits.size >= maxCached) this.#bits.clear();
    this.#bits.set(item, bits);
    return bits;
  }
}
