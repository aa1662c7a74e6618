import type { HostInfo } from "../call/host-info.ts";
import { type Ir, readSchema, type Schema } from "../schema/ir.ts";

export interface Loaded {
  readonly schema: Schema;
  readonly hostInfo: HostInfo;
  readonly sandbox: Sandbox | undefined;
}

/** What a sandbox adds: its keys, and request bodies that match its records. */
export interface Sandbox {
  readonly keys: Readonly<Record<string, string>>;
  /** By method: `Marketplace/GetOrders`. */
  readonly examples: Readonly<Record<string, unknown>>;
}

/** Rejects if the contract cannot be read. */
export async function loadPage(): Promise<Loaded> {
  const [ir, hostInfo] = await Promise.all([
    fetch("/schema.json").then((response) => response.json() as Promise<Ir>),
    fetch("/host.json").then((response) => (response.ok ? response.json() : {}) as Promise<HostInfo>),
  ]);
  return {
    schema: readSchema(ir),
    hostInfo,
    sandbox: hostInfo.isSandbox === true ? await readSandbox() : undefined,
  };
}

async function readSandbox(): Promise<Sandbox | undefined> {
  try {
    const response = await fetch("/sandbox/start");
    return response.ok ? ((await response.json()) as Sandbox) : undefined;
  } catch {
    return undefined;
  }
}
