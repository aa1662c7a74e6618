import { secp256k1 } from "@noble/curves/secp256k1";
import { loadHashTypedData } from "../../../server/wallets/signatures/typed-data/hash.ts";
import { type Mail, mailKey, makeMail } from "../../support/mail.ts";

/** Signs EIP-712's own example, with a different content for each signature. */
export async function signedMails(
  count: number,
): Promise<readonly { readonly mail: Mail; readonly signature: `0x${string}` }[]> {
  const hash = await loadHashTypedData();
  return Array.from({ length: count }, (_, index) => {
    const mail = makeMail(`Hello, Bob! ${index}`);
    const signed = secp256k1.sign(hash(mail), Buffer.from(mailKey, "hex"));
    return { mail, signature: `0x${signed.toCompactHex()}${(27 + signed.recovery).toString(16)}` };
  });
}
