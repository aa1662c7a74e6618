/** Signatures of the public service's wallets, with the code that they have on every chain. */
import { createRequire } from "node:module";
import {
  type Address,
  concat,
  encodePacked,
  getCreate2Address,
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  pad,
  serializeErc6492Signature,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { Chains } from "../../server/chain/rpc/chains.ts";
import { type Artifact, readArtifact } from "../../server/chain/sandbox/artifact.ts";
import { verifyTypedData } from "../../server/wallets/signatures/verify.ts";
import { localNetwork } from "../support/local-network.ts";
import { noSandbox, useSandbox } from "../support/sandbox.ts";
import { isInstalled } from "./official.ts";

const signer = (byte: string): PrivateKeyAccount => privateKeyToAccount(`0x${byte.repeat(32)}`);
const owners = ["a1", "b2", "c3"].map(signer) as [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount];
const stranger = signer("d4");
const threshold = 2;
const typedData = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  primaryType: "Greeting",
  domain: { name: "Test", chainId: 31_337 },
  message: { text: "hello" },
} as const;
const digest = hashTypedData(typedData);

/** Three owners of weight 1, of whom two must sign. */
describe.skipIf(noSandbox || !isInstalled)("a wallet of Sequence", () => {
  const sandbox = useSandbox();
  let factory: Address;
  let wallet: Address;
  let deployment: Hex;

  beforeAll(async () => {
    if (noSandbox || !isInstalled) return;
    const { batch } = sandbox();
    factory = batch.deploy(artifact("Factory.sol/Factory"));
    const upgradable = batch.deploy(artifact("modules/MainModuleUpgradable.sol/MainModuleUpgradable"));
    const mainModule = batch.deploy(artifact("modules/MainModule.sol/MainModule"), [factory, upgradable]);
    await batch.mine();
    const salt = imageHash();
    const bytecode = concat([walletCode, pad(mainModule)]);
    wallet = getCreate2Address({ from: factory, salt, bytecode }).toLowerCase() as Address;
    // deploy(address,bytes32)
    deployment = concat(["0x32c02a14", pad(mainModule), salt]);
  });

  const verify = (signature: Hex, data: object = typedData): Promise<boolean> => {
    const network = localNetwork(sandbox().rpcUrl);
    const claim = { wallet, signature, typedData: data as typeof typedData };
    return verifyTypedData(claim, () => new Chains().of(network));
  };
  const sign = (by: readonly PrivateKeyAccount[]): Promise<Hex> => signAsWallet(wallet, by);
  const wrap = (signature: Hex): Hex =>
    serializeErc6492Signature({ address: factory, data: deployment, signature });

  test("signs with ERC-6492 before it is deployed, either way afterwards, and needs all its owners", async () => {
    const good = await sign(owners.slice(1));
    const bad = await Promise.all([sign(owners.slice(2)), sign([stranger, owners[0]]), sign([])]);
    expect(await verify(good)).toBe(false);
    expect(await verify(wrap(good))).toBe(true);
    for (const signature of bad) expect(await verify(wrap(signature))).toBe(false);
    const { batch } = sandbox();
    batch.add({ label: "a wallet", to: factory, data: deployment });
    await batch.mine();
    expect(await verify(good)).toBe(true);
    expect(await verify(wrap(good))).toBe(true);
    expect(await verify(await sign(owners))).toBe(true);
    // A signature form that reports itself.
    expect(await verify(concat(["0x01", good]))).toBe(true);
    for (const signature of bad) {
      expect(await verify(signature)).toBe(false);
      expect(await verify(wrap(signature))).toBe(false);
    }
    const changed = { ...typedData, message: { text: "hallo" } };
    expect(await verify(good, changed)).toBe(false);
    // An owner's own signature is not a signature of the wallet.
    expect(await verify(await owners[0].sign({ hash: digest }))).toBe(false);
  });
});

function artifact(path: string): Artifact {
  const require = createRequire(import.meta.url);
  return readArtifact(`@0xsequence/wallet-contracts/artifacts/contracts/${path}.json`, require);
}

/** The proxy's code, followed by the address of the main module. */
const walletCode = "0x603a600e3d39601a805130553df3363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3";

/** Hash of the wallet's configuration: the owners one after the other, then the threshold and a checkpoint of 0. */
function imageHash(): Hex {
  const leaves = owners.map(({ address }) => concat([numberToHex(1, { size: 12 }), address]));
  return [...leaves, numberToHex(threshold, { size: 32 }), numberToHex(0, { size: 32 })].reduce(
    (root, leaf) => keccak256(concat([root, leaf])),
  );
}

/** Owners sign a digest of their wallet on this chain; owners who do not sign are named. */
async function signAsWallet(wallet: Address, by: readonly PrivateKeyAccount[]): Promise<Hex> {
  const hash = keccak256(
    encodePacked(["string", "uint256", "address", "bytes32"], ["\x19\x01", 31_337n, wallet, digest]),
  );
  const parts = await Promise.all(
    owners.map(async (owner, index): Promise<Hex> => {
      // A stranger signs instead of an owner.
      const account = by.includes(owner)
        ? owner
        : index === 1
          ? by.find((one) => one === stranger)
          : undefined;
      if (account === undefined) return concat(["0x0101", owner.address]);
      return concat(["0x0001", await account.sign({ hash }), "0x01"]);
    }),
  );
  return concat([numberToHex(threshold, { size: 2 }), numberToHex(0, { size: 4 }), ...parts]);
}
