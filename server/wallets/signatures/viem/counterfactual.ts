import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { WalletClaim } from "../wallet-claim.ts";

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
