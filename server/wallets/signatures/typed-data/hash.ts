/**
 * EIP-712: typed data as it comes in JSON, to the 32 bytes that wallets sign. Read as the public service reads it: `EIP712Domain`
 * and the primary type may be left out, integers may be numbers, decimal or hex text.
 * https://eips.ethereum.org/EIPS/eip-712
 */
import { type Keccak, loadKeccak } from "../../../base/keccak.ts";
import { CompiledTypes } from "./compiled-types.ts";
import { domainTypeOf } from "./domain.ts";
import { inferPrimaryType } from "./primary-type.ts";
import { inside, TypedDataError } from "./typed-data-error.ts";
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

/** Loaded when first asked for. All callers share its cache of compiled types. */
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
    if (!Object.hasOwn(types, primary))
      throw new TypedDataError(`there is no type "${primary}"`, "primaryType");
    const structs = compiled.get(types);
    const separator = inside("domain", () => structs.of("EIP712Domain")(domain));
    // A signature over the domain alone has no message.
    const parts = primary === "EIP712Domain" ? [] : [inside("message", () => structs.of(primary)(message))];
    return keccak(Buffer.concat([prefix, separator, ...parts]));
  };
}

/** EIP-191, version 1. */
const prefix = Uint8Array.of(0x19, 0x01);
