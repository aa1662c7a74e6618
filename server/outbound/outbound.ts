import type { Agent } from "undici";
import { exchange, type OutboundAnswer } from "./exchange.ts";
import { OutboundRefusal, outboundFault } from "./failure.ts";
import { createPolicy, literalOf, type Policy, type PolicyOptions } from "./policy.ts";
import { createResolve, type Resolve } from "./resolve.ts";

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For all of it, from the name to the headers of the answer, in milliseconds. */
  readonly maxMs: number;
}

/** A URL that was judged by the policy, which is the same for as long as the host runs. */
type Target = { readonly fault: string } | { readonly origin: string; readonly path: string };

/** URLs whose judgement is remembered. */
const targetsMax = 10_000;

/** How long a name may take when a URL is checked, in milliseconds. */
const checkMaxMs = 2_500;

/**
 * Calls addresses that others have named: all calls to them leave here. http and https only, never to an address of the inside,
 * never after a redirect, and whatever comes back is bounded.
 */
export class Outbound implements AsyncDisposable {
  readonly #policy: Policy;
  readonly #resolve: Resolve;
  readonly #targets = new Map<string, Target>();
  #opened: Promise<Agent> | undefined;

  constructor(options: PolicyOptions, resolve: Resolve = createResolve()) {
    this.#policy = createPolicy(options);
    this.#resolve = resolve;
  }

  /**
   * What is wrong with a URL, in words for whoever named it; undefined: it may be called now. A name that has no address yet is
   * let pass: each call looks anew.
   */
  async faultOf(url: string): Promise<string | undefined> {
    const fault = this.#policy.faultOfUrl(url);
    if (fault !== undefined) return fault;
    const { hostname } = new URL(url);
    if (literalOf(hostname) !== undefined) return undefined;
    const late = new Promise<readonly string[]>((done) => setTimeout(done, checkMaxMs, []).unref());
    const addresses = await Promise.race([this.#resolve(hostname), late]).catch(() => []);
    const faults = addresses.map((address) => this.#policy.faultOfAddress(address));
    return faults.find((each) => each !== undefined);
  }

  /** Posts, and answers with the status; what the body says is dropped. Throws OutboundRefusal and OutboundFailure. */
  async post({ url, headers, body, maxMs }: OutboundRequest): Promise<OutboundAnswer> {
    const target = this.#targetOf(url);
    if ("fault" in target) throw new OutboundRefusal(target.fault);
    try {
      return await exchange(await this.#agent(), { ...target, headers, body, maxMs });
    } catch (err) {
      throw outboundFault(err);
    }
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const fault = this.#policy.faultOfUrl(url);
    const target = fault === undefined ? takenApart(new URL(url)) : { fault };
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opened)?.destroy();
  }

  /** Loaded with the first call. */
  #agent(): Promise<Agent> {
    this.#opened ??= import("./agent.ts").then(({ guardedAgent }) =>
      guardedAgent(this.#policy, this.#resolve),
    );
    return this.#opened;
  }
}

function takenApart({ origin, pathname, search }: URL): { readonly origin: string; readonly path: string } {
  return { origin, path: `${pathname}${search}` };
}
