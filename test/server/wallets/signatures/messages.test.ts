/** Texts as wallets sign them with personal_sign. */
import { Wallet } from "ethers";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { verifyMessage } from "../../../../server/wallets/signatures/verify.ts";

const key = `0x${"42".repeat(32)}` as const;
const viem = privateKeyToAccount(key);
const ethers = new Wallet(key);
const wallet = viem.address.toLowerCase();
const noChain = () => Promise.reject(new TypeError("no chain"));

test.each(["", "hello", "Grüße 🎉", "0x1234", "a\nb\r\n", "x".repeat(262_144)])(
  "a signature of viem or ethers is valid without a chain: %#",
  async (message) => {
    for (const signature of [await viem.signMessage({ message }), await ethers.signMessage(message)])
      expect(await verifyMessage({ wallet, message, signature }, noChain)).toBe(true);
  },
);

test("another text, or the bytes that a text describes, need the chain", async () => {
  const signature = await viem.signMessage({ message: { raw: "0x1234" } });
  for (const message of ["0x1234", "0x1235"])
    await expect(verifyMessage({ wallet, message, signature }, noChain)).rejects.toThrow("no chain");
});

test("the prefix has the length in bytes", async () => {
  const message = "é";
  const signature = await ethers.signMessage(new TextEncoder().encode(message));
  expect(await verifyMessage({ wallet, message, signature }, noChain)).toBe(true);
});
