import { type Address, concat, type Hex, hashMessage, hashTypedData, serializeErc6492Signature } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { deploySafe, planSafe } from "../../../../server/chain/sandbox/safe.ts";
import { verifyMessage, verifyTypedData } from "../../../../server/wallets/signatures/verify.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { deployContract } from "../../../support/test-contracts.ts";
import { listenTrap, type Trap } from "../../../support/trap.ts";

const mnemonic = "test test test test test test test test test test test junk";
const [first, second, stranger] = [0, 1, 5].map((addressIndex) =>
  mnemonicToAccount(mnemonic, { addressIndex }),
) as [
  ReturnType<typeof mnemonicToAccount>,
  ReturnType<typeof mnemonicToAccount>,
  ReturnType<typeof mnemonicToAccount>,
];

const document = {
  types: {
    Order: [
      { name: "maker", type: "address" },
      { name: "amounts", type: "uint256[]" },
    ],
  },
  primaryType: "Order",
  domain: { name: "Test", chainId: 31_337 },
  message: { maker: first.address.toLowerCase(), amounts: ["1", "2"] },
} as const;
const digest = hashTypedData(document as never);

describe.skipIf(noSandbox)("signatures of contract wallets", () => {
  const sandbox = useSandbox();
  const verify = (wallet: string, signature: string, typedData: object = document): Promise<boolean> => {
    const network = localNetwork(sandbox().rpcUrl);
    const claim = { wallet, signature, typedData: typedData as typeof document };
    return verifyTypedData(claim, () => new Chains().of(network));
  };

  test("an account that did not sign is not a contract wallet", async () => {
    expect(await verify(stranger.address.toLowerCase(), await first.sign({ hash: digest }))).toBe(false);
    expect(await verify(stranger.address.toLowerCase(), "0x")).toBe(false);
    expect(await verify(`0x${"0".repeat(39)}4`, await first.sign({ hash: digest }))).toBe(false);
  });

  test("a Safe's signature consists of all its owners' signatures", async () => {
    const { safe } = sandbox();
    expect(await verify(safe, await signAsSafe(safe, [first, second]))).toBe(true);
    expect(await verify(safe, await signAsSafe(safe, [first]))).toBe(false);
    expect(await verify(safe, await signAsSafe(safe, [first, stranger]))).toBe(false);
    expect(await verify(safe, "0x")).toBe(false);
    const changed = { ...document, message: { ...document.message, amounts: ["1", "3"] } };
    expect(await verify(safe, await signAsSafe(safe, [first, second]), changed)).toBe(false);
  });

  test("an undeployed Safe signs by ERC-6492, and a deployed one by either standard", async () => {
    const { safes, batch } = sandbox();
    const plan = { owners: [first.address, second.address], threshold: 2, saltNonce: 7n };
    const { address, factory, factoryData } = planSafe(safes, plan);
    const signature = await signAsSafe(address, [first, second]);
    const wrapped = serializeErc6492Signature({ address: factory, data: factoryData, signature });
    const wrong = serializeErc6492Signature({
      address: factory,
      data: factoryData,
      signature: await signAsSafe(address, [first, stranger]),
    });
    expect(await verify(address, signature)).toBe(false);
    expect(await verify(address, wrapped)).toBe(true);
    expect(await verify(address, wrong)).toBe(false);
    expect(await verify(stranger.address.toLowerCase(), wrapped)).toBe(false);
    deploySafe(batch, safes, plan);
    await batch.mine();
    expect(await verify(address, signature)).toBe(true);
    expect(await verify(address, wrapped)).toBe(true);
    expect(await verify(address, wrong)).toBe(false);
  });

  test("a Safe signs texts, deployed or not", async () => {
    const { safe, safes, rpcUrl } = sandbox();
    const message = "hello";
    const signed = hashMessage(message);
    const verifyText = (wallet: string, signature: string, text = message): Promise<boolean> =>
      verifyMessage({ wallet, signature, message: text }, () => new Chains().of(localNetwork(rpcUrl)));
    expect(await verifyText(safe, await signAsSafe(safe, [first, second], signed))).toBe(true);
    expect(await verifyText(safe, await signAsSafe(safe, [first, second], signed), "hallo")).toBe(false);
    expect(await verifyText(safe, await signAsSafe(safe, [first, stranger], signed))).toBe(false);
    const { address, factory, factoryData } = planSafe(safes, {
      owners: [first.address, second.address],
      threshold: 2,
      saltNonce: 8n,
    });
    const signature = await signAsSafe(address, [first, second], signed);
    const wrapped = serializeErc6492Signature({ address: factory, data: factoryData, signature });
    expect(await verifyText(address, wrapped)).toBe(true);
    expect(await verifyText(address, wrapped, "hallo")).toBe(false);
    expect(await verifyText(address, signature)).toBe(false);
  });

  test("an ERC-6492 suffix after other bytes is not valid", async () => {
    const mark = "6492".repeat(16);
    for (const bytes of ["", "00", "ff".repeat(300)])
      expect(await verify(first.address.toLowerCase(), `0x${bytes}${mark}`)).toBe(false);
  });

  test("only the first word of a wallet's result counts, by either standard", async () => {
    const wallet = await deployContract(sandbox().batch, "TalkativeWallet");
    const signature = await first.sign({ hash: digest });
    expect(await verify(wallet, signature)).toBe(true);
    const wrapped = serializeErc6492Signature({ address: wallet, data: "0x", signature });
    expect(await verify(wallet, wrapped)).toBe(true);
  });

  test("a precompiled contract is not a wallet, and no node is called", async () => {
    const nodes = localNetwork("http://127.0.0.1:1");
    for (const wallet of ["1", "6", "9", "100"].map((address) => `0x${address.padStart(40, "0")}`)) {
      const claim = { wallet, typedData: document, signature: await first.sign({ hash: digest }) };
      expect(await verifyTypedData(claim, () => new Chains().of(nodes))).toBe(false);
    }
  });

  describe("hostile contracts", () => {
    let trap: Trap;
    beforeAll(async () => {
      trap = await listenTrap();
      return () => trap.close();
    });

    test("a wallet that requests an off-chain lookup is not valid, and no URL is called", async () => {
      const wallet = await deployContract(sandbox().batch, "OffchainLookup", [`${trap.url}/{sender}/{data}`]);
      const signature = await first.sign({ hash: digest });
      expect(await verify(wallet, signature)).toBe(false);
      const wrapped = serializeErc6492Signature({ address: wallet, data: "0x1234", signature });
      expect(await verify(wallet, wrapped)).toBe(false);
      expect(await verify(stranger.address.toLowerCase(), wrapped)).toBe(false);
      expect(trap.connections()).toBe(0);
    });

    test.each(["Megabytes", "Endless"])("%s as wallet and as factory is not valid", async (name) => {
      const wallet = await deployContract(sandbox().batch, name);
      const signature = await first.sign({ hash: digest });
      expect(await verify(wallet, signature)).toBe(false);
      const wrapped = serializeErc6492Signature({ address: wallet, data: "0x", signature });
      expect(await verify(stranger.address.toLowerCase(), wrapped)).toBe(false);
    });

    test("another caller's request in the same batch succeeds", async () => {
      const network = localNetwork(sandbox().rpcUrl);
      const chain = await new Chains().of(network);
      const flood = await deployContract(sandbox().batch, "Megabytes");
      const { safe } = sandbox();
      const signature = await signAsSafe(safe, [first, second]);
      const open = () => Promise.resolve(chain);
      const verdicts = await Promise.all(
        [flood, safe, flood, safe].map((wallet) =>
          verifyTypedData({ wallet, signature, typedData: document }, open),
        ),
      );
      expect(verdicts).toEqual([false, true, false, true]);
    });
  });

  test("a chain without a responding node is a failure, not a result", async () => {
    const claim = { wallet: stranger.address.toLowerCase(), signature: "0x", typedData: document };
    const network = localNetwork("http://127.0.0.1:1");
    await expect(verifyTypedData(claim, () => new Chains().of(network))).rejects.toBeInstanceOf(ChainFailure);
    const good = {
      ...claim,
      wallet: first.address.toLowerCase(),
      signature: await first.sign({ hash: digest }),
    };
    expect(await verifyTypedData(good, () => new Chains().of(network))).toBe(true);
  });
});

/** Owners sign the Safe's message hash of the digest, in the order of their addresses. */
async function signAsSafe(
  safe: Address,
  owners: readonly (typeof first)[],
  signed: Hex = digest,
): Promise<Hex> {
  const data = {
    domain: { chainId: 31_337, verifyingContract: safe },
    types: { SafeMessage: [{ name: "message", type: "bytes" }] },
    primaryType: "SafeMessage",
    message: { message: signed },
  } as const;
  const inOrder = owners.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1));
  return concat(await Promise.all(inOrder.map((owner) => owner.signTypedData(data))));
}
