import { secp256k1 } from "@noble/curves/secp256k1";
import { TypedDataEncoder, verifyTypedData } from "ethers";
import { recoverTypedDataAddress, hashTypedData as viemHash } from "viem";
import { expect, test } from "vitest";
import { loadHashTypedData } from "../../../../server/wallets/signatures/typed-data/hash.ts";
import { loadRecoverAddress } from "../../../../server/wallets/signatures/verify.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { hex, type RandomDocument, randomDocument } from "./random-document.ts";

/** Each library needs a millisecond per document, so thousands run in `npm run fuzz -- typed-data`. */
const seed = Number(process.env["TYPED_DATA_SEED"] ?? 20_261);
const documents = Number(process.env["TYPED_DATA_DOCUMENTS"] ?? 100);

test(
  `${documents} documents have the same hash and signer as with ethers and viem (seed ${seed})`,
  async () => {
    const random = seededRandom(seed);
    const [hashTypedData, recoverAddress] = await Promise.all([loadHashTypedData(), loadRecoverAddress()]);
    for (let turn = 0; turn < documents; turn++) {
      const { loose, strict } = randomDocument(random);
      const about = () => `document ${turn}: ${JSON.stringify(loose)}`;
      const digest = hashTypedData(JSON.parse(JSON.stringify(loose)));
      const ours = `0x${Buffer.from(digest).toString("hex")}`;
      expect(ours, about()).toBe(ethersHash(strict));
      expect(ours, about()).toBe(viemHash(forViem(strict)));
      const signature = randomSignature(random, digest);
      const signers = [
        recoverAddress(digest, signature),
        ethersSigner(strict, signature),
        await viemSigner(strict, signature),
      ];
      expect(new Set(signers).size, `${about()} signed ${signature}: ${signers}`).toBe(1);
    }
  },
  60_000 + documents * 300,
);

type Strict = RandomDocument["strict"];

function ethersHash({ domain, types, message }: Strict): string {
  return TypedDataEncoder.hash(domain, mutable(types), message);
}

/** A signature of the document or, every tenth time, of another document or an invalid one. */
function randomSignature(random: Random, digest: Uint8Array): `0x${string}` {
  const signed = random.chance(5) ? Buffer.from(hex(random, 32).slice(2), "hex") : digest;
  const { r, s, recovery } = secp256k1.sign(signed, Buffer.from(hex(random, 32).slice(2), "hex"));
  const word = (value: bigint): string => value.toString(16).padStart(64, "0");
  const v = (random.chance(50) ? 27 + recovery : recovery).toString(16).padStart(2, "0");
  // Ethers rejects a high s, which the chain and this host accept, so s stays low here.
  if (random.chance(5)) return `${hex(random, 32)}00${hex(random, 31).slice(2)}1b` as `0x${string}`;
  return `0x${word(r)}${word(s)}${v}`;
}

/** Undefined for an invalid signature, on which both libraries throw. */
function ethersSigner({ domain, types, message }: Strict, signature: string): string | undefined {
  try {
    return verifyTypedData(domain, mutable(types), message, signature).toLowerCase();
  } catch {
    return undefined;
  }
}

async function viemSigner(strict: Strict, signature: `0x${string}`): Promise<string | undefined> {
  try {
    return (await recoverTypedDataAddress({ ...forViem(strict), signature })).toLowerCase();
  } catch {
    return undefined;
  }
}

/** Without the domain's type, viem omits keys with empty values. */
function forViem({ domainType, types, ...rest }: Strict): Parameters<typeof viemHash>[0] {
  return { ...rest, types: { EIP712Domain: domainType, ...types } } as Parameters<typeof viemHash>[0];
}

function mutable(types: Strict["types"]): Parameters<typeof TypedDataEncoder.hash>[1] {
  return types as Parameters<typeof TypedDataEncoder.hash>[1];
}
