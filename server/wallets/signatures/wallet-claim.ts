import type { Hex } from "../../chain/rpc/chain.ts";

/** What a wallet is said to have signed. */
export interface WalletClaim {
  readonly wallet: Hex;
  /** What was signed, 32 bytes. */
  readonly hash: Hex;
  readonly signature: Hex;
}
