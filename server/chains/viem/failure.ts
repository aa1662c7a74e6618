import { BaseError } from "viem";
import { CallReverted, ChainBusy, ChainFailure, type Hex } from "../chain.ts";

/** What an error of viem means to the rooms that asked. */
export function failureOf(err: unknown, network: string): CallReverted | ChainFailure | ChainBusy {
  if (err instanceof CallReverted || err instanceof ChainFailure) return err;
  const busy = find(err, (link) => link instanceof ChainBusy);
  if (busy instanceof ChainBusy) return busy;
  if (isTooLarge(err)) return new CallReverted("0x", err);
  const answer = find(err, isRefusal);
  if (answer !== undefined) return new CallReverted(dataOf(err), err);
  return new ChainFailure(`the nodes of ${network} do not answer`, { cause: err });
}

/** Whether a node has answered, so that another node would answer the same. */
export function isAnswer(err: unknown): boolean {
  return isTooLarge(err) || find(err, isRefusal) !== undefined;
}

export function isTooLarge(err: unknown): boolean {
  return find(err, ({ name }) => name === "ResponseBodyTooLargeError") !== undefined;
}

interface Link {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly data?: unknown;
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

/** Nodes agree on the code 3 for a revert; for the other ways in which a call ends they agree on nothing but English. */
function isRefusal({ code, details, message }: Link): boolean {
  if (code === 3 || code === vmExecutionError) return true;
  const text = typeof details === "string" ? details : String(message ?? "");
  return typeof code === "number" && code <= -32_000 && endings.test(text);
}

function dataOf(err: unknown): Hex {
  const link = find(err, ({ data }) => typeof data === "string" || isNested(data));
  const data = link?.data;
  const text = isNested(data) ? data.data : data;
  // Nethermind puts a word before it: "Reverted 0x08c379a0…".
  const [, hex = "0x"] = typeof text === "string" ? (/^(?:reverted )?(0x[0-9a-f]*)$/i.exec(text) ?? []) : [];
  return hex as Hex;
}

function isNested(data: unknown): data is { readonly data: string } {
  return typeof data === "object" && data !== null && typeof (data as { data?: unknown }).data === "string";
}

/** The first in the chain of causes that fits. */
function find(err: unknown, fits: (link: Link) => boolean): Link | undefined {
  let link: unknown = err;
  for (let depth = 0; depth < 10 && typeof link === "object" && link !== null; depth++) {
    if (fits(link)) return link;
    link = link instanceof BaseError || link instanceof Error ? link.cause : undefined;
  }
  return undefined;
}
