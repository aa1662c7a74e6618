import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import { CallReverted, type Chain, type Hex, type ManyCallsRequest } from "../chain.ts";
import contract from "../contracts/CallMany.json" with { type: "json" };

type Call = ManyCallsRequest["calls"][number];
type Results = readonly (Hex | undefined)[];

const abi = contract.abi as Abi;

const defaultMaxResultBytes = 4_096;
/** Calls per round trip: each gets half a million gas of the fifty million that nodes allow. */
const maxCalls = 100;
/** Bytes of all results of one round trip; their hex must fit into one response. */
const maxTotalResultBytes = 400_000;
/** Bytes of calls in one round trip; together with the creation code they may have 49,152 (EIP-3860). */
const maxCallBytes = 40_000;

/** All parts are sent at the same time, and therefore in one HTTP request. */
export async function callMany(
  callCode: Chain["callCode"],
  { calls, maxResultBytes = defaultMaxResultBytes, blockHash, signal }: ManyCallsRequest,
): Promise<Results> {
  const maxPartCalls = Math.max(1, Math.min(maxCalls, Math.floor(maxTotalResultBytes / maxResultBytes)));
  const callPart = async (part: readonly Call[]): Promise<Results> => {
    const data = encodeFunctionData({ abi, functionName: "callMany", args: [part, BigInt(maxResultBytes)] });
    try {
      return readResults(await callCode({ code: contract.bytecode as Hex, data, blockHash, signal }));
    } catch (err) {
      if (!(err instanceof CallReverted)) throw err;
      if (part.length <= 1) return [undefined];
      // The node may have a lower limit for gas or size. Half of the calls may be within it.
      const middle = part.length >> 1;
      return (await Promise.all([callPart(part.slice(0, middle)), callPart(part.slice(middle))])).flat();
    }
  };
  return (await Promise.all(partsOf(calls, maxPartCalls).map(callPart))).flat();
}

function partsOf(calls: readonly Call[], maxPartCalls: number): readonly (readonly Call[])[] {
  const parts: Call[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const call of calls) {
    // Address, offsets and length, plus the data padded to whole words.
    const size = 5 * 32 + call.data.length / 2;
    const last = parts.at(-1);
    if (last === undefined || last.length >= maxPartCalls || bytes + size > maxCallBytes) {
      parts.push([call]);
      bytes = size;
    } else {
      last.push(call);
      bytes += size;
    }
  }
  return parts;
}

function readResults(bytes: Hex): Results {
  const results = decodeFunctionResult({ abi, functionName: "callMany", data: bytes });
  return (results as readonly { readonly isDone: boolean; readonly data: Hex }[]).map(({ isDone, data }) =>
    isDone ? data : undefined,
  );
}
