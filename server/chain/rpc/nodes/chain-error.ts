import { CallReverted, ChainBusy, ChainFailure, type Hex } from "../chain.ts";
import { AllNodesFailed, RpcError } from "./faults.ts";

/** What an error of a question means to the rooms that asked. */
export function chainErrorOf(err: unknown, network: string): CallReverted | ChainFailure | ChainBusy {
  if (err instanceof CallReverted || err instanceof ChainFailure) return err;
  const busy = find(err, ChainBusy);
  if (busy !== undefined) return busy;
  const refusal = find(err, RpcError);
  if (refusal !== undefined && isCallReverted(refusal)) return new CallReverted(dataOf(refusal), refusal);
  const failed = find(err, AllNodesFailed);
  const what = failed?.areAllOnWrongChain === true ? "are nodes of another chain" : "do not answer";
  return new ChainFailure(`the nodes of ${network} ${what}`, { cause: failed ?? err });
}

/** Nethermind's and OpenEthereum's code for whatever ends a call early. */
const vmExecutionError = -32_015;

/** How nodes of every kind write that a call ended early, and the contract is at fault. */
const endings: RegExp = new RegExp(
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

/** How the reason of a revert is written. Nethermind puts a word before it: "Reverted 0x08c379a0…". */
const reasonForm = /^(?:reverted )?(0x(?:[0-9a-f]{2})*)$/i;

/**
 * Whether a node has answered that the contract did not carry out the call, so that another node would answer the same. Nodes agree on
 * the code 3 for a revert; for the other ways in which a call ends they agree on nothing but English.
 */
export function isCallReverted({ code, detail, data, status }: RpcError): boolean {
  const isOwnCode = code === 3 || code === vmExecutionError;
  if (status !== 200 || (code > -32_000 && !isOwnCode)) return false;
  const reason = reasonIn(data);
  // A reason that is cut or garbled tells that the node, or what stands before it, has failed.
  const isHex = code === 3 || /^(reverted )?0x/i.test(reason ?? "");
  if (reason !== undefined && isHex && !reasonForm.test(reason)) return false;
  return endings.test(detail) || (isOwnCode && reason !== undefined && reasonForm.test(reason));
}

function dataOf({ data }: RpcError): Hex {
  return (reasonForm.exec(reasonIn(data) ?? "")?.[1] ?? "0x") as Hex;
}

/** Some nodes put it one level deeper. */
function reasonIn(data: unknown): string | undefined {
  const inner = typeof data === "object" && data !== null ? (data as { readonly data?: unknown }).data : data;
  return typeof inner === "string" ? inner : undefined;
}

/** The first in the chain of causes that is of this kind. */
function find<Fault extends Error>(
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
