import type { Chain, Hex } from "../../chain/rpc/chain.ts";
import { loadRecoverAddress } from "./recover.ts";
import { loadHashTypedData, type TypedDataInput } from "./typed-data/hash.ts";
import { isWalletSignature } from "./wallet-signature.ts";

export interface Claim {
  /** Who is said to have signed. Lower case. */
  readonly wallet: string;
  readonly typedData: TypedDataInput;
  /** Any bytes in hex. */
  readonly signature: string;
}

/** Asked only if the signature is no plain account's. */
export type OpenChain = () => Promise<Chain>;

/**
 * Whether the wallet has signed the typed data: a plain account by recovery, without asking the chain; any other wallet by asking
 * its contract (ERC-1271), also one that is not deployed yet (ERC-6492). Throws TypedDataError, and ChainFailure where the chain
 * must be asked and does not answer.
 */
export async function verifyTypedData(
  { wallet, typedData, signature }: Claim,
  openChain: OpenChain,
  signal?: AbortSignal,
): Promise<boolean> {
  const [hashTypedData, recoverAddress] = await Promise.all([loadHashTypedData(), loadRecoverAddress()]);
  const digest = hashTypedData(typedData);
  if (recoverAddress(digest, signature) === wallet) return true;
  const hash: Hex = `0x${Buffer.from(digest).toString("hex")}`;
  return isWalletSignature(
    await openChain(),
    { wallet: wallet as Hex, hash, signature: signature as Hex },
    signal,
  );
}
