import { TypedDataError } from "./typed-data-error.ts";
import type { TypedField } from "./types.ts";

const domainFields: readonly TypedField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

/** Infers the type of a domain: its fields in the order of EIP-712. Throws TypedDataError for an unknown field. */
export function domainTypeOf(domain: Readonly<Record<string, unknown>>): readonly TypedField[] {
  const unknown = Object.keys(domain).find((key) => !domainFields.some(({ name }) => name === key));
  if (unknown !== undefined) throw new TypedDataError("unknown field of EIP712Domain", `domain.${unknown}`);
  return domainFields.filter(
    ({ name }) => Object.hasOwn(domain, name) && domain[name] !== undefined && domain[name] !== null,
  );
}
