import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRecoverAddress, type RecoverAddress } from "../../../../server/wallets/signatures/verify.ts";
import { mailDigest, mailKey, mailSigner } from "../../../support/mail.ts";
import { seededRandom } from "../../../support/random.ts";

describe("recovery", () => {
  let recoverAddress: RecoverAddress;

  beforeAll(async () => {
    recoverAddress = await loadRecoverAddress();
  });

  const key = hexToBytes(mailKey);
  const digest = hexToBytes(mailDigest);
  const signed = secp256k1.sign(digest, key);
  const compact = signed.toCompactHex();
  const half = (value: bigint): string => value.toString(16).padStart(64, "0");
  const highS = `${compact.slice(0, 64)}${half(secp256k1.CURVE.n - signed.s)}`;
  const eip2098 = `${compact.slice(0, 64)}${half(signed.s + (BigInt(signed.recovery) << 255n))}`;
  const byte = (value: number): string => value.toString(16).padStart(2, "0");

  test.each([
    ["v 27 or 28", `0x${compact}${byte(27 + signed.recovery)}`],
    ["v 0 or 1", `0x${compact}${byte(signed.recovery)}`],
    ["compact", `0x${eip2098}`],
    ["high s, with the other v", `0x${highS}${byte(28 - signed.recovery)}`],
    ["upper case", `0x${`${compact}${byte(27 + signed.recovery)}`.toUpperCase()}`],
  ])("%s", (_, signature) => {
    expect(recoverAddress(digest, signature)).toBe(mailSigner);
  });

  test.each([
    ["nothing", "0x"],
    ["63 bytes", `0x${compact.slice(2)}`],
    ["66 bytes", `0x${compact}1b00`],
    ["v 29", `0x${compact}1d`],
    ["r of zero", `0x${"00".repeat(32)}${compact.slice(64)}1b`],
    ["s of the group's order", `0x${compact.slice(0, 64)}${half(secp256k1.CURVE.n)}1b`],
    ["compact, s of zero", `0x${compact.slice(0, 64)}80${"00".repeat(31)}`],
  ])("%s recovers no account", (_, signature) => {
    expect(recoverAddress(digest, signature)).toBeUndefined();
  });
});

test("WebAssembly agrees with JavaScript about any r and s", async () => {
  const recoverAddress = await loadRecoverAddress();
  const seed = 20_261_123;
  const random = seededRandom(seed);
  const counts = { found: 0, none: 0 };
  for (let round = 0; round < 400; round++) {
    const digest = Uint8Array.from({ length: 32 }, () => random.below(256));
    const compact = hexToBytes(random.pick(edges) + random.pick(edges));
    if (random.below(2) === 0) compact.set(Array.from({ length: 32 }, () => random.below(256)));
    const recovery = random.pick([0, 1] as const);
    const signature = `0x${bytesToHex(compact)}${recovery === 0 ? "00" : "01"}`;
    const expected = addressOf(compact, recovery, digest);
    expect(recoverAddress(digest, signature), `${signature} ${bytesToHex(digest)}, seed ${seed}`).toBe(
      expected,
    );
    counts[expected === undefined ? "none" : "found"]++;
  }
  expect(Math.min(counts.found, counts.none)).toBeGreaterThan(50);
});

const order = secp256k1.CURVE.n;
const field = secp256k1.CURVE.Fp.ORDER;

/** 32-byte numbers around every limit of r and s. */
const edges = [
  0n,
  1n,
  2n,
  3n,
  4n,
  order >> 1n,
  (order >> 1n) + 1n,
  order - 2n,
  order - 1n,
  order,
  order + 1n,
  field - 1n,
  field,
  (1n << 256n) - 1n,
].map((value) => value.toString(16).padStart(64, "0"));

/** Undefined if there is no such account. */
function addressOf(compact: Uint8Array, recovery: 0 | 1, digest: Uint8Array): string | undefined {
  try {
    const key = secp256k1.Signature.fromCompact(compact).addRecoveryBit(recovery).recoverPublicKey(digest);
    return `0x${bytesToHex(keccak_256(key.toRawBytes(false).subarray(1)).subarray(12))}`;
  } catch {
    return undefined;
  }
}
