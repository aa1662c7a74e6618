import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import { CallReverted, type Chain, type Hex, type ManyCallsRequest } from "../chain.ts";
import contract from "../contracts/CallMany.json" with { type: "json" };

type Call = ManyCallsRequest["calls"][number];
type Answers = readonly (Hex | undefined)[];

const abi = contract.abi as Abi;

/** Of one contract's answer, in bytes. */
const defaultMaxBytes = 4_096;
/** Calls in one round trip: each has half a million gas then, of the fifty that nodes give. */
const mostCalls = 100;
/** Bytes of all answers of one round trip, so that their hex is under the limit of an answer. */
const mostAnswerBytes = 400_000;
/** Bytes of calls that go along with creation code, which may have 49,152 in all (EIP-3860). */
const mostCallBytes = 40_000;

/** Each part goes out at the same moment, and so in the same request. */
export async function callMany(
  callCode: Chain["callCode"],
  { calls, maxResultBytes = defaultMaxBytes, blockHash, signal }: ManyCallsRequest,
): Promise<Answers> {
  const most = Math.max(1, Math.min(mostCalls, Math.floor(mostAnswerBytes / maxResultBytes)));
  const ask = async (part: readonly Call[]): Promise<Answers> => {
    const data = encodeFunctionData({ abi, functionName: "callMany", args: [part, BigInt(maxResultBytes)] });
    try {
      return readAnswers(await callCode({ code: contract.bytecode as Hex, data, blockHash, signal }));
    } catch (err) {
      if (!(err instanceof CallReverted)) throw err;
      if (part.length <= 1) return [undefined];
      // A node that gives less gas than others, or takes less: half of the calls may be within its limit.
      const middle = part.length >> 1;
      return (await Promise.all([ask(part.slice(0, middle)), ask(part.slice(middle))])).flat();
    }
  };
  return (await Promise.all(partsOf(calls, most).map(ask))).flat();
}

function partsOf(calls: readonly Call[], most: number): readonly (readonly Call[])[] {
  const parts: Call[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const call of calls) {
    // Its address, and where its data is and how long; the data is filled up to whole words.
    const size = 5 * 32 + call.data.length / 2;
    const last = parts.at(-1);
    if (last === undefined || last.length >= most || bytes + size > mostCallBytes) {
      parts.push([call]);
      bytes = size;
    } else {
      last.push(call);
      bytes += size;
    }
  }
  return parts;
}

function readAnswers(bytes: Hex): Answers {
  const answers = decodeFunctionResult({ abi, functionName: "callMany", data: bytes });
  return (answers as readonly { readonly isDone: boolean; readonly data: Hex }[]).map(({ isDone, data }) =>
    isDone ? data : undefined,
  );
}
