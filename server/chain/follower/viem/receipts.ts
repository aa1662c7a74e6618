/** Checks the receipts of a block with the root in its header, and returns their logs. */
import { toRlp } from "viem";
import type { Keccak } from "../../../base/keccak.ts";
import type { Hex } from "../../rpc/chain.ts";
import { hexOf } from "../../rpc/hex.ts";
import { FalseResponse, InvalidResponse } from "../../rpc/nodes/faults.ts";
import type { ChainLog } from "../derive/deriver.ts";
import { CheckUnsupported } from "../source.ts";

/** EIP-2718, EIP-2930, EIP-1559, EIP-4844 and EIP-7702. */
const maxType = 4;

interface ReceiptLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

interface Receipt {
  readonly type: number;
  /** Of the transaction; before Byzantium the root of the state. */
  readonly outcome: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly logsBloom: Hex;
  readonly logs: readonly ReceiptLog[];
  readonly transactionHash: Hex;
}

/**
 * Returns all logs of the block. Their contracts, topics, data and order are proven by the root; the hashes of their transactions are
 * not. Throws FalseResponse if the receipts are not those of the block, and CheckUnsupported.
 */
export function logsOfReceipts(response: unknown, receiptsRoot: Hex, keccak: Keccak): readonly ChainLog[] {
  if (!Array.isArray(response)) throw new InvalidResponse("the receipts are not a list");
  const receipts = response.map(readReceipt);
  if (trieRoot(receipts.map(encodeReceipt), keccak) !== receiptsRoot)
    throw new FalseResponse("its receipts do not have the root in the block's header");
  let logIndex = 0;
  return receipts.flatMap(({ logs, transactionHash }, transactionIndex) =>
    logs.map((log, indexInTransaction) => ({
      ...log,
      transactionHash,
      transactionIndex,
      logIndex: logIndex++,
      indexInTransaction,
    })),
  );
}

function encodeReceipt({ type, outcome, cumulativeGasUsed, logsBloom, logs }: Receipt): Uint8Array {
  const items = logs.map(({ address, topics, data }) => [address, [...topics], data]);
  const encoded = toRlp([outcome, cumulativeGasUsed, logsBloom, items], "bytes");
  return type === 0 ? encoded : Buffer.concat([Buffer.of(type), encoded]);
}

function readReceipt(value: unknown): Receipt {
  const { type = "0x0", status, root, cumulativeGasUsed, logsBloom, logs, transactionHash } = objectOf(value);
  const number = Number(type);
  if (!(number <= maxType))
    throw new CheckUnsupported(
      `a receipt has the type ${String(type)}, which checkReceipts does not know; set it to false for this network`,
    );
  if (!Array.isArray(logs)) throw new InvalidResponse("a receipt has no list of logs");
  return {
    type: number,
    outcome: status === undefined || status === null ? hexOfLength(root, 32) : quantity(status),
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    logsBloom: hexOfLength(logsBloom, 256),
    logs: logs.map(readLog),
    transactionHash: hexOfLength(transactionHash, 32),
  };
}

function readLog(value: unknown): ReceiptLog {
  const { address, topics, data } = objectOf(value);
  if (!Array.isArray(topics)) throw new InvalidResponse("a log has no list of topics");
  return {
    address: hexOfLength(address, 20),
    topics: topics.map((topic) => hexOfLength(topic, 32)),
    data: hexOfLength(data, undefined),
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new InvalidResponse("a receipt is not an object");
  return value as Readonly<Record<string, unknown>>;
}

/** RLP has no leading zeros, and zero has no bytes. */
export function quantity(value: unknown): Hex {
  if (typeof value !== "string" || !/^0x[0-9a-f]+$/i.test(value))
    throw new InvalidResponse("a quantity is not hex");
  const digits = value.slice(2).toLowerCase().replace(/^0+/, "");
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

export function hexOfLength(value: unknown, bytes: number | undefined): Hex {
  if (typeof value !== "string" || !/^0x([0-9a-f]{2})*$/i.test(value))
    throw new InvalidResponse("a hash, address or data is not hex");
  if (bytes !== undefined && value.length !== 2 + bytes * 2)
    throw new InvalidResponse("a hash, address or data has the wrong form");
  return value.toLowerCase() as Hex;
}

// The root of the trie that a block header commits to for a list, such as the block's receipts. Yellow paper, appendix D.

type RlpItem = Uint8Array | RlpItem[];

interface Entry {
  /** The key's half bytes: the RLP encoding of the value's index. */
  readonly nibbles: readonly number[];
  readonly value: Uint8Array;
}

const nothing = new Uint8Array();

export function trieRoot(values: readonly Uint8Array[], keccak: Keccak): Hex {
  const entries = values.map((value, index) => ({
    nibbles: nibblesOf(toRlp(indexBytes(index), "bytes")),
    value,
  }));
  return hexOf(Buffer.from(keccak(toRlp(nodeOf(entries, 0, keccak), "bytes"))));
}

/** Without leading zeros; zero has no bytes. */
function indexBytes(index: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = index; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function nibblesOf(bytes: Uint8Array): readonly number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}

/** The node of these entries, whose keys are equal up to `depth`. No key is the start of another one. */
function nodeOf(entries: readonly Entry[], depth: number, keccak: Keccak): RlpItem {
  const [first] = entries;
  if (first === undefined) return nothing;
  const rest = first.nibbles.slice(depth);
  if (entries.length === 1) return [pathOf(rest, true), first.value];
  let shared = 0;
  while (entries.every(({ nibbles }) => nibbles[depth + shared] === rest[shared])) shared++;
  if (shared > 0) {
    const path = pathOf(rest.slice(0, shared), false);
    return [path, referenceTo(nodeOf(entries, depth + shared, keccak), keccak)];
  }
  const children = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ nibbles }) => nibbles[depth] === nibble);
    return below.length === 0 ? nothing : referenceTo(nodeOf(below, depth + 1, keccak), keccak);
  });
  return [...children, nothing];
}

/** Nodes shorter than a hash are embedded. */
function referenceTo(node: RlpItem, keccak: Keccak): RlpItem {
  const encoded = toRlp(node, "bytes");
  return encoded.length < 32 ? node : keccak(encoded);
}

/** Hex-prefix encoding (appendix C): the first half byte says whether the node is a leaf, and whether the length is odd. */
function pathOf(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const padded = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles];
  return Uint8Array.from(
    { length: padded.length / 2 },
    (_, at) => ((padded[at * 2] ?? 0) << 4) | (padded[at * 2 + 1] ?? 0),
  );
}
