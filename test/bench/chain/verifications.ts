import { verifyTypedData as ethersVerify } from "ethers";
import { verifyTypedData as viemVerify } from "viem";
import { loadHashTypedData } from "../../../server/wallets/signatures/typed-data/hash.ts";
import { loadRecoverAddress } from "../../../server/wallets/signatures/verify.ts";
import { type Mail, mailSigner } from "../../support/mail.ts";
import { seededRandom } from "../../support/random.ts";
import type { BenchmarkOptions } from "../benchmark.ts";
import { signedMails } from "./signed-mails.ts";

/**
 * Required throughput of one thread, as a multiple of viem's utility so that it holds on slow machines: 11,000 verifications per CPU-second
 * against 440. An HTTP request costs several times as much.
 */
const timesViem = 11_000 / 440;

interface Contender {
  readonly name: string;
  readonly calls: number;
  readonly verify: (turn: number) => boolean | Promise<boolean>;
}

/** Verifies signatures of plain accounts: EIP-712's own example, with a different content and signature each time. */
export async function benchVerifications({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const contenders = await openContenders();
  const random = seededRandom(seed);
  const rates = new Map(contenders.map(({ name }): [string, number[]] => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const { name, calls, verify } of random.shuffle(contenders)) {
      const start = process.cpuUsage();
      for (let turn = 0; turn < calls; turn++)
        if (!(await verify(turn % documents))) throw new Error(`${name} rejects a valid signature`);
      const { user, system } = process.cpuUsage(start);
      // The first two rounds are warm-up.
      if (round >= 0) rates.get(name)?.push((calls / (user + system)) * 1e6);
    }
  }
  const medians = new Map([...rates].map(([name, list]) => [name, median(list)]));
  const ours = medians.get("ours") ?? 0;
  for (const [name, rate] of medians) {
    const ratio = name === "ours" ? "" : `   ours is ×${(ours / rate).toFixed(1)}`;
    console.log(`${name.padEnd(20)} ${rate.toFixed(0).padStart(8)} verifications per CPU-second${ratio}`);
  }
  const atLeast = (medians.get(viemName) ?? Number.POSITIVE_INFINITY) * timesViem;
  return ours >= atLeast
    ? []
    : [`${ours.toFixed(0)} verifications per CPU-second, below ${timesViem} times those of viem`];
}

const documents = 200;
const viemName = "viem verifyTypedData";

async function openContenders(): Promise<readonly Contender[]> {
  const [hash, recover] = await Promise.all([loadHashTypedData(), loadRecoverAddress()]);
  const signed = await signedMails(documents);
  const mails = signed.map(({ mail }) => mail);
  const signatures = signed.map(({ signature }) => signature);
  const at = <Item>(items: readonly Item[], turn: number): Item => items[turn] as Item;
  return [
    {
      name: "ours",
      calls: 4_000,
      verify: (turn) => recover(hash(at(mails, turn)), at(signatures, turn)) === mailSigner,
    },
    {
      name: viemName,
      calls: 200,
      verify: (turn) =>
        viemVerify({ ...viemInput(at(mails, turn)), address: mailSigner, signature: at(signatures, turn) }),
    },
    {
      name: "ethers",
      calls: 200,
      verify: (turn) => {
        const { domain, types, message } = at(mails, turn);
        const { EIP712Domain: _, ...own } = types;
        return ethersVerify(domain, own, message, at(signatures, turn)).toLowerCase() === mailSigner;
      },
    },
  ];
}

/** viem's types require literals. */
function viemInput(data: Mail): Omit<Parameters<typeof viemVerify>[0], "address" | "signature"> {
  return data as Omit<Parameters<typeof viemVerify>[0], "address" | "signature">;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
