import { readFileSync } from "node:fs";
import { startHost } from "../../support/host.ts";
import { mailSigner } from "../../support/mail.ts";
import type { PartOptions } from "../part.ts";
import { signedMails } from "./mails.ts";

/** What a verdict and its body of a kilobyte may cost more than Ping, as a part of the whole call. */
const mostShare = 0.6;

/** CPU of a whole host for a call: Ping, which does nothing, beside a verdict on a signature. */
export async function benchServed({ rounds }: PartOptions): Promise<readonly string[]> {
  if (process.platform !== "linux") {
    console.log("the served verdicts are left out: they are measured by /proc");
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
    if (text !== expected) throw new Error(`${method} answers ${text}`);
  };
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
      const start = cpuMs(host.process.pid);
      const work = async (worker: number): Promise<void> => {
        for (let turn = worker; turn < calls; turn += workers) await call(method, bodyOf(turn), expected);
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
      if (round >= 0) costs[method].push(((cpuMs(host.process.pid) - start) / calls) * 1_000);
    }
  }
  const ping = median(costs.Ping);
  const verdict = median(costs.IsValidTypedDataSignature);
  const share = (verdict - ping) / verdict;
  console.log(
    `served: Ping ${ping.toFixed(0)} µs CPU, a verdict ${verdict.toFixed(0)} µs, of which ${(100 * share).toFixed(0)} % for the verdict and its larger body`,
  );
  return share <= mostShare ? [] : [`a verdict is ${(100 * share).toFixed(0)} % of its call`];
}

const calls = 1_000;
const workers = 4;

/** User and system time of a process. Ticks are 10 ms on every Linux that Node runs on. */
function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
