import {
  type Account,
  createWalletClient,
  type Hex,
  hashTypedData,
  http,
  publicActions,
  serializeErc6492Signature,
  zeroAddress,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { type Anvil, anvilPath, startAnvil } from "../../../../server/chain/sandbox/anvil.ts";
import { TransactionBatch } from "../../../../server/chain/sandbox/transaction-batch.ts";
import { verifyTypedData } from "../../../../server/wallets/signatures/verify.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { deployContract } from "../../../support/test-contracts.ts";
import { listenTrap } from "../../../support/trap.ts";

const owner = privateKeyToAccount(`0x${"7a".repeat(32)}`);
const wallet = owner.address.toLowerCase() as Hex;
const stranger = privateKeyToAccount(`0x${"7b".repeat(32)}`);
/** A funded account of Anvil. */
const payer = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
const typedData = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  primaryType: "Greeting",
  domain: { name: "Test", chainId: 31_337 },
  message: { text: "hello" },
} as const;
const hash = hashTypedData(typedData);

/** EIP-7702: a plain account that delegates to a contract's code. */
describe.skipIf(noSandbox)("an account that delegates to a contract", () => {
  let anvil: Anvil;
  let batch: TransactionBatch;

  beforeAll(async () => {
    if (noSandbox) return;
    anvil = await startAnvil(anvilPath() ?? "", 31_337, { hardfork: "prague" });
    batch = await TransactionBatch.open(anvil.rpcUrl, "0xa0ee7a142d267c1f36714e4a8f75612f20a79720");
  });
  afterAll(async () => {
    await anvil?.[Symbol.asyncDispose]();
  });

  async function delegateTo(contract: Hex): Promise<void> {
    const client = createWalletClient({ account: payer as Account, transport: http(anvil.rpcUrl) }).extend(
      publicActions,
    );
    const nonce = await client.getTransactionCount({ address: wallet });
    const authorization = await owner.signAuthorization({
      contractAddress: contract,
      chainId: 31_337,
      nonce,
    });
    const sent = await client.sendTransaction({
      chain: null,
      to: payer.address,
      authorizationList: [authorization],
    });
    await client.waitForTransactionReceipt({ hash: sent, pollingInterval: 5 });
    const code = await client.getCode({ address: wallet });
    expect(code).toBe(contract === zeroAddress ? undefined : `0xef0100${contract.slice(2)}`);
  }

  let asked = 0;
  function verify(signature: Hex): Promise<boolean> {
    asked = 0;
    return verifyTypedData({ wallet, signature, typedData }, () => {
      asked++;
      return new Chains().of(localNetwork(anvil.rpcUrl));
    });
  }
  const wrap = (signature: Hex): Hex =>
    serializeErc6492Signature({ address: payer.address, data: "0x", signature });

  test("is verified by its own key without the chain, or else by the contract", async () => {
    const own = await owner.sign({ hash });
    const other = await stranger.sign({ hash });
    expect(await verify(other)).toBe(false);
    await delegateTo(await deployContract(batch, "YesWallet"));
    expect(await verify(own)).toBe(true);
    expect(asked).toBe(0);
    for (const signature of [other, wrap(other), "0x", "0x1234"] as const)
      expect(await verify(signature)).toBe(true);
    // A contract without ERC-1271.
    await delegateTo(await deployContract(batch, "Picture"));
    expect(await verify(own)).toBe(true);
    for (const signature of [other, wrap(other), "0x"] as const) expect(await verify(signature)).toBe(false);
    await delegateTo(zeroAddress);
    expect(await verify(own)).toBe(true);
    expect(await verify(other)).toBe(false);
  });

  test("to a hostile contract has only its own signatures, and no URL is called", async () => {
    const trap = await listenTrap();
    for (const contract of [
      await deployContract(batch, "OffchainLookup", [`${trap.url}/{sender}/{data}`]),
      await deployContract(batch, "Endless"),
      await deployContract(batch, "Megabytes"),
    ]) {
      await delegateTo(contract);
      expect(await verify(await stranger.sign({ hash }))).toBe(false);
      expect(await verify(wrap(await stranger.sign({ hash })))).toBe(false);
      expect(await verify(await owner.sign({ hash }))).toBe(true);
    }
    expect(trap.connections()).toBe(0);
    await trap.close();
  });
});
