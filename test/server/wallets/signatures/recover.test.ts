import { secp256k1 } from "@noble/curves/secp256k1";
import { hexToBytes } from "@noble/hashes/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { loadKeccak } from "../../../../server/base/keccak.ts";
import {
  loadNative,
  loadPure,
  loadRecoverKey,
  type RecoverAddress,
  recoverWith,
} from "../../../../server/wallets/signatures/recover.ts";
import { mailDigest, mailKey, mailSigner } from "../../../support/mail.ts";

describe.each([
  ["libsecp256k1", loadNative],
  ["JavaScript", loadPure],
])("recovery by %s", (_, load) => {
  let recoverAddress: RecoverAddress;

  beforeAll(async () => {
    recoverAddress = recoverWith(await loadKeccak(), await load());
  });

  const key = hexToBytes(mailKey);
  const digest = hexToBytes(mailDigest);
  const signed = secp256k1.sign(digest, key);
  const compact = signed.toCompactHex();
  const half = (value: bigint): string => value.toString(16).padStart(64, "0");
  const highS = `${compact.slice(0, 64)}${half(secp256k1.CURVE.n - signed.s)}`;
  const byte = (value: number): string => value.toString(16).padStart(2, "0");

  test.each([
    ["v 27 or 28", `0x${compact}${byte(27 + signed.recovery)}`],
    ["v 0 or 1", `0x${compact}${byte(signed.recovery)}`],
    ["high s, with the other v", `0x${highS}${byte(28 - signed.recovery)}`],
    ["upper case", `0x${`${compact}${byte(27 + signed.recovery)}`.toUpperCase()}`],
  ])("%s", (_, signature) => {
    expect(recoverAddress(digest, signature)).toBe(mailSigner);
  });

  test.each([
    ["nothing", "0x"],
    ["64 bytes", `0x${compact}`],
    ["v 29", `0x${compact}1d`],
    ["r of zero", `0x${"00".repeat(32)}${compact.slice(64)}1b`],
    ["s of the group's order", `0x${compact.slice(0, 64)}${half(secp256k1.CURVE.n)}1b`],
  ])("%s is signed by nobody", (_, signature) => {
    expect(recoverAddress(digest, signature)).toBeUndefined();
  });
});

test("where the binary cannot be loaded the next way is taken", async () => {
  const recoverKey = await loadRecoverKey([() => Promise.reject(new Error("no binary")), loadPure]);
  expect(recoverKey.toString()).toBe((await loadPure()).toString());
});
