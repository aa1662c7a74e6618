/** Validates and parses responses of nodes. */
import type { Hex } from "../../rpc/chain.ts";
import type { ChainLog } from "../derive/blocks.ts";
import { BlockNotFound, type Header, InvalidResponse, type RangeLog } from "../source.ts";

type ResponseObject = Readonly<Record<string, unknown>>;

export function readHeader(response: unknown): Header {
  if (response === null || response === undefined)
    throw new BlockNotFound("the node does not have the block");
  const { number, hash, parentHash, timestamp, logsBloom } = response as ResponseObject;
  return {
    number: readNumber(number),
    hash: readHex(hash, 64),
    parentHash: readHex(parentHash, 64),
    timestamp: readNumber(timestamp),
    logsBloom: readHex(logsBloom ?? `0x${"0".repeat(512)}`, 512),
  };
}

/**
 * Returns the logs on the chain, in its order, each once. Nodes guarantee neither, and some return logs that they mark as removed
 * from the chain, or that are in no block yet.
 */
export function readLogs(response: unknown): readonly RangeLog[] {
  if (!Array.isArray(response)) throw new InvalidResponse("the logs are not a list");
  const interner = new HexInterner();
  const logs = response.filter(isOnChain).map((log) => readLog(log, interner));
  const isInOrder = logs.every((log, index) => index === 0 || isAfter(log, logs[index - 1] as RangeLog));
  if (isInOrder) return logs;
  return logs
    .toSorted((a, b) => (isAfter(a, b) ? 1 : isAfter(b, a) ? -1 : 0))
    .filter((log, index, sorted) => !isEqual(log, sorted[index - 1]));
}

function isOnChain(log: ResponseObject): boolean {
  return log["removed"] !== true && !(log["blockHash"] === null && log["blockNumber"] === null);
}

/** Whether two logs are the same one. Different logs of one position are kept, so that the checks of the caller find them. */
function isEqual(log: RangeLog, other: RangeLog | undefined): boolean {
  return JSON.stringify(log) === JSON.stringify(other);
}

/**
 * Interns hex strings: the logs of one response share a few contracts, events, transactions and blocks, so each string is
 * validated and stored once.
 */
class HexInterner {
  readonly #known = new Map<unknown, Hex>();

  read(value: unknown, digits: number): Hex {
    const known = this.#known.get(value);
    if (known !== undefined && known.length === 2 + digits) return known;
    const text = readHex(value, digits);
    this.#known.set(value, text);
    return text;
  }
}

function isAfter(a: RangeLog, b: RangeLog): boolean {
  return a.blockNumber > b.blockNumber || (a.blockNumber === b.blockNumber && a.logIndex > b.logIndex);
}

function readLog(log: ResponseObject, interner: HexInterner): RangeLog {
  const topics = log["topics"];
  if (!Array.isArray(topics) || topics.length > 4)
    throw new InvalidResponse("a log has no valid list of topics");
  return {
    address: interner.read(log["address"], 40),
    topics: topics.map((topic, index) => (index === 0 ? interner.read(topic, 64) : readHex(topic, 64))),
    data: readHex(log["data"]),
    transactionHash: interner.read(log["transactionHash"], 64),
    transactionIndex: readNumber(log["transactionIndex"]),
    logIndex: readNumber(log["logIndex"]),
    indexInTransaction: undefined,
    blockNumber: readNumber(log["blockNumber"]),
    blockHash: interner.read(log["blockHash"], 64),
  };
}

/** Sets the index of each log of a block within its transaction. Does not copy the logs, of which there are many. */
export function withIndexInTransaction(logs: readonly RangeLog[]): readonly ChainLog[] {
  const counts = new Map<Hex, number>();
  for (const log of logs as readonly IndexedLog[]) {
    const index = counts.get(log.transactionHash) ?? 0;
    counts.set(log.transactionHash, index + 1);
    log.indexInTransaction = index;
  }
  return logs;
}

type IndexedLog = Pick<RangeLog, "transactionHash"> & { indexInTransaction: number | undefined };

function readNumber(value: unknown): number {
  const number = typeof value === "string" && /^0x[0-9a-f]{1,16}$/i.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidResponse("a value is not a valid number");
  return number;
}

function readHex(value: unknown, digits?: number): Hex {
  if (
    typeof value !== "string" ||
    !value.startsWith("0x") ||
    (digits !== undefined && value.length !== 2 + digits)
  )
    throw new InvalidResponse("a hash, address or data has the wrong form");
  if (/^0x[0-9a-f]*$/.test(value)) return value as Hex;
  if (!/^0x[0-9a-f]*$/i.test(value)) throw new InvalidResponse("a hash, address or data is not hex");
  return value.toLowerCase() as Hex;
}
