/** Reads the metadata of due tokens. Any number of processes share the queue. */
import { setTimeout as sleep } from "node:timers/promises";
import { DocumentFault } from "../../base/outbound/document.ts";
import { OutboundFailure, OutboundRejection } from "../../base/outbound/failure.ts";
import type { Outbound } from "../../base/outbound/outbound.ts";
import { Semaphore } from "../../base/semaphore.ts";
import type { Database } from "../../base/storage/database.ts";
import { type Chain, ChainBusy, ChainFailure, type Hex } from "../../chain/rpc/chain.ts";
import type { ReadingLimits } from "./limits.ts";
import { type MetadataFields, readDataUri, readDocument } from "./parse-document.ts";
import { type Claim, claimTokens } from "./queue.ts";
import { decodeString, type Gateways, ReadingFault, sourceOf, tokenUriCall, uriCall } from "./token-uri.ts";
import { storableFields, type TokenReading, writeTokenReadings } from "./write-readings.ts";

export interface TokenReaderDependencies {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  readonly gateways: Gateways;
  readonly limits: ReadingLimits;
  readonly events: TokenReaderEvents;
}

/** Events for the operator. The callbacks do not throw. */
interface TokenReaderEvents {
  readonly read: (result: "read" | "failed") => void;
  /** The database failed, or a reading failed unexpectedly. The operation is retried. */
  readonly failed: (err: unknown) => void;
}

/** Tokens per claim: as many as one batch of chain calls reads. */
const claimLimit = 100;
/** Lease of a claim, in seconds: long enough for the last of the claimed tokens to be read. */
const leaseSeconds = 300;
/** Documents that are read concurrently: 32 MiB at most. */
const maxConcurrentDocuments = 32;
/** Stops claiming beyond this number of claimed tokens. */
const maxClaimedTokens = 200;
/** Interval of polling the queue, in milliseconds. */
const pollMs = 1_000;
/** Largest contract response, in bytes: at first, and when tokens without a result are queried again. */
const maxUriBytes = 4_096;
const maxLongUriBytes = 131_072;

export class TokenReader implements AsyncDisposable {
  readonly #dependencies: TokenReaderDependencies;
  readonly #closing = new AbortController();
  readonly #hosts = new HostLimiter();
  readonly #unwritten: TokenReading[] = [];
  readonly #documents = new Semaphore(maxConcurrentDocuments);
  readonly #running: Promise<void>;
  #writing: Promise<void> | undefined;
  #claimedTokens = 0;
  #wake: () => void = () => {};

  constructor(dependencies: TokenReaderDependencies) {
    this.#dependencies = dependencies;
    this.#running = this.#run();
  }

  wake(): void {
    this.#wake();
  }

  /** Tokens that this process has claimed, and documents in flight. */
  load(): { readonly tokens: number; readonly documents: number } {
    return { tokens: this.#claimedTokens, documents: this.#documents.taken };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
    while (this.#claimedTokens > 0) await sleep(5);
    await this.#writing;
  }

  async #run(): Promise<void> {
    const { database, events } = this.#dependencies;
    while (!this.#closing.signal.aborted) {
      try {
        const claims =
          this.#claimedTokens > maxClaimedTokens - claimLimit
            ? []
            : await claimTokens(database, claimLimit, leaseSeconds);
        this.#claimedTokens += claims.length;
        for (const chainId of new Set(claims.map((each) => each.chainId)))
          void this.#readAll(
            chainId,
            claims.filter((each) => each.chainId === chainId),
          );
        if (claims.length === claimLimit) continue;
      } catch (err) {
        events.failed(err);
      }
      await this.#waitForWork();
    }
  }

  async #waitForWork(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.#wake = done;
      timer = setTimeout(done, pollMs);
      if (this.#closing.signal.aborted) done();
    });
    clearTimeout(timer);
  }

  /** Never rejects. */
  async #readAll(chainId: number, claims: readonly Claim[]): Promise<void> {
    let uris: readonly (string | undefined)[];
    try {
      uris = await readUris(await this.#dependencies.chainOf(chainId), claims, this.#closing.signal);
    } catch (err) {
      const reason =
        err instanceof ChainFailure ? `the chain: ${err.message}` : "the chain could not be queried";
      for (const each of claims)
        this.#finish({ claim: each, uri: undefined, result: { reason, isTransient: true } });
      if (!(err instanceof ChainFailure || err instanceof ChainBusy)) this.#dependencies.events.failed(err);
      return;
    }
    for (const [index, each] of claims.entries()) void this.#readOne(each, uris[index]);
  }

  /** Never rejects. */
  async #readOne(token: Claim, uri: string | undefined): Promise<void> {
    try {
      if (uri === undefined) throw new ReadingFault("the contract returns no tokenURI or uri for this token");
      const fields = storableFields(token, await this.#readDocument(token, uri));
      this.#finish({ claim: token, uri, result: { fields } });
    } catch (err) {
      this.#finish({ claim: token, uri, result: this.#failureOf(err) });
    }
  }

  async #readDocument({ tokenId }: Claim, uri: string): Promise<MetadataFields> {
    const source = sourceOf(uri, BigInt(tokenId), this.#dependencies.gateways);
    if ("data" in source) return readDataUri(source.data);
    try {
      return await this.#readFrom(source.url);
    } catch (err) {
      if (source.alternative === undefined || this.#closing.signal.aborted) throw err;
      return await this.#readFrom(source.alternative).catch(() => Promise.reject(err));
    }
  }

  /** Reads a document from its server, such as the IPFS gateway, when it is the turn of this request. Unresponsive servers are paused. */
  async #readFrom(url: string): Promise<MetadataFields> {
    const dependencies = { ...this.#dependencies, signal: this.#closing.signal };
    if (!URL.canParse(url)) return readDocument(dependencies, url);
    const { host } = new URL(url);
    if (!(await this.#hosts.acquire(host)))
      throw new ReadingFault(`requests to ${host} are paused, because it repeatedly did not respond`, {
        isTransient: true,
      });
    let isSilent = false;
    try {
      return await this.#documents.run(() => readDocument(dependencies, url));
    } catch (err) {
      isSilent = err instanceof OutboundFailure;
      throw err;
    } finally {
      this.#hosts.release(host, { isSilent });
    }
  }

  #failureOf(err: unknown): { readonly reason: string; readonly isTransient: boolean } {
    if (this.#closing.signal.aborted)
      return { reason: "the host stopped during the reading", isTransient: true };
    if (err instanceof ReadingFault) return { reason: err.message, isTransient: err.isTransient };
    const isKnown =
      err instanceof DocumentFault || err instanceof OutboundRejection || err instanceof OutboundFailure;
    if (isKnown) return { reason: err.message, isTransient: false };
    this.#dependencies.events.failed(err);
    return { reason: "internal error; see the log", isTransient: false };
  }

  /** Results that arrive during a write are written together after it. */
  #finish(reading: TokenReading): void {
    this.#dependencies.events.read("fields" in reading.result ? "read" : "failed");
    this.#unwritten.push(reading);
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    // Results of the same moment are written together.
    await sleep(1);
    while (this.#unwritten.length > 0) {
      const batch = this.#unwritten.splice(0, claimLimit);
      await this.#writeBisecting(batch);
      this.#claimedTokens -= batch.length;
      this.#wake();
    }
    this.#writing = undefined;
  }

  /** If a batch cannot be written, splits it until the faulty reading is alone. Its token is read again after the lease has ended. */
  async #writeBisecting(readings: readonly TokenReading[]): Promise<void> {
    const { database, events } = this.#dependencies;
    try {
      await writeTokenReadings(database, readings);
    } catch (err) {
      if (readings.length === 1) return events.failed(err);
      const middle = readings.length >> 1;
      await this.#writeBisecting(readings.slice(0, middle));
      await this.#writeBisecting(readings.slice(middle));
    }
  }
}

/** Most contracts support `tokenURI` or `uri` with short results. Long results need larger responses, which are read in smaller batches. */
async function readUris(
  chain: Chain,
  claims: readonly Claim[],
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = claims.map(() => undefined);
  const passes: readonly (readonly [(tokenId: bigint) => Hex, number])[] = [
    [tokenUriCall, maxUriBytes],
    [uriCall, maxUriBytes],
    [tokenUriCall, maxLongUriBytes],
    [uriCall, maxLongUriBytes],
  ];
  for (const [callOf, maxResultBytes] of passes) {
    const pending = claims.flatMap((each, index) => (found[index] === undefined ? [{ ...each, index }] : []));
    if (pending.length === 0) break;
    const calls = pending.map(({ address, tokenId }) => ({ to: address, data: callOf(BigInt(tokenId)) }));
    const responses = await chain.callMany({ calls, maxResultBytes, signal });
    for (const [position, { index }] of pending.entries()) found[index] = decodeString(responses[position]);
  }
  return found;
}

/* Limits concurrent calls per metadata server, and pauses servers that do not respond. */

const maxCallsPerHost = 8;
/** Consecutive failures after which a host is paused, and the duration of the pause in milliseconds. */
const maxFailures = 8;
const pauseMs = 60_000;
const maxHosts = 10_000;

interface Host {
  readonly slots: Semaphore;
  failures: number;
  pausedUntil: number;
}

export class HostLimiter {
  readonly #hosts = new Map<string, Host>();

  /** Waits for a slot. Returns false if the host is paused; otherwise the caller must call `release`. */
  async acquire(name: string): Promise<boolean> {
    const host = this.#of(name);
    if (host.pausedUntil > performance.now()) return false;
    await host.slots.acquire();
    if (host.pausedUntil <= performance.now()) return true;
    this.#releaseSlot(name, host);
    return false;
  }

  /** `isSilent`: the host did not respond in time. */
  release(name: string, { isSilent }: { readonly isSilent: boolean }): void {
    const host = this.#of(name);
    host.failures = isSilent ? host.failures + 1 : 0;
    if (host.failures >= maxFailures) {
      host.pausedUntil = performance.now() + pauseMs;
      host.failures = 0;
    }
    this.#releaseSlot(name, host);
  }

  #releaseSlot(name: string, host: Host): void {
    host.slots.release();
    const isIdle = host.slots.taken === 0 && host.failures === 0 && host.pausedUntil <= performance.now();
    if (isIdle) this.#hosts.delete(name);
  }

  #of(name: string): Host {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      for (const [other, { slots }] of this.#hosts) {
        if (this.#hosts.size < maxHosts) break;
        if (slots.taken === 0) this.#hosts.delete(other);
      }
      host = { slots: new Semaphore(maxCallsPerHost), failures: 0, pausedUntil: 0 };
      this.#hosts.set(name, host);
    }
    return host;
  }
}
