import type { HostInfo } from "../call/host-info.ts";
import { type Ir, readSchema, type Schema } from "../schema/ir.ts";

export interface Contract {
  readonly schema: Schema;
  readonly hostInfo: HostInfo;
  /** The texts that were read, to detect changes. */
  readonly source: string;
}

export interface Loaded extends Contract {
  readonly sandbox: Sandbox | undefined;
}

/** What a sandbox adds: its keys, and request bodies that match its records. */
export interface Sandbox {
  readonly keys: Readonly<Record<string, string>>;
  /** By method: `Marketplace/GetOrders`. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** The method that the terminal recommends. */
  readonly firstCall: string;
}

/** Rejects if the contract cannot be read. */
export async function loadPage(): Promise<Loaded> {
  const contract = await loadContract();
  return { ...contract, sandbox: contract.hostInfo.isSandbox === true ? await readSandbox() : undefined };
}

/** Rejects if the contract cannot be read. */
export async function loadContract(): Promise<Contract> {
  const [ir = "", info = "{}"] = await Promise.all(
    ["schema.json", "host.json"].map(async (file) => {
      const response = await fetch(file, { cache: "no-cache" });
      return response.ok ? response.text() : undefined;
    }),
  );
  return {
    schema: readSchema(JSON.parse(ir) as Ir),
    hostInfo: JSON.parse(info) as HostInfo,
    source: `${ir}\n${info}`,
  };
}

async function readSandbox(): Promise<Sandbox | undefined> {
  try {
    const response = await fetch("../sandbox/start");
    return response.ok ? ((await response.json()) as Sandbox) : undefined;
  } catch {
    return undefined;
  }
}
