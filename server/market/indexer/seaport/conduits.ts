import { loadKeccak } from "../../../base/keccak.ts";

/** Who makes the conduits of a Seaport: contracts that move tokens for it. Their places follow from their keys. */
export interface Conduits {
  readonly controller: string;
  /** Of the code by which each is made. */
  readonly creationCodeHash: string;
}

const noKey = `0x${"0".repeat(64)}`;

/** Who moves what the maker of an order gives, and has to be allowed to: Seaport itself, or the conduit of the order's key. */
export async function spenderOf(
  conduitKey: string,
  seaport: string,
  conduits: () => Promise<Conduits>,
): Promise<string> {
  if (conduitKey === noKey) return seaport;
  const { controller, creationCodeHash } = await conduits();
  const keccak = await loadKeccak();
  // EIP-1014: the last 20 bytes of keccak(0xff, maker, salt, keccak(code)).
  const hash = keccak(bytesOf(`0xff${[controller, conduitKey, creationCodeHash].map(digitsOf).join("")}`));
  return `0x${Buffer.from(hash).toString("hex").slice(24)}`;
}

function digitsOf(hex: string): string {
  return hex.slice(2);
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}
