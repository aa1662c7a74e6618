/** The approval that lets the router take the tokens to sell. Tokens such as Tether (USDT) accept none while another is left. */
import { CallReverted, type Chain, type Hex } from "../../chain/rpc/chain.ts";
import { SwapRejection } from "./swap.ts";

export interface AllowanceParties {
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
}

export interface Approval extends AllowanceParties {
  readonly amount: bigint;
  readonly allowance: bigint;
}

/**
 * Encodes `approve(spender, amount)` after simulating it from the owner. Throws SwapRejection if the token rejects it, and ChainFailure.
 */
export async function encodeApproval(chain: Chain, approval: Approval, signal?: AbortSignal): Promise<Hex> {
  const data = encodeApprove(approval.spender, approval.amount);
  if (await isAccepted(chain, approval, data, signal)) return data;
  // Some tokens, such as Tether's, require an allowance to be reset to zero before it is changed.
  const mustResetFirst =
    approval.allowance > 0n &&
    (await isAccepted(chain, approval, encodeApprove(approval.spender, 0n), signal));
  throw new SwapRejection(
    mustResetFirst
      ? "send approve(to, 0) first"
      : `sellCurrencyAddress: the token rejects an approval by ${approval.owner}`,
  );
}

/** Whether the token accepts the approval: it returns nothing, or true. False or a revert is a rejection. */
async function isAccepted(
  chain: Chain,
  { token, owner }: Approval,
  data: Hex,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const result = await chain.call({ from: owner, to: token, data, signal });
    return result === "0x" || BigInt(result.slice(0, 66)) === 1n;
  } catch (err) {
    if (err instanceof CallReverted) return false;
    throw err;
  }
}

/** Returns 0 if the token does not report its allowance. Throws ChainFailure. */
export async function readAllowance(
  chain: Chain,
  { token, owner, spender }: AllowanceParties,
  signal?: AbortSignal,
): Promise<bigint> {
  try {
    const result = await chain.call({ to: token, data: `0xdd62ed3e${word(owner)}${word(spender)}`, signal });
    return result.length < 66 ? 0n : BigInt(result.slice(0, 66));
  } catch (err) {
    if (err instanceof CallReverted) return 0n;
    throw err;
  }
}

function word(address: Hex): string {
  return address.slice(2).padStart(64, "0");
}

function encodeApprove(spender: Hex, amount: bigint): Hex {
  return `0x095ea7b3${word(spender)}${amount.toString(16).padStart(64, "0")}`;
}
