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
  /** Time for everything from DNS to the response headers, in milliseconds. */
  readonly maxMs: number;
}

/** A URL with the policy's decision, which stays the same while the host runs. */
type Target = { readonly fault: string } | { readonly origin: string; readonly path: string };

const targetsMax = 10_000;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Longest DNS lookup when a URL is checked, in milliseconds. */
const checkMaxMs = 2_500;

/**
 * Calls URLs that callers have chosen. All such calls must go through this class: it rejects internal addresses and protocols other
 * than http and https, and limits the size of responses. Only reads follow redirects, and each target is checked.
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
   * Returns what is wrong with a URL, for the person who chose it; undefined if the URL may be called. Accepts a name that does
   * not resolve, because each call resolves it again.
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

  /** Posts, and returns the status. Ignores the body of the response. Throws OutboundRejection and OutboundFailure. */
  async post({ url, headers, body, maxMs }: OutboundRequest): Promise<OutboundResponse> {
    const target = this.#targetOf(url);
    if ("fault" in target) throw new OutboundRejection(target.fault);
    try {
      return await postOnce(await this.#agent(), { ...target, headers, body, maxMs });
    } catch (err) {
      throw outboundFault(err);
    }
  }

  /** Reads a document; checks each redirect like the first URL. Throws DocumentFault, OutboundRejection and OutboundFailure. */
  async read(request: DocumentRequest): Promise<Document> {
    const late = AbortSignal.timeout(request.maxMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal]);
    const { accept, maxBytes } = request;
    let { url } = request;
    for (let redirects = 0; ; redirects++) {
      const target = this.#check(url);
      if ("fault" in target) throw new OutboundRejection(target.fault);
      let response: Awaited<ReturnType<typeof getOnce>>;
      try {
        response = await getOnce(await this.#agent(), { ...target, accept, maxBytes, signal });
      } catch (err) {
        throw err instanceof DocumentFault ? err : outboundFault(err);
      }
      const { location, ...document } = response;
      if (location === undefined || !redirectStatuses.has(response.status)) return document;
      if (redirects >= request.maxRedirects)
        throw new DocumentFault(`more than ${request.maxRedirects} redirects`);
      if (!URL.canParse(location, url)) throw new DocumentFault("the redirect's target is not a valid URL");
      url = new URL(location, url).href;
    }
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const target = this.#check(url);
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }

  #check(url: string): Target {
    const fault = this.#policy.faultOfUrl(url);
    return fault === undefined ? splitUrl(new URL(url)) : { fault };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opened)?.destroy();
  }

  #agent(): Promise<Agent> {
    this.#opened ??= import("./agent.ts").then(({ guardedAgent }) =>
      guardedAgent(this.#policy, this.#resolve),
    );
    return this.#opened;
  }
}

function splitUrl({ origin, pathname, search }: URL): { readonly origin: string; readonly path: string } {
  return { origin, path: `${pathname}${search}` };
}
