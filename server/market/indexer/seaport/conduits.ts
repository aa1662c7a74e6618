import { loadKeccak } from "../../../base/keccak.ts";
import { bytesOf } from "../../../chain/rpc/hex.ts";

/** Determines the addresses of conduits, which are contracts that move tokens for Seaport. Each address follows from the conduit's key. */
export interface Conduits {
  /** The contract that creates conduits. */
  readonly controller: string;
  /** Hash of the code that creates each conduit. */
  readonly creationCodeHash: string;
}

const noKey = `0x${"0".repeat(64)}`;

/** Returns the contract that moves the maker's tokens and needs their approval: Seaport itself, or the conduit of the order's key. */
export async function spenderOf(
  conduitKey: string,
  seaport: string,
  conduits: () => Promise<Conduits>,
): Promise<string> {
  if (conduitKey === noKey) return seaport;
  const { controller, creationCodeHash } = await conduits();
  const keccak = await loadKeccak();
  // EIP-1014: the last 20 bytes of keccak(0xff, creator, salt, keccak(code)).
  const hash = keccak(bytesOf(`0xff${[controller, conduitKey, creationCodeHash].map(digitsOf).join("")}`));
  return `0x${Buffer.from(hash).toString("hex").slice(24)}`;
}

function digitsOf(hex: string): string {
  return hex.slice(2);
}
