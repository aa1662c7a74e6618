type Field = { name: string; type: string };

/** Typed data as every library takes it. */
export interface Mail {
  readonly types: Record<string, Field[]>;
  readonly primaryType: "Mail";
  readonly domain: Record<string, string | number>;
  readonly message: Record<string, unknown>;
}

/** What EIP-712 states of its example: digest, signer, and the key of that, which is Keccak of "cow". */
export const mailDigest = "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2";
export const mailSigner = "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826";
export const mailKey = "c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4";

/** The example of EIP-712 itself, or with another content. https://eips.ethereum.org/EIPS/eip-712 */
export function makeMail(contents = "Hello, Bob!"): Mail {
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
      verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
    },
    message: {
      from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
      to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
      contents,
    },
  };
}
