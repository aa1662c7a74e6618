import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { utf8ToBytes } from "@noble/hashes/utils";
import { postBytes } from "../support/open-loop.ts";

/** A call with a realistic cost: recovers the signer of typed data with 60 fields, about 0.3 ms of CPU. */
export function signatureCall(headers: Readonly<Record<string, string>>): Buffer {
  const fields = Array.from({ length: 60 }, (_, index) => ({ name: `field${index}`, type: "string" }));
  const message = Object.fromEntries(fields.map(({ name }) => [name, `${name} of the message`]));
  const signature = secp256k1.sign(keccak_256(utf8ToBytes("anything")), keccak_256(utf8ToBytes("cow")));
  const body = {
    chainId: "1",
    walletAddress: "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826",
    typedData: { types: { Mail: fields }, primaryType: "Mail", domain: { name: "attack" }, message },
    signature: `0x${signature.toCompactHex()}1b`,
  };
  return postBytes("/rpc/API/IsValidTypedDataSignature", JSON.stringify(body), headers);
}

export const greeting = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  domain: { name: "Try" },
  message: { text: "hello" },
} as const;

/** A call whose main cost is the credentials: a valid signature, so that no chain is called. */
export function smallSignatureCall(headers: Readonly<Record<string, string>>): Buffer {
  const body = {
    chainId: "1",
    walletAddress: "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826",
    typedData: greeting,
    signature:
      "0xdea54cfcd7557ae73c223a85889dd6bb202be403d66cc9ce436e9d8ac31fd00d0f6fb0aa525999e782ae2284a253ba2444e9f3a30e757f9e782e8595d9cbac6b1b",
  };
  return postBytes("/rpc/API/IsValidTypedDataSignature", JSON.stringify(body), headers);
}

/** A call that needs the nodes of chain 31337: the wallet may be a contract. */
export function walletCall(headers: Readonly<Record<string, string>>): Buffer {
  const body = {
    chainId: "31337",
    walletAddress: `0x${"11".repeat(20)}`,
    typedData: greeting,
    signature: `0x${"22".repeat(64)}1b`,
  };
  return postBytes("/rpc/API/IsValidTypedDataSignature", JSON.stringify(body), headers);
}

/** A call whose handler also queries the database. */
export function sourcesCall(headers: Readonly<Record<string, string>>, projectId: number): Buffer {
  return postBytes("/rpc/Builder/ListContractSources", JSON.stringify({ projectId }), headers);
}

export function pingCall(): Buffer {
  return postBytes("/rpc/API/Ping", "{}");
}
