import type { Outbound } from "../../base/outbound/outbound.ts";
import type { OutboundResponse } from "../../base/outbound/post.ts";
import type { Database } from "../../base/storage/database.ts";
import type { SecretBox } from "../secret.ts";
import { bodyOf } from "./body.ts";
import type { DeliveryEvents } from "./events.ts";
import type { DeliveryLimits } from "./limits.ts";
import { Pace } from "./pace.ts";
import { isHopeless, pauseFailing, pauseGone, probeLater, resume } from "./pauses.ts";
import { type Item, type Receiver, readPage, type Settled, settle } from "./queue.ts";
import { createSign, type Sign } from "./sign.ts";
import { Turns } from "./turns.ts";
import { judge, judgeFailure, nextWaitMs, type Verdict } from "./verdict.ts";

export interface DestinationPorts {
  readonly database: Database;
  readonly outbound: Pick<Outbound, "post">;
  readonly secrets: SecretBox;
  readonly limits: DeliveryLimits;
  readonly events: DeliveryEvents;
}

/** Of a page: for one listener, and for all. */
const pagePerListener = 128;
const pageMost = 256;

/** With more than so many to be sent nothing is read. */
const waitingMax = 1_024;

/** Between two tries to write results down while the database is away, in milliseconds. */
const settleAgainMs = 250;

/**
 * Calls one host for as long as it is this process's: takes what is due from the database page by page, sends it in turns, and
 * writes the results down in batches, as many as came while the batch before was written.
 */
export class Destination {
  readonly host: string;
  readonly #ports: DestinationPorts;
  readonly #turns: Turns;
  readonly #pace: Pace;
  /** Read, and not settled yet. */
  readonly #taken = new Set<Item>();
  readonly #signs = new WeakMap<Receiver, Sign>();
  #results: Settled[] = [];
  #settling: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  /** There may be more than what was read. */
  #isDue = true;
  #isStopping = false;
  /** Calls are made until then; it moves on with each sign of life to the database. */
  #leasedUntil: number;
  #timer: NodeJS.Timeout | undefined;
  #lastWork = performance.now();

  constructor(host: string, leasedUntil: number, ports: DestinationPorts) {
    this.host = host;
    this.#ports = ports;
    this.#leasedUntil = leasedUntil;
    this.#turns = new Turns(ports.limits);
    this.#pace = new Pace(ports.limits.firstRate, performance.now());
  }

  /** Something became due, or a listener changed. */
  wake(): void {
    this.#isDue = true;
    this.#go();
  }

  /** What was read and not sent is read again, as listeners are now. */
  refresh(): void {
    for (const item of this.#turns.forget()) this.#taken.delete(item);
    this.wake();
  }

  leased(until: number): void {
    this.#leasedUntil = until;
    this.#go();
  }

  /** Calls that are under way. */
  get calls(): number {
    return this.#turns.calls;
  }

  /** How long there was nothing to do, in milliseconds. */
  idleMs(now: number): number {
    return this.#taken.size === 0 && this.#reading === undefined && !this.#isDue ? now - this.#lastWork : 0;
  }

  /** Makes no further call; done when those under way are over and written down. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    for (const item of this.#turns.forget()) this.#taken.delete(item);
    await this.#reading;
    for (const item of this.#turns.forget()) this.#taken.delete(item);
    await this.#over;
    await this.#settling;
  }

  /** Resolves when no call is under way. */
  get #over(): Promise<void> {
    if (this.#turns.calls === 0) return Promise.resolve();
    return new Promise((done) => {
      this.#onIdle = done;
    });
  }

  #onIdle: (() => void) | undefined;

  #go(): void {
    if (this.#isStopping) return;
    this.#readMore();
    this.#sendMore();
  }

  #readMore(): void {
    if (this.#turns.isHungry(performance.now())) this.#isDue = true;
    if (!this.#isDue || this.#reading !== undefined || this.#turns.waiting > waitingMax) return;
    this.#isDue = false;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
      this.#go();
    });
  }

  async #read(): Promise<void> {
    const now = performance.now();
    try {
      const items = await readPage(this.#ports.database, {
        host: this.host,
        taken: [...this.#taken],
        leftOut: this.#turns.fed(now),
        single: this.#turns.inTrouble(now),
        perListener: pagePerListener,
        most: pageMost,
      });
      if (items.length === pageMost) this.#isDue = true;
      // One probe an interval, whatever becomes of it or of us.
      for (const { listener } of items)
        if (listener.isProbe) await probeLater(this.#ports.database, listener.id, this.#ports.limits);
      if (this.#isStopping) return;
      for (const item of items) {
        this.#taken.add(item);
        this.#turns.add(item);
      }
    } catch {
      // The database is away. Who looks for what is due wakes this again.
    }
  }

  #sendMore(): void {
    clearTimeout(this.#timer);
    for (;;) {
      const now = performance.now();
      if (this.#turns.waiting === 0 && !this.#isDue) break;
      // Somebody else may call the host by now.
      if (now >= this.#leasedUntil) return;
      if (this.#turns.calls >= this.#ports.limits.callsPerHost) return;
      const wait = this.#pace.peek(now);
      if (wait > 0) {
        this.#goIn(wait);
        return;
      }
      const item = this.#turns.next(now);
      if (item === undefined) break;
      this.#pace.take();
      void this.#send(item);
    }
    const heldUntil = this.#turns.heldUntil(performance.now());
    if (heldUntil !== undefined) this.#goIn(heldUntil - performance.now());
  }

  #goIn(ms: number): void {
    this.#timer = setTimeout(() => this.#go(), Math.max(1, ms)).unref();
  }

  async #send(item: Item): Promise<void> {
    const began = performance.now();
    const at = new Date();
    const verdict = await this.#attempt(item, at);
    const now = performance.now();
    const tookMs = now - began;
    this.#lastWork = now;
    const isGood = verdict.kind === "accepted";
    if (isGood) this.#pace.succeeded();
    for (const each of this.#turns.over(item, isGood, now, verdict.retryAfterMs)) this.#taken.delete(each);
    this.#ports.events.attempted(isGood ? "accepted" : "failed", tookMs / 1_000);
    this.#results.push(this.#settledOf(item, verdict, at, tookMs));
    this.#settling ??= this.#settleAll();
    if (this.#turns.calls === 0) this.#onIdle?.();
    this.#go();
  }

  async #attempt(item: Item, at: Date): Promise<Verdict> {
    const { listener, sequence, stored, id } = item;
    const sign = this.#signOf(listener);
    if (sign === undefined) return unreadable;
    const body = bodyOf(stored, sequence, listener.format);
    const { answerMaxMs: maxMs } = this.#ports.limits;
    let answer: OutboundResponse;
    try {
      const headers = sign({ id, at, body });
      answer = await this.#ports.outbound.post({ url: listener.url, headers, body, maxMs });
    } catch (err) {
      return judgeFailure(err);
    }
    return judge(answer, Date.now());
  }

  /** Secrets are unsealed once for all that was read together. Undefined: none can be read. */
  #signOf(listener: Receiver): Sign | undefined {
    const known = this.#signs.get(listener);
    if (known !== undefined) return known;
    const secrets = listener.sealed.flatMap((sealed) => this.#ports.secrets.open(sealed, listener.id) ?? []);
    if (secrets.length === 0) return undefined;
    const sign = createSign(secrets);
    this.#signs.set(listener, sign);
    return sign;
  }

  #settledOf(item: Item, verdict: Verdict, at: Date, tookMs: number): Settled {
    const about = { item, at, tookMs, status: verdict.status, fault: verdict.fault };
    if (verdict.kind === "accepted") return { ...about, state: "accepted", waitMs: 0 };
    // A receiver that wants no more, and one that is tried now and then, lose nothing of what is kept for them.
    const isKept = verdict.kind === "gone" || item.listener.isProbe;
    const attempts = isKept ? Math.min(item.attempts + 1, 1) : item.attempts + 1;
    const waitMs = nextWaitMs(verdict, attempts, this.#ports.limits);
    return waitMs === undefined
      ? { ...about, state: "parked", waitMs: 0 }
      : { ...about, state: "waiting", waitMs };
  }

  async #settleAll(): Promise<void> {
    while (this.#results.length > 0) {
      const batch = this.#results;
      this.#results = [];
      await this.#settleBatch(batch);
      for (const { item } of batch) this.#taken.delete(item);
      this.#go();
    }
    this.#settling = undefined;
  }

  /** Until it is written: what is taken meanwhile is bounded by the page, so nothing piles up while the database is away. */
  async #settleBatch(batch: readonly Settled[]): Promise<void> {
    const { database, events, limits } = this.#ports;
    for (;;) {
      try {
        const health = await settle(database, batch);
        const hopeless = new Set(
          health.filter((each) => isHopeless(each, limits, Date.now())).map(({ listenerId }) => listenerId),
        );
        await this.#pauseOrResume(batch, hopeless);
        return;
      } catch (err) {
        events.failed(err);
        await new Promise((done) => setTimeout(done, settleAgainMs));
      }
    }
  }

  /** After the results, not with them: changing a listener waits for whoever follows its network. */
  async #pauseOrResume(batch: readonly Settled[], hopeless: ReadonlySet<number>): Promise<void> {
    const { database, events, limits } = this.#ports;
    const last = new Map(batch.map((settled) => [settled.item.listener.id, settled]));
    for (const [listenerId, { item, state, status }] of last) {
      if (status === 410) {
        if (await pauseGone(database, listenerId)) events.paused(listenerId, "gone");
      } else if (item.listener.isProbe && state === "accepted") {
        if (await resume(database, listenerId)) events.resumed(listenerId);
      } else if (!item.listener.isProbe && hopeless.has(listenerId)) {
        if (await pauseFailing(database, listenerId, limits)) events.paused(listenerId, "failing");
      }
    }
  }
}

const unreadable: Verdict = {
  kind: "failed",
  status: undefined,
  fault:
    "its secret cannot be read, because the host's signing key is another now; RotateWebhookSecret makes a new one",
  retryAfterMs: undefined,
};
