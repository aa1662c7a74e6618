import { type AbiParameter, decodeAbiParameters, encodeAbiParameters } from "viem";
import type { Hex } from "../../rpc/chain.ts";
import { type EncodeSeparately, tupleComponents } from "../types.ts";

/**
 * Takes the data apart and puts each argument together again. Only the structure is looked at: a word is kept as it is, and a
 * string may hold bytes that are no text.
 */
export const encodeSeparately: EncodeSeparately = (types, data) => {
  const parameters = types.map(parameterOf);
  try {
    const values = decodeAbiParameters(parameters, data);
    return parameters.map((parameter, index): Hex => encodeAbiParameters([parameter], [values[index]]));
  } catch {
    // Whatever is wrong with it, it is not what the event says.
    return undefined;
  }
};

function parameterOf(type: string): AbiParameter {
  const [, arrays = ""] = /((?:\[[0-9]*\])*)$/.exec(type) ?? [];
  const item = type.slice(0, type.length - arrays.length);
  if (item.startsWith("("))
    return { type: `tuple${arrays}`, components: tupleComponents(item).map(parameterOf) } as AbiParameter;
  return { type: `${item === "string" || item === "bytes" ? "bytes" : "bytes32"}${arrays}` };
}
