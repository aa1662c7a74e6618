/**
 * The content of a chunk of the archive as bytes: a header in JSON, then columns of numbers, transactions, further topics and data. With
 * columns, only logs that pass a filter are decoded.
 */
import type { Hex } from "../../rpc/chain.ts";
import { hexOf } from "../../rpc/hex.ts";
import type { BlockId, BlockRef, ChainBlock, ChainLog, LogFilter } from "../derive/deriver.ts";

/** A range of blocks and their logs. */
export interface ChunkContent {
  readonly from: number;
  readonly to: BlockId;
  /** Parent hash of the first block. */
  readonly parentHash: Hex;
  /** Lowest first. Blocks without logs may be missing. */
  readonly blocks: readonly ChainBlock[];
}

interface ChunkHeader extends Pick<ChunkContent, "from" | "to" | "parentHash"> {
  readonly chainId: number;
  readonly addresses: readonly Hex[];
  /** First topics. */
  readonly topics: readonly Hex[];
  readonly blocks: readonly (BlockRef & { readonly timestamp: number; readonly logs: number })[];
  readonly logs: number;
  readonly transactions: number;
  /** Number of topics other than first ones. */
  readonly furtherTopics: number;
}

/** Of each log: contract, first topic with the number of further topics, transaction, both indexes, and length of the data. */
const columns = 6;
const numberBytes = 4;
const hashBytes = 32;
/** A transaction's hash and index. */
const transactionBytes = hashBytes + numberBytes;
/** A log has at most three topics after the first one, so their number takes two bits. */
const furtherTopicsBits = 2;
const unknownIndex = 0xffff_ffff;

export function encodeChunk(chainId: number, { from, to, parentHash, blocks }: ChunkContent): Buffer {
  const logs = blocks.flatMap((block) => block.logs);
  const [addresses, topics, transactions] = [
    new Dictionary<Hex>(),
    new Dictionary<Hex>(),
    new Dictionary<Hex>(),
  ];
  const numbers = Buffer.alloc(logs.length * columns * numberBytes);
  const transactionRows: Buffer[] = [];
  const furtherTopics: string[] = [];
  const data: string[] = [];
  const put = (column: number, row: number, value: number): void => {
    numbers.writeUInt32LE(value, (column * logs.length + row) * numberBytes);
  };
  for (const [row, log] of logs.entries()) {
    const [first, ...further] = log.topics;
    const isNewTransaction = transactions.size === transactions.add(log.transactionHash);
    if (isNewTransaction) transactionRows.push(transactionRow(log));
    // 0: no topics.
    const topic = first === undefined ? 0 : topics.add(first) + 1;
    put(0, row, addresses.add(log.address));
    put(1, row, topic * 2 ** furtherTopicsBits + further.length);
    put(2, row, transactions.add(log.transactionHash));
    put(3, row, log.logIndex);
    put(4, row, log.indexInTransaction ?? unknownIndex);
    put(5, row, (log.data.length - 2) / 2);
    for (const each of further) furtherTopics.push(each.slice(2));
    data.push(log.data.slice(2));
  }
  const header: ChunkHeader = {
    chainId,
    from,
    to: { number: to.number, hash: to.hash },
    parentHash,
    addresses: addresses.items,
    topics: topics.items,
    blocks: blocks.map((block) => ({ ...block, logs: block.logs.length })),
    logs: logs.length,
    transactions: transactionRows.length,
    furtherTopics: furtherTopics.length,
  };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(numberBytes);
  length.writeUInt32LE(json.length);
  const hex = Buffer.from(furtherTopics.join("") + data.join(""), "hex");
  return Buffer.concat([length, json, numbers, ...transactionRows, hex]);
}

class Dictionary<Item> {
  readonly #indexes = new Map<Item, number>();

  get size(): number {
    return this.#indexes.size;
  }

  get items(): readonly Item[] {
    return [...this.#indexes.keys()];
  }

  /** Returns the item's index. */
  add(item: Item): number {
    const known = this.#indexes.get(item);
    if (known !== undefined) return known;
    this.#indexes.set(item, this.#indexes.size);
    return this.#indexes.size - 1;
  }
}

function transactionRow({ transactionHash, transactionIndex }: ChainLog): Buffer {
  const row = Buffer.alloc(transactionBytes);
  row.write(transactionHash.slice(2), "hex");
  row.writeUInt32LE(transactionIndex, hashBytes);
  return row;
}

/** Returns all blocks of the chunk, with the logs that pass the filter. Throws if the chunk belongs to another chain. */
export function decodeChunk(
  chainId: number,
  bytes: Buffer,
  { addresses, topics }: Pick<LogFilter, "addresses" | "topics">,
): ChunkContent {
  const headerEnd = numberBytes + bytes.readUInt32LE();
  const header = JSON.parse(bytes.toString("utf8", numberBytes, headerEnd)) as ChunkHeader;
  if (header.chainId !== chainId) throw new Error(`the chunk belongs to chain ${header.chainId}`);
  const isAddress = header.addresses.map((address) => addresses?.has(address) !== false);
  const isTopic = [topics === undefined, ...header.topics.map((topic) => topics?.has(topic) !== false)];
  const transactionsAt = headerEnd + header.logs * columns * numberBytes;
  const transactions = new Transactions(bytes, transactionsAt);
  let topicAt = transactionsAt + header.transactions * transactionBytes;
  let dataAt = topicAt + header.furtherTopics * hashBytes;
  let row = 0;
  // Three times as fast as `bytes.readUInt32LE`.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (column: number): number =>
    view.getUint32(headerEnd + (column * header.logs + row) * numberBytes, true);
  const next = (): ChainLog | undefined => {
    const [address, topicAndCount, length] = [numberAt(0), numberAt(1), numberAt(5)];
    const [topic, further] = [
      topicAndCount >>> furtherTopicsBits,
      topicAndCount & (2 ** furtherTopicsBits - 1),
    ];
    const log =
      isAddress[address] === true && isTopic[topic] === true
        ? {
            address: header.addresses[address] as Hex,
            topics: [
              ...(topic === 0 ? [] : [header.topics[topic - 1] as Hex]),
              ...Array.from({ length: further }, (_, index) =>
                hexOf(bytes.subarray(topicAt + index * hashBytes, topicAt + (index + 1) * hashBytes)),
              ),
            ],
            data: hexOf(bytes.subarray(dataAt, dataAt + length)),
            ...transactions.at(numberAt(2)),
            logIndex: numberAt(3),
            indexInTransaction: numberAt(4) === unknownIndex ? undefined : numberAt(4),
          }
        : undefined;
    topicAt += further * hashBytes;
    dataAt += length;
    row++;
    return log;
  };
  const blocks = header.blocks.map(({ logs: count, ...block }) => {
    const logs: ChainLog[] = [];
    for (let index = 0; index < count; index++) {
      const log = next();
      if (log !== undefined) logs.push(log);
    }
    return { ...block, logs };
  });
  return { from: header.from, to: header.to, parentHash: header.parentHash, blocks };
}

/** The logs of a transaction share its hash. */
class Transactions {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #known = new Map<number, Pick<ChainLog, "transactionHash" | "transactionIndex">>();

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  at(index: number): Pick<ChainLog, "transactionHash" | "transactionIndex"> {
    const known = this.#known.get(index);
    if (known !== undefined) return known;
    const start = this.#start + index * transactionBytes;
    const transaction = {
      transactionHash: hexOf(this.#bytes.subarray(start, start + hashBytes)),
      transactionIndex: this.#bytes.readUInt32LE(start + hashBytes),
    };
    this.#known.set(index, transaction);
    return transaction;
  }
}
