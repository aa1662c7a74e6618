import type { APIHandlers } from "../../../../generated/server.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import type { Chains } from "../../../chain/rpc/chains.ts";
import { TypedDataError } from "../../../wallets/signatures/typed-data/typed-data-error.ts";
import { verifyTypedData } from "../../../wallets/signatures/verify.ts";
import { type CallContext, networkOf } from "../call-context.ts";
import { chainFailure } from "./failures.ts";

export interface SignatureDependencies {
  readonly networks: Networks;
  readonly chains: Chains;
}

/** Largest typed data, in bytes of its JSON: 256 KiB, as in the schema. */
const typedDataMaxBytes = 262_144;

/** A signature that does not match is a result. Typed data that cannot be read is an error with its position. */
export function isValidTypedDataSignature({
  networks,
  chains,
}: SignatureDependencies): APIHandlers<CallContext>["IsValidTypedDataSignature"] {
  return async (ctx, { chainId, walletAddress, typedData, signature }) => {
    const reject = (cause: string) => ctx.errors.InvalidArgument({ cause, expose: true });
    const network = networkOf(networks, { chainId });
    const size = Buffer.byteLength(JSON.stringify(typedData));
    if (size > typedDataMaxBytes)
      return reject(`typedData: ${size} bytes is too large; the limit is ${typedDataMaxBytes}`);
    const claim = { wallet: walletAddress, typedData, signature };
    try {
      const openChain = () => chains.of(network, ctx.host.callerName);
      return { isValid: await verifyTypedData(claim, openChain, ctx.signal) };
    } catch (err) {
      if (err instanceof TypedDataError) return reject(`typedData.${err.message}`);
      return chainFailure(ctx.errors, err);
    }
  };
}
