import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { WalletClaim } from "../wallet-claim.ts";

/**
 * Creation code that judges a signature by ERC-6492 while it is run, and leaves one byte, 1 for yes: the standard's own validator. It
 * deploys the wallet by the signature's factory if need be, and asks it then.
 */
export function validatorCode({ wallet, hash, signature }: WalletClaim): Hex {
  return encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hash, signature],
  });
}
