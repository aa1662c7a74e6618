import { CallReverted, type Chain, type Hex } from "../chains/chain.ts";
import { SwapRefusal } from "./swap-refusal.ts";

export interface Approval {
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  readonly amount: bigint;
  /** What the spender may take already. */
  readonly allowance: bigint;
}

/** `approve(spender, amount)`, tried from the owner. Throws SwapRefusal for a token that will not take it, and ChainFailure. */
export async function writeApproval(chain: Chain, approval: Approval, signal?: AbortSignal): Promise<Hex> {
  const data = encodeApprove(approval.spender, approval.amount);
  if (await isTaken(chain, approval, data, signal)) return data;
  // As Tether's token does: an allowance that is not zero must be zero before it is another one.
  const isStubborn =
    approval.allowance > 0n && (await isTaken(chain, approval, encodeApprove(approval.spender, 0n), signal));
  throw new SwapRefusal(
    isStubborn
      ? "send approve(to, 0) first"
      : `sellCurrencyAddress: the token takes no approval of ${approval.owner}`,
  );
}

/** A token may answer nothing, or true; false and a revert are a no. */
async function isTaken(
  chain: Chain,
  { token, owner }: Approval,
  data: Hex,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const answer = await chain.call({ from: owner, to: token, data, signal });
    return answer === "0x" || BigInt(answer.slice(0, 66)) === 1n;
  } catch (err) {
    if (err instanceof CallReverted) return false;
    throw err;
  }
}

function encodeApprove(spender: Hex, amount: bigint): Hex {
  return `0x095ea7b3${spender.slice(2).padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`;
}
