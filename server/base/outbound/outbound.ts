import type { Agent } from "undici";
import { type Document, DocumentFault, type DocumentRequest, getOnce } from "./document.ts";
import { OutboundRejection, outboundFault } from "./failure.ts";
import { createPolicy, literalOf, type Policy, type PolicyOptions } from "./policy.ts";
import { type OutboundResponse, postOnce } from "./post.ts";
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

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How long a name may take when a URL is checked, in milliseconds. */
const checkMaxMs = 2_500;

/**
 * Calls addresses that others have named: all calls to them leave here. http and https only, never to an address of the inside,
 * a redirect is followed by readers alone and judged again, and whatever comes back is bounded.
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

  /** Posts, and answers with the status; what the body says is dropped. Throws OutboundRejection and OutboundFailure. */
  async post({ url, headers, body, maxMs }: OutboundRequest): Promise<OutboundResponse> {
    const target = this.#targetOf(url);
    if ("fault" in target) throw new OutboundRejection(target.fault);
    try {
      return await postOnce(await this.#agent(), { ...target, headers, body, maxMs });
    } catch (err) {
      throw outboundFault(err);
    }
  }

  /**
   * Reads a document; each redirect is judged like the first address. Throws DocumentFault, OutboundRejection and OutboundFailure.
   */
  async read(request: DocumentRequest): Promise<Document> {
    const late = AbortSignal.timeout(request.maxMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal]);
    const { accept, maxBytes } = request;
    let { url } = request;
    for (let redirects = 0; ; redirects++) {
      const target = this.#judge(url);
      if ("fault" in target) throw new OutboundRejection(target.fault);
      let answer: Awaited<ReturnType<typeof getOnce>>;
      try {
        answer = await getOnce(await this.#agent(), { ...target, accept, maxBytes, signal });
      } catch (err) {
        throw err instanceof DocumentFault ? err : outboundFault(err);
      }
      const { location, ...document } = answer;
      if (location === undefined || !redirectStatuses.has(answer.status)) return document;
      if (redirects >= request.maxRedirects)
        throw new DocumentFault(`more than ${request.maxRedirects} redirects`);
      if (!URL.canParse(location, url)) throw new DocumentFault("the redirect goes to what is no URL");
      url = new URL(location, url).href;
    }
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const target = this.#judge(url);
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }

  #judge(url: string): Target {
    const fault = this.#policy.faultOfUrl(url);
    return fault === undefined ? takenApart(new URL(url)) : { fault };
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
