import { startHost } from "../../support/host.ts";
import { mailSigner } from "../../support/mail.ts";
import type { BenchmarkOptions } from "../benchmark.ts";
import { processCpu } from "../process-cpu.ts";
import { signedMails } from "./signed-mails.ts";

/** Maximum share of a call's CPU time that a verification and its body of a kilobyte may take, compared with Ping. */
const maxShare = 0.6;

/** CPU time of a host per call: Ping, which does nothing, and a signature verification. */
export async function benchServedVerifications({ rounds }: BenchmarkOptions): Promise<readonly string[]> {
  if (process.platform !== "linux") {
    console.log("served verifications are skipped: they need /proc");
    return [];
  }
  const unlimited = "1000000000";
  await using host = await startHost({
    args: [
      "--networks",
      "polygon",
      "--rate-limit-project",
      unlimited,
      "--rate-limit-address",
      unlimited,
      "--max-lag-ms",
      "60000",
    ],
  });
  const mails = await signedMails(200);
  const bodies = mails.map(({ mail, signature }) =>
    JSON.stringify({ chainId: "137", walletAddress: mailSigner, typedData: mail, signature }),
  );
  const call = async (method: string, body: string, expected: string): Promise<void> => {
    const headers = { "content-type": "application/json", "x-access-key": host.accessKey };
    const response = await fetch(`${host.url}/rpc/API/${method}`, { method: "POST", headers, body });
    const text = await response.text();
    if (text !== expected) throw new Error(`${method} responded ${text}`);
  };
  const cpuNow = (): number => processCpu(host.process.pid)?.ms ?? Number.NaN;
  const costs: Record<"Ping" | "IsValidTypedDataSignature", number[]> = {
    Ping: [],
    IsValidTypedDataSignature: [],
  };
  const kinds = [
    ["Ping", () => "{}", '{"status":true}'],
    ["IsValidTypedDataSignature", (turn: number) => bodies[turn % bodies.length] ?? "", '{"isValid":true}'],
  ] as const;
  for (let round = -2; round < rounds; round++) {
    for (const [method, bodyOf, expected] of kinds) {
      const start = cpuNow();
      const work = async (worker: number): Promise<void> => {
        for (let turn = worker; turn < calls; turn += workers) await call(method, bodyOf(turn), expected);
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
      if (round >= 0) costs[method].push(((cpuNow() - start) / calls) * 1_000);
    }
  }
  const ping = median(costs.Ping);
  const verification = median(costs.IsValidTypedDataSignature);
  const share = (verification - ping) / verification;
  console.log(
    `served: Ping ${ping.toFixed(0)} µs CPU, a verification ${verification.toFixed(0)} µs, ${(100 * share).toFixed(0)} % of it for the verification and its larger body`,
  );
  return share <= maxShare ? [] : [`a verification is ${(100 * share).toFixed(0)} % of its call`];
}

const calls = 1_000;
const workers = 4;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
