import type { Hex } from "../../chain/rpc/chain.ts";

/** The claim that a wallet has signed a hash. */
export interface WalletClaim {
  readonly wallet: Hex;
  /** The signed hash, 32 bytes. */
  readonly hash: Hex;
  readonly signature: Hex;
}
