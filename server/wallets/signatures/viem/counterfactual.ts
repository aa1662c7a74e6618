import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";

/** The claim that a wallet has signed a hash. */
export interface WalletClaim {
  readonly wallet: Hex;
  /** The signed hash, 32 bytes. */
  readonly hash: Hex;
  readonly signature: Hex;
}

/**
 * Returns creation code that verifies a signature by ERC-6492 when it runs, and returns one byte, 1 for valid. This is the
 * standard's reference validator: it deploys the wallet through the signature's factory if necessary, then calls it.
 */
export function validatorCode({ wallet, hash, signature }: WalletClaim): Hex {
  return encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hash, signature],
  });
}
