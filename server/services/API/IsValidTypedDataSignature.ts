import type { APIHandlers } from "../../../generated/server/api.ts";
import type { Networks } from "../../networks/networks.ts";
import { loadRecoverAddress } from "../../signatures/recover.ts";
import { loadHashTypedData } from "../../signatures/typed-data/hash.ts";
import { TypedDataError } from "../../signatures/typed-data/typed-data-error.ts";

export interface Ports {
  readonly networks: Networks;
}

/** Largest typed data, in bytes of its JSON: 256 KiB, as the schema says. */
const typedDataMaxBytes = 262_144;

/**
 * A plain account's signature is checked by recovery, which needs no chain. What does not recover to the wallet may still be a
 * contract's: only its chain knows, and this host asks none yet.
 */
export function isValidTypedDataSignature({ networks }: Ports): APIHandlers["IsValidTypedDataSignature"] {
  return async (ctx, { chainId, walletAddress, typedData, signature }) => {
    const refuse = (cause: string) => ctx.errors.InvalidArgument({ cause, expose: true });
    if (networks.find(String(chainId)) === undefined)
      return refuse(`chainId: this host does not serve "${chainId}"`);
    const size = Buffer.byteLength(JSON.stringify(typedData));
    if (size > typedDataMaxBytes)
      return refuse(`typedData: ${size} bytes, at most ${typedDataMaxBytes} are read`);
    const [hashTypedData, recoverAddress] = await Promise.all([loadHashTypedData(), loadRecoverAddress()]);
    let digest: Uint8Array;
    try {
      digest = hashTypedData(typedData);
    } catch (err) {
      if (err instanceof TypedDataError) return refuse(`typedData.${err.message}`);
      throw err;
    }
    if (recoverAddress(digest, signature) === walletAddress.toLowerCase()) return { isValid: true };
    return ctx.errors.QueryFailed({
      cause: "no node of this chain is configured to ask the wallet",
      expose: true,
    });
  };
}
