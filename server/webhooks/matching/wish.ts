import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { ArgumentPlan } from "./arguments.ts";

export interface WishedEvent {
  readonly event: ContractEvent;
  readonly plan: ArgumentPlan;
}

/** What a listener wants, ready to be held against logs. */
export interface Wish {
  readonly listenerId: number;
  /** The host that is called. */
  readonly host: string;
  readonly addresses: readonly string[];
  /** Those that can match: no anonymous ones, and none that its topic hashes exclude. One for each topic and choice of indexed arguments. */
  readonly events: readonly WishedEvent[];
  /** Undefined: any. */
  readonly accounts: readonly string[] | undefined;
  /** As words of 32 bytes without `0x`; undefined: any. */
  readonly tokens: readonly string[] | undefined;
}
