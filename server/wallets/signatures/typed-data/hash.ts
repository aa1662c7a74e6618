/**
 * EIP-712: hashes typed data in JSON to the 32 bytes that wallets sign. Accepts what the public service accepts: `EIP712Domain`
 * and the primary type may be omitted, and integers may be numbers, decimal or hex text. https://eips.ethereum.org/EIPS/eip-712
 */
import { type Keccak, loadKeccak } from "../../../base/keccak.ts";
import { CompiledTypes } from "./compiled-types.ts";
import { domainTypeOf } from "./domain.ts";
import { inferPrimaryType } from "./primary-type.ts";
import { TypedDataError, withPath } from "./typed-data-error.ts";
import type { TypedField } from "./types.ts";

export interface TypedDataInput {
  readonly types: Readonly<Record<string, readonly TypedField[]>>;
  readonly primaryType?: string | undefined;
  readonly domain?: Readonly<Record<string, unknown>> | undefined;
  readonly message: Readonly<Record<string, unknown>>;
}

/** `keccak256("\x19\x01" ‖ domainSeparator ‖ hashStruct(message))`, 32 bytes. Throws TypedDataError. */
export type HashTypedData = (input: TypedDataInput) => Uint8Array;

let loading: Promise<HashTypedData> | undefined;

/** Loads on first use. All callers share one cache of compiled types. */
export function loadHashTypedData(): Promise<HashTypedData> {
  loading ??= loadKeccak().then(createHashTypedData);
  return loading;
}

function createHashTypedData(keccak: Keccak): HashTypedData {
  const compiled = new CompiledTypes(keccak);
  return ({ types: given, primaryType, domain = {}, message }) => {
    const types = Object.hasOwn(given, "EIP712Domain")
      ? given
      : { ...given, EIP712Domain: domainTypeOf(domain) };
    const primary = primaryType ?? inferPrimaryType(types, message);
    if (!Object.hasOwn(types, primary)) throw new TypedDataError(`unknown type "${primary}"`, "primaryType");
    const structs = compiled.get(types);
    const separator = withPath("domain", () => structs.of("EIP712Domain")(domain));
    // With the domain as primary type, only the domain is signed.
    const parts = primary === "EIP712Domain" ? [] : [withPath("message", () => structs.of(primary)(message))];
    return keccak(Buffer.concat([prefix, separator, ...parts]));
  };
}

/** EIP-191, version 1. */
const prefix = Uint8Array.of(0x19, 0x01);
