import { CallReverted, ChainBusy, ChainFailure, ChainUnavailable, type Hex } from "../chain.ts";
import { AllNodesFailed, NodeRpcError } from "./faults.ts";

/** Converts an error of a node request into an error of the interface `Chain`. */
export function chainErrorOf(err: unknown, network: string): CallReverted | ChainFailure | ChainBusy {
  if (err instanceof CallReverted || err instanceof ChainFailure) return err;
  const busy = findCause(err, ChainBusy);
  if (busy !== undefined) return busy;
  const reverted = findCause(err, NodeRpcError);
  if (reverted !== undefined && isCallReverted(reverted)) return new CallReverted(dataOf(reverted), reverted);
  const failed = findCause(err, AllNodesFailed);
  return new ChainUnavailable(`the nodes of ${network} ${problemOf(failed)}`, { cause: failed ?? err });
}

function problemOf(failed: AllNodesFailed | undefined): string {
  if (failed?.areAllOnWrongChain === true) return "are nodes of another chain";
  return failed?.isAtLimit === true
    ? "have reached their limit of requests; try again later"
    : "do not respond";
}

/** Code of Nethermind and OpenEthereum for any failed call. */
const vmExecutionError = -32_015;

/** How the different nodes report that a call failed in the contract. */
const callFailurePattern: RegExp = new RegExp(
  [
    /revert/,
    /out of ?gas|gas required exceeds|gas uint64 overflow/,
    /invalid ?opcode|invalidfeopcode|opcode ?not ?found|bad instruction/,
    /stack ?(over|under)flow|stack limit reached/,
    /(bad|invalid) ?jump/,
    /write protection|return ?data out of bounds|call depth exceeded/,
    /initcode|max code size|invalid code|address collision/,
    /vm exception|vm execution error|evm error/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** The form of revert data. Nethermind puts a word before it: "Reverted 0x08c379a0…". */
const revertDataPattern = /^(?:reverted )?(0x(?:[0-9a-f]{2})*)$/i;

/**
 * Whether the node reports that the call failed in the contract, so that any other node would report the same. Nodes agree on
 * code 3 for a revert; other failures can only be recognized by their English messages.
 */
export function isCallReverted({ code, detail, data, status }: NodeRpcError): boolean {
  const isCallFailureCode = code === 3 || code === vmExecutionError;
  if (status !== 200 || (code > -32_000 && !isCallFailureCode)) return false;
  const reason = reasonIn(data);
  // Truncated or garbled revert data means that the node, or a proxy before it, has failed.
  const isHex = code === 3 || /^(reverted )?0x/i.test(reason ?? "");
  if (reason !== undefined && isHex && !revertDataPattern.test(reason)) return false;
  return (
    callFailurePattern.test(detail) ||
    (isCallFailureCode && reason !== undefined && revertDataPattern.test(reason))
  );
}

function dataOf({ data }: NodeRpcError): Hex {
  return (revertDataPattern.exec(reasonIn(data) ?? "")?.[1] ?? "0x") as Hex;
}

/** Some nodes nest the data one level deeper. */
function reasonIn(data: unknown): string | undefined {
  const inner = typeof data === "object" && data !== null ? (data as { readonly data?: unknown }).data : data;
  return typeof inner === "string" ? inner : undefined;
}

function findCause<Fault extends Error>(
  err: unknown,
  kind: abstract new (...args: never[]) => Fault,
): Fault | undefined {
  let link = err;
  for (let depth = 0; depth < 10 && link instanceof Error; depth++) {
    if (link instanceof kind) return link;
    link = link.cause;
  }
  return undefined;
}
