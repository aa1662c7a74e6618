/** Whether a block header is the one that its hash names, so that the root of the receipts in it can be trusted as much as the hash. */
import { toRlp } from "viem";
import type { Keccak } from "../../../../base/keccak.ts";
import type { Hex } from "../../../rpc/chain.ts";
import { hexOf } from "../../bytes.ts";
import { hexOfLength, quantity } from "./receipts.ts";

type Read = (value: unknown) => Hex;

const fixed =
  (bytes: number): Read =>
  (value) =>
    hexOfLength(value, bytes);
const any: Read = (value) => hexOfLength(value, undefined);
const hash = fixed(32);

/** In the order of the encoding. */
const fields: readonly (readonly [name: string, read: Read])[] = [
  ["parentHash", hash],
  ["sha3Uncles", hash],
  ["miner", fixed(20)],
  ["stateRoot", hash],
  ["transactionsRoot", hash],
  ["receiptsRoot", hash],
  ["logsBloom", fixed(256)],
  ["difficulty", quantity],
  ["number", quantity],
  ["gasLimit", quantity],
  ["gasUsed", quantity],
  ["timestamp", quantity],
  ["extraData", any],
  ["mixHash", hash],
  ["nonce", fixed(8)],
];

/** Added by London, Shanghai, Cancun and Prague, in this order. A header has all up to those of its fork. */
const laterFields: readonly (readonly [name: string, read: Read])[] = [
  ["baseFeePerGas", quantity],
  ["withdrawalsRoot", hash],
  ["blobGasUsed", quantity],
  ["excessBlobGas", quantity],
  ["parentBeaconBlockRoot", hash],
  ["requestsHash", hash],
];

/** Throws InvalidResponse if a field is missing. */
export function headerHash(header: Readonly<Record<string, unknown>>, keccak: Keccak): Hex {
  const later = laterFields.filter(([name]) => header[name] !== undefined && header[name] !== null);
  const items = [...fields, ...later].map(([name, read]) => read(header[name]));
  return hexOf(Buffer.from(keccak(toRlp(items, "bytes"))));
}
