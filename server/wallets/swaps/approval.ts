import { CallReverted, type Chain, type Hex } from "../../chain/rpc/chain.ts";
import { SwapRefusal } from "./swap-refusal.ts";

export interface Parties {
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
}

export interface Approval extends Parties {
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

/** 0 for a token that does not say. Throws ChainFailure. */
export async function readAllowance(
  chain: Chain,
  { token, owner, spender }: Parties,
  signal?: AbortSignal,
): Promise<bigint> {
  try {
    const answer = await chain.call({ to: token, data: `0xdd62ed3e${word(owner)}${word(spender)}`, signal });
    return answer.length < 66 ? 0n : BigInt(answer.slice(0, 66));
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
