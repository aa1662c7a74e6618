import { secp256k1 } from "@noble/curves/secp256k1";
import { loadHashTypedData } from "../../../server/signatures/typed-data/hash.ts";

type Field = { name: string; type: string };

export interface Mail {
  readonly types: Record<string, Field[]>;
  readonly primaryType: "Mail";
  readonly domain: Record<string, string | number>;
  readonly message: Record<string, unknown>;
}

/** The signer of EIP-712's example. */
export const wallet = "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826";
const key = Buffer.from("c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4", "hex");

/** EIP-712's own example with another content, and so another signature, each time. */
export async function signedMails(
  count: number,
): Promise<readonly { readonly mail: Mail; readonly signature: `0x${string}` }[]> {
  const hash = await loadHashTypedData();
  return Array.from({ length: count }, (_, index) => {
    const mail = mailOf(`Hello, Bob! ${index}`);
    const signed = secp256k1.sign(hash(mail), key);
    return { mail, signature: `0x${signed.toCompactHex()}${(27 + signed.recovery).toString(16)}` };
  });
}

/** The document of EIP-712's example with another content. */
function mailOf(contents: string): Mail {
  return {
    types: {
      EIP712Domain: [
        { name: "name", type: "string" },
        { name: "version", type: "string" },
        { name: "chainId", type: "uint256" },
        { name: "verifyingContract", type: "address" },
      ],
      Person: [
        { name: "name", type: "string" },
        { name: "wallet", type: "address" },
      ],
      Mail: [
        { name: "from", type: "Person" },
        { name: "to", type: "Person" },
        { name: "contents", type: "string" },
      ],
    },
    primaryType: "Mail",
    domain: {
      name: "Ether Mail",
      version: "1",
      chainId: 1,
      verifyingContract: "0xcccccccccccccccccccccccccccccccccccccccc",
    },
    message: {
      from: { name: "Cow", wallet },
      to: { name: "Bob", wallet: "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" },
      contents,
    },
  };
}
