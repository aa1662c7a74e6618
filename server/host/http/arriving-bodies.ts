import type { Context } from "koa";
import type { ArrivingBody, BodyWatcher } from "ridlkit-runtime/options";
import { overloaded } from "../failures.ts";
import { bodiesMaxBytes, bodyMinRate, fileMinRate, rateGraceSeconds } from "./limits.ts";

export interface ArrivingBodiesOptions {
  /** The address whose limits apply to a request. */
  readonly addressOf: (ctx: Context) => string;
  readonly onRejection: (reason: "slow" | "overloaded") => void;
}

/**
 * Limits what request bodies cost while they arrive. Each body has a minimum rate. Together they hold at most `bodiesMaxBytes` of
 * memory. Above that, the largest body of the caller who holds most is rejected, so that one caller cannot use up the memory of
 * the others.
 */
export class ArrivingBodies {
  readonly #options: ArrivingBodiesOptions;
  readonly #callers = new Map<string, Caller>();
  #bytes = 0;

  constructor(options: ArrivingBodiesOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  watch(body: ArrivingBody<Context>): BodyWatcher {
    const caller = this.#callerOf(body.carrier);
    const state: Body = { body, caller, arrived: 0, bytes: 0, seconds: 0 };
    caller.bodies.add(state);
    return {
      arrived: (bytes) => {
        state.arrived += bytes;
        if (!body.hasFiles && caller.bodies.has(state)) this.#hold(state, bytes);
      },
      ended: () => this.#end(state),
    };
  }

  /**
   * Rejects bodies that arrive too slowly. Called once a second. Counts its calls instead of reading a clock: a host that was too
   * busy to read must not blame its callers.
   */
  tick(): void {
    for (const { bodies } of this.#callers.values()) {
      for (const state of bodies) {
        // The first second is partial: the body began between two ticks.
        const wholeSeconds = state.seconds++;
        const rate = state.body.hasFiles ? fileMinRate : bodyMinRate;
        if (wholeSeconds >= rateGraceSeconds && state.arrived < wholeSeconds * rate)
          this.#rejectSlow(state, rate);
      }
    }
  }

  #hold(state: Body, bytes: number): void {
    state.bytes += bytes;
    state.caller.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > bodiesMaxBytes) this.#rejectLargest();
  }

  #rejectSlow(state: Body, rate: number): void {
    const { body } = state;
    this.#end(state);
    this.#options.onRejection("slow");
    // Otherwise the rest of the body would keep the connection open.
    body.carrier.res.shouldKeepAlive = false;
    body.refuse(`the body arrived too slowly: send at least ${rate} bytes a second`);
  }

  #rejectLargest(): void {
    const state = largest(largest(this.#callers.values())?.bodies ?? []);
    if (state === undefined) return;
    this.#end(state);
    this.#options.onRejection("overloaded");
    state.body.refuse(overloaded("the memory for bodies is used up"));
  }

  #callerOf(ctx: Context): Caller {
    const address = this.#options.addressOf(ctx);
    const known = this.#callers.get(address);
    if (known !== undefined) return known;
    const caller: Caller = { address, bytes: 0, bodies: new Set() };
    this.#callers.set(address, caller);
    return caller;
  }

  #end(state: Body): void {
    const { caller, bytes } = state;
    if (!caller.bodies.delete(state)) return;
    if (caller.bodies.size === 0) this.#callers.delete(caller.address);
    caller.bytes -= bytes;
    this.#bytes -= bytes;
  }
}

interface Caller {
  readonly address: string;
  readonly bodies: Set<Body>;
  bytes: number;
}

interface Body {
  readonly body: ArrivingBody<Context>;
  readonly caller: Caller;
  arrived: number;
  /** Memory that the body holds; 0 for a form with files, which goes to the disk. */
  bytes: number;
  /** Calls of `tick` since the body began. */
  seconds: number;
}

function largest<Item extends { readonly bytes: number }>(items: Iterable<Item>): Item | undefined {
  let found: Item | undefined;
  for (const item of items) if (found === undefined || item.bytes > found.bytes) found = item;
  return found;
}
