import type { Chain, Hex } from "../../chain/rpc/chain.ts";
import { loadRecoverAddress } from "./recover.ts";
import { loadHashTypedData, type TypedDataInput } from "./typed-data/hash.ts";
import { isWalletSignature } from "./wallet-signature.ts";

export interface SignatureClaim {
  /** The wallet that supposedly signed. Lower case. */
  readonly wallet: string;
  readonly typedData: TypedDataInput;
  /** Any length, in hex. */
  readonly signature: string;
}

/** Called only if the signature cannot be verified by recovery. */
export type OpenChain = () => Promise<Chain>;

/**
 * Whether the wallet has signed the typed data. A plain account is verified by recovery, without the chain. Otherwise the
 * wallet's contract decides (ERC-1271), even if it is not deployed yet (ERC-6492). Throws TypedDataError, and ChainFailure if
 * the chain is needed and unavailable.
 */
export async function verifyTypedData(
  { wallet, typedData, signature }: SignatureClaim,
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
