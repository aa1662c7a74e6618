import type { Outbound } from "../../base/outbound/outbound.ts";
import type { OutboundResponse } from "../../base/outbound/post.ts";
import { inSpan, type WorkSpan } from "../../base/spans.ts";
import type { Database } from "../../base/storage/database.ts";
import type { WebhookEvents } from "../events.ts";
import type { SecretBox } from "../secret.ts";
import { DestinationScheduler, TokenBucket } from "./destination-scheduler.ts";
import type { DeliveryLimits } from "./limits.ts";
import {
  type AttemptOutcome,
  bodyOf,
  createSigner,
  goneStatus,
  nextDelayMs,
  outcomeOfError,
  outcomeOfResponse,
  type Signer,
} from "./outcome.ts";
import { type DeliveryTarget, type QueueItem, readPage } from "./queue.ts";
import {
  type Health,
  isFailingLong,
  pauseFailing,
  pauseGone,
  resume,
  scheduleProbe,
  setFailing,
  shouldPause,
} from "./receiver-health.ts";
import type { AttemptResult, StoreResults } from "./results.ts";

export interface DispatchDependencies {
  readonly database: Database;
  readonly outbound: Pick<Outbound, "post">;
  readonly secrets: SecretBox;
  readonly limits: DeliveryLimits;
  readonly events: WebhookEvents;
}

interface DestinationSenderDependencies extends DispatchDependencies {
  /** Shared by the senders of a process. */
  readonly storeResults: StoreResults;
}

/** Most queue items in one page, for one listener and in total. */
const maxPageItemsPerListener = 128;
const maxPageItems = 256;

/** Reads no further page while more than this many items wait to be sent. */
const maxWaiting = 1_024;

/** Pause between attempts to store results while the database is unavailable, in milliseconds. */
const storeRetryMs = 250;

/**
 * Sends the notifications for one destination while this process holds the destination's lease. Reads due items page by page, sends them in the
 * scheduler's order, and stores results in batches: each batch holds the results that arrived while the previous one was being written.
 */
export class DestinationSender {
  readonly destination: string;
  readonly #dependencies: DestinationSenderDependencies;
  readonly #scheduler: DestinationScheduler;
  readonly #rate: TokenBucket;
  /** Items that were read and whose results are not stored yet. */
  readonly #unstored = new Set<QueueItem>();
  readonly #signers = new WeakMap<DeliveryTarget, Signer>();
  #results: AttemptResult[] = [];
  #storing: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  /** Whether the database may hold due items that were not read. */
  #mayHaveMore = true;
  #isStopping = false;
  /** Calls may start until this time, as returned by `performance.now()`. Renewing the lease extends it. */
  #leasedUntil: number;
  #timer: NodeJS.Timeout | undefined;
  #lastWork = performance.now();

  constructor(destination: string, leasedUntil: number, dependencies: DestinationSenderDependencies) {
    this.destination = destination;
    this.#dependencies = dependencies;
    this.#leasedUntil = leasedUntil;
    this.#scheduler = new DestinationScheduler(dependencies.limits);
    this.#rate = new TokenBucket(dependencies.limits.initialRate, performance.now());
  }

  /** Call this when items became due or a listener changed. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#work();
  }

  /** Drops items that were not sent yet, and reads them again with the listeners' current settings. */
  reload(): void {
    for (const item of this.#scheduler.clear()) this.#unstored.delete(item);
    this.wake();
  }

  extendLease(until: number): void {
    this.#leasedUntil = until;
    this.#work();
  }

  get calls(): number {
    return this.#scheduler.calls;
  }

  /** How long the sender has been idle, in milliseconds; 0 while it has work. */
  idleMs(now: number): number {
    return this.#unstored.size === 0 && this.#reading === undefined && !this.#mayHaveMore
      ? now - this.#lastWork
      : 0;
  }

  /** Starts no further call. Resolves when the calls in flight have ended and their results are stored. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    for (const item of this.#scheduler.clear()) this.#unstored.delete(item);
    await this.#reading;
    for (const item of this.#scheduler.clear()) this.#unstored.delete(item);
    await this.#whenIdle;
    await this.#storing;
  }

  get #whenIdle(): Promise<void> {
    if (this.#scheduler.calls === 0) return Promise.resolve();
    return new Promise((done) => {
      this.#onIdle = done;
    });
  }

  #onIdle: (() => void) | undefined;

  #work(): void {
    if (this.#isStopping) return;
    this.#readMore();
    this.#sendMore();
  }

  #readMore(): void {
    if (this.#scheduler.canResumeReading(performance.now())) this.#mayHaveMore = true;
    if (!this.#mayHaveMore || this.#reading !== undefined || this.#scheduler.waiting > maxWaiting) return;
    this.#mayHaveMore = false;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
      this.#work();
    });
  }

  async #read(): Promise<void> {
    const now = performance.now();
    try {
      const items = await readPage(this.#dependencies.database, {
        destination: this.destination,
        keyIds: this.#dependencies.secrets.keyIds,
        unstored: [...this.#unstored],
        excluded: this.#scheduler.readPaused(now),
        limitedToOne: this.#scheduler.degraded(now),
        itemsPerListener: maxPageItemsPerListener,
        limit: maxPageItems,
      });
      if (items.length === maxPageItems) this.#mayHaveMore = true;
      // Schedule the next probe first: a crash must not lead to a second probe in the same interval.
      for (const { listener } of items)
        if (listener.isProbe)
          await scheduleProbe(this.#dependencies.database, listener.id, this.#dependencies.limits);
      if (this.#isStopping) return;
      for (const item of items) {
        this.#unstored.add(item);
        this.#scheduler.add(item);
      }
    } catch {
      // The database is unavailable. The dispatcher's next scan wakes this sender again.
    }
  }

  #sendMore(): void {
    clearTimeout(this.#timer);
    for (;;) {
      const now = performance.now();
      if (this.#scheduler.waiting === 0 && !this.#mayHaveMore) break;
      // The lease has expired, so another process may be calling the destination.
      if (now >= this.#leasedUntil) return;
      if (this.#scheduler.calls >= this.#dependencies.limits.maxCallsPerDestination) return;
      const wait = this.#rate.waitMs(now);
      if (wait > 0) {
        this.#workIn(wait);
        return;
      }
      const item = this.#scheduler.next(now);
      if (item === undefined) break;
      this.#rate.take();
      void this.#send(item);
    }
    const backOffEnd = this.#scheduler.nextBackOffEnd(performance.now());
    if (backOffEnd !== undefined) this.#workIn(backOffEnd - performance.now());
  }

  #workIn(ms: number): void {
    this.#timer = setTimeout(() => this.#work(), Math.max(1, ms)).unref();
  }

  async #send(item: QueueItem): Promise<void> {
    const began = performance.now();
    const at = new Date();
    const outcome = await this.#attempt(item, at);
    const now = performance.now();
    const tookMs = now - began;
    this.#lastWork = now;
    const succeeded = outcome.kind === "accepted";
    if (succeeded) this.#rate.succeeded();
    for (const each of this.#scheduler.finished(item, succeeded, now, outcome.retryAfterMs))
      this.#unstored.delete(each);
    this.#dependencies.events.attempted(succeeded ? "accepted" : "failed", tookMs / 1_000);
    this.#results.push(this.#resultOf(item, outcome, at, tookMs));
    this.#storing ??= this.#storeAll();
    if (this.#scheduler.calls === 0) this.#onIdle?.();
    this.#work();
  }

  async #attempt(item: QueueItem, at: Date): Promise<AttemptOutcome> {
    const { listener, sequence, storedBody, id } = item;
    const sign = this.#signerOf(listener);
    if (sign === undefined) return secretUnreadable;
    const body = bodyOf(storedBody, sequence, listener.format);
    const { responseTimeoutMs: maxMs } = this.#dependencies.limits;
    const span = (): WorkSpan => ({
      name: "webhook delivery",
      startsTrace: true,
      attributes: {
        "http.request.method": "POST",
        "server.address": new URL(listener.url).host,
        "platform.listener": listener.id,
        "platform.webhook_id": id,
      },
    });
    let response: OutboundResponse;
    try {
      const headers = sign({ id, at, body });
      response = await inSpan(span, () =>
        this.#dependencies.outbound.post({ url: listener.url, headers, body, maxMs }),
      );
    } catch (err) {
      return outcomeOfError(err);
    }
    return outcomeOfResponse(response, Date.now());
  }

  /** Decrypts a listener's secrets once per page. Returns undefined if none can be decrypted. */
  #signerOf(listener: DeliveryTarget): Signer | undefined {
    const known = this.#signers.get(listener);
    if (known !== undefined) return known;
    const secrets = listener.sealed.flatMap(
      (sealed) => this.#dependencies.secrets.open(sealed, listener.id) ?? [],
    );
    if (secrets.length === 0) return undefined;
    const sign = createSigner(secrets);
    this.#signers.set(listener, sign);
    return sign;
  }

  #resultOf(item: QueueItem, outcome: AttemptOutcome, at: Date, tookMs: number): AttemptResult {
    const { status, fault } = outcome;
    if (outcome.kind === "accepted") return { item, at, tookMs, status, fault, state: "accepted", waitMs: 0 };
    // A paused listener (410, or a failed probe) keeps its backlog: its items never fail for too many attempts.
    const keepsBacklog = outcome.kind === "gone" || item.listener.isProbe;
    const attempts = keepsBacklog ? Math.min(item.attempts + 1, 1) : item.attempts + 1;
    const waitMs = nextDelayMs(outcome, attempts, this.#dependencies.limits);
    return waitMs === undefined
      ? { item, at, tookMs, status, fault, state: "failed", waitMs: 0 }
      : { item, at, tookMs, status, fault, state: "waiting", waitMs };
  }

  async #storeAll(): Promise<void> {
    while (this.#results.length > 0) {
      const batch = this.#results;
      this.#results = [];
      await this.#storeBatch(batch);
      for (const { item } of batch) this.#unstored.delete(item);
      this.#work();
    }
    this.#storing = undefined;
  }

  /** Retries until the batch is stored. The number of unstored items is limited, so memory stays bounded. */
  async #storeBatch(batch: readonly AttemptResult[]): Promise<void> {
    const { storeResults, events } = this.#dependencies;
    for (;;) {
      try {
        const health = await storeResults(batch);
        await this.#changeStates(batch, health);
        return;
      } catch (err) {
        events.failed(err);
        await new Promise((done) => setTimeout(done, storeRetryMs));
      }
    }
  }

  /** Runs after the results are stored, in separate statements: updating a listener waits for the row lock of its network's follower. */
  async #changeStates(batch: readonly AttemptResult[], health: readonly Health[]): Promise<void> {
    const { database, events, limits } = this.#dependencies;
    const last = new Map(batch.map((result) => [result.item.listener.id, result]));
    for (const each of health) {
      const { listenerId, failingSince, isFailing } = each;
      const result = last.get(listenerId);
      if (result === undefined) continue;
      const { isProbe } = result.item.listener;
      const now = Date.now();
      if (result.status === goneStatus) {
        const paused = await pauseGone(database, listenerId);
        if (paused !== undefined) events.paused(paused, "gone");
      } else if (isProbe && result.state === "accepted") {
        const resumed = await resume(database, listenerId);
        if (resumed !== undefined) events.resumed(resumed);
      } else if (!isProbe && shouldPause(each, limits, now)) {
        const paused = await pauseFailing(database, listenerId, limits);
        if (paused !== undefined) events.paused(paused, "failing");
      } else if (isFailing && failingSince === undefined) {
        const recovered = await setFailing(database, listenerId, false);
        if (recovered !== undefined) events.recovered(recovered);
      } else if (!isFailing && isFailingLong(each, limits, now)) {
        const failing = await setFailing(database, listenerId, true);
        if (failing !== undefined) events.failing(failing, result.fault);
      }
    }
  }
}

const secretUnreadable: AttemptOutcome = {
  kind: "failed",
  status: undefined,
  fault:
    "its secret was encrypted with a signing key that the host no longer has; call RotateWebhookSecret to create a new secret, or ask the operator for the key",
  retryAfterMs: undefined,
};
