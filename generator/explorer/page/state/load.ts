import type { HostFacts } from "../call/facts.ts";
import { type Ir, readSchema, type Schema } from "../schema/ir.ts";

export interface Loaded {
  readonly schema: Schema;
  readonly facts: HostFacts;
  readonly sandbox: Sandbox | undefined;
}

/** What a developer's own host tells: its keys, and bodies that its records answer. */
export interface Sandbox {
  readonly keys: Readonly<Record<string, string>>;
  /** By method: `Marketplace/GetOrders`. */
  readonly examples: Readonly<Record<string, unknown>>;
}

/** Rejects where the contract cannot be read. */
export async function readFacts(): Promise<Loaded> {
  const [ir, facts] = await Promise.all([
    fetch("/schema.json").then((answer) => answer.json() as Promise<Ir>),
    fetch("/host.json").then((answer) => (answer.ok ? answer.json() : {}) as Promise<HostFacts>),
  ]);
  return {
    schema: readSchema(ir),
    facts,
    sandbox: facts.isSandbox === true ? await readSandbox() : undefined,
  };
}

async function readSandbox(): Promise<Sandbox | undefined> {
  try {
    const answer = await fetch("/sandbox/start");
    return answer.ok ? ((await answer.json()) as Sandbox) : undefined;
  } catch {
    return undefined;
  }
}
