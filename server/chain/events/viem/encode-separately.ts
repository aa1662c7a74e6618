import { type AbiParameter, decodeAbiParameters, encodeAbiParameters } from "viem";
import type { Hex } from "../../rpc/chain.ts";
import { type EncodeSeparately, tupleComponents } from "../contract-event.ts";

/**
 * Decodes the data and re-encodes each argument. Only the structure matters: words are copied as they are, and strings may hold
 * invalid UTF-8.
 */
export const encodeSeparately: EncodeSeparately = (types, data) => {
  const parameters = types.map(parameterOf);
  try {
    const values = decodeAbiParameters(parameters, data);
    return parameters.map((parameter, index): Hex => encodeAbiParameters([parameter], [values[index]]));
  } catch {
    // Data that cannot be decoded does not fit the event, whatever the error.
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
