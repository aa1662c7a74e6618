/** Imports the records of the demo's project: deployable contract sources, an audience, and its contract on the local chain. */
import { keccak256 } from "viem";
import type { Database } from "../../base/storage/database.ts";
import { openSession } from "../../base/storage/session.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Artifact } from "../../chain/sandbox/artifact.ts";
import type { SandboxChain } from "../../chain/sandbox/chain.ts";
import { sandboxArtifacts } from "../../chain/sandbox/chain.ts";
import { importRecords } from "../../market/import-export/import.ts";
import { kinds } from "../../market/import-export/kinds/index.ts";

/** Other projects use this id only if they imported an audience with it. */
const audienceId = 7;

export interface DemoRecords {
  readonly audienceId: number;
}

export async function importDemoRecords(
  { database, networks }: { readonly database: Database; readonly networks: Networks },
  projectId: number,
  chain: SandboxChain | undefined,
): Promise<DemoRecords> {
  for (const [name, lines] of Object.entries(linesOf(projectId, chain))) {
    const kind = kinds.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`unknown record kind "${name}"`);
    await using session = await openSession({ ...database.connection, application_name: "platform: demo" });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await importRecords(kind, bytesOf(text), {
      sessions: [session],
      networks,
      stop: new AbortController().signal,
      onBatch(_, [fault]) {
        if (fault !== undefined) throw new Error(`${name}, line ${fault.line}: ${fault.reason}`);
      },
    });
  }
  return { audienceId };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function linesOf(
  projectId: number,
  chain: SandboxChain | undefined,
): Readonly<Record<string, readonly object[]>> {
  return {
    "contract-sources": [
      source(projectId, "sandbox-lanterns", "ERC721", "Lanterns", sandboxArtifacts.collectible),
      source(projectId, "sandbox-coin", "ERC20", "Coin", sandboxArtifacts.token),
      source(undefined, "sandbox-market", "MARKET", "Market", sandboxArtifacts.market),
    ],
    audiences: [{ id: audienceId, projectId, name: "Early lanterns" }],
    contacts: people.map(({ address, name }) => ({
      audienceId,
      address,
      name,
      email: `${name.toLowerCase()}@example.org`,
    })),
    contracts:
      chain === undefined
        ? []
        : [
            {
              projectId,
              audienceId,
              contractName: "Lanterns",
              contractType: "ERC721",
              contractAddress: chain.collection,
              chainId: String(chain.chainId),
              source: "DEPLOYED",
            },
          ],
  };
}

function source(
  projectId: number | undefined,
  uid: string,
  contractType: string,
  name: string,
  { abi, bytecode }: Artifact,
): object {
  return {
    ...(projectId === undefined ? {} : { projectId }),
    uid,
    contractType,
    name,
    license: "MIT",
    audited: false,
    abi: JSON.stringify(abi),
    bytecode,
    bytecodeHash: keccak256(bytecode),
  };
}

const people = [
  { name: "Ada", address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8" },
  { name: "Bao", address: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc" },
  { name: "Cleo", address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906" },
] as const;
