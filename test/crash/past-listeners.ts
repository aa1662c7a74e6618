/** Listeners that are registered while the chain changes, each for the events from a past block on. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventChain } from "../support/event-chain.ts";
import type { Data, RunningHost } from "../support/host.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { addTransferListener } from "../support/transfer-listener.ts";
import { logPositionsOn, untilKnown, without } from "./expected-logs.ts";
import { ReceiverState } from "./receiver-state.ts";

export interface PastReport {
  readonly listeners: number;
  /** Of all listeners together. */
  readonly missing: number;
  readonly surplus: number;
  readonly faults: readonly string[];
}

export class PastListeners implements AsyncDisposable {
  readonly #receiver: Receiver;
  /** By the path of their URL. */
  readonly #states: ReceiverState[];
  readonly #listeners: { readonly fromBlock: number; readonly state: ReceiverState }[] = [];

  private constructor(receiver: Receiver, states: ReceiverState[]) {
    this.#receiver = receiver;
    this.#states = states;
  }

  static async open(address: string): Promise<PastListeners> {
    const states: ReceiverState[] = [];
    const receiver = await startReceiver((res, _, { path, headers, body }) => {
      states[Number(path.slice(1))]?.receive(headers["webhook-id"] ?? "", body);
      res.writeHead(204).end();
    }, address);
    return new PastListeners(receiver, states);
  }

  /** Repeats the call until it succeeds: Postgres may have been killed. A listener whose call failed is not checked. */
  async add(host: RunningHost, fromBlock: number): Promise<void> {
    for (;;) {
      const state = new ReceiverState();
      const index = this.#states.push(state) - 1;
      try {
        await addTransferListener(host, new URL(`/${index}`, this.#receiver.url).href, { fromBlock });
        this.#listeners.push({ fromBlock, state });
        return;
      } catch {
        await sleep(100);
      }
    }
  }

  /** Waits until all listeners know the logs on the chain from their block on, or until the time is over. */
  async report(data: Data, chain: EventChain, maxMs: number): Promise<PastReport> {
    let [missing, surplus] = [0, 0];
    for (const { fromBlock, state } of this.#listeners) {
      const expected = await logPositionsOn(chain, fromBlock);
      await untilKnown(data, [state], expected, maxMs);
      missing += without(expected, state.logs());
      surplus += without(state.logs(), expected);
    }
    const faults = this.#listeners.flatMap(({ state }) => state.faults);
    return { listeners: this.#listeners.length, missing, surplus, faults };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]();
  }
}
