import { TypedDataError } from "./typed-data-error.ts";
import type { TypedField } from "./types.ts";

const domainFields: readonly TypedField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** The fields that a domain without a type of its own has, in the order of the standard. Throws TypedDataError for another key. */
export function domainTypeOf(domain: Readonly<Record<string, unknown>>): readonly TypedField[] {
  const unknown = Object.keys(domain).find((key) => !domainFields.some(({ name }) => name === key));
  if (unknown !== undefined) throw new TypedDataError("no field of EIP712Domain", `domain.${unknown}`);
  return domainFields.filter(
    ({ name }) => Object.hasOwn(domain, name) && domain[name] !== undefined && domain[name] !== null,
  );
}
