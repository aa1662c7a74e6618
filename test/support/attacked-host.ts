import { type RunningHost, startHost } from "./host.ts";

export interface AttackedHost extends AsyncDisposable {
  readonly host: RunningHost;
  readonly port: number;
  /** Credentials of the sandbox's demo project, where the host tells them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Resident memory of its process, in MiB. */
  readonly memoryMib: () => Promise<number>;
}

/** A host as it is built, without limits of one address: they would answer in place of what is attacked. */
export async function startAttackedHost(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<AttackedHost> {
  const calls = "1000000000";
  const noLimits = [
    "--rate-limit-project",
    calls,
    "--rate-limit-address",
    calls,
    "--connections-per-address",
    "10000",
  ];
  const host = await startHost({ args: [...noLimits, "--log-level", "error", ...args], env });
  const { url, adminUrl, accessKey, secretKey } = host as unknown as Readonly<Record<string, string>>;
  return {
    host,
    port: Number(new URL(url ?? "").port),
    headers: {
      ...(accessKey === undefined ? {} : { "X-Access-Key": accessKey }),
      ...(secretKey === undefined ? {} : { Authorization: `Bearer ${secretKey}` }),
    },
    async memoryMib() {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      const [, bytes] = /^process_resident_memory_bytes ([0-9.e+]+)$/m.exec(text) ?? [];
      return Number(bytes) / 1_048_576;
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
