import type { Agent, request } from "undici";
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

export interface OutboundAnswer {
  readonly status: number;
  /** The header Retry-After, as sent. */
  readonly retryAfter: string | undefined;
}

interface Client {
  readonly request: typeof request;
  readonly dispatcher: Agent;
}

/** What is read of an answer's body before its connection is closed, in bytes and milliseconds: a short one saves the next call a connection. */
const bodyMaxBytes = 65_536;
const bodyMaxMs = 1_000;

/** How long a name may take when a URL is checked, in milliseconds. */
const checkMaxMs = 2_500;

/**
 * Calls addresses that others have named: all calls to them leave here. http and https only, never to an address of the inside,
 * never after a redirect, and whatever comes back is bounded.
 */
export class Outbound implements AsyncDisposable {
  readonly #policy: Policy;
  readonly #resolve: Resolve;
  #opened: Promise<Client> | undefined;

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
    const fault = this.#policy.faultOfUrl(url);
    if (fault !== undefined) throw new OutboundRefusal(fault);
    const over = new AbortController();
    const late = setTimeout(() => over.abort(), maxMs);
    try {
      const { request, dispatcher } = await this.#client();
      const answer = await request(url, { method: "POST", headers, body, dispatcher, signal: over.signal });
      const lateBody = setTimeout(() => over.abort(), bodyMaxMs);
      await answer.body.dump({ limit: bodyMaxBytes, signal: over.signal }).catch(() => {});
      clearTimeout(lateBody);
      const retryAfter = answer.headers["retry-after"];
      return {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
      };
    } catch (err) {
      throw outboundFault(err);
    } finally {
      clearTimeout(late);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opened)?.dispatcher.destroy();
  }

  /** Loaded with the first call. */
  #client(): Promise<Client> {
    this.#opened ??= Promise.all([import("undici"), import("./agent.ts")]).then(
      ([{ request }, { guardedAgent }]) => ({
        request,
        dispatcher: guardedAgent(this.#policy, this.#resolve),
      }),
    );
    return this.#opened;
  }
}
