/** Learns from refusals how much a node accepts whose limit is not configured. */

import { nodeLimits } from "../node-limits.ts";
import type { Refusal } from "./faults.ts";

const { sampleMs, minRefusals, minAccepted, minRefusedShare, usedShare, trial, restMs, growth } =
  nodeLimits.learnedRate;

interface Sample {
  readonly startedAt: number;
  acceptedWeight: number;
  accepted: number;
  refused: number;
  /** The calls of a batch that is refused as a whole count once. */
  refusals: number;
}

interface Trial {
  /** Requests sent since then count. */
  readonly from: number;
  readonly formerRate: number;
  readonly maxRefused: number;
  accepted: number;
  refused: number;
}

/**
 * How much is accepted between refusals does not depend on how much is sent, so it is the limit (BBR's model of traffic policers,
 * `bbr_lt_bw_sampling` in Linux). Nodes also refuse at random, or because a quota is used up. Slowing down would not help then, so
 * each reduction is a trial that is undone if it turns out to be useless (as in RFC 4015, TCP's response to spurious time-outs).
 */
export class LearnedRate {
  readonly #onChange: (perSecond: number) => void;
  #perSecond = Number.POSITIVE_INFINITY;
  #sample: Sample | undefined;
  #trial: Trial | undefined;
  #lastRefusal: Refusal | undefined;
  #restUntil = 0;
  #restMs: number = restMs.first;

  constructor(onChange: (perSecond: number) => void) {
    this.#onChange = onChange;
  }

  /** `sentAt` is a time of `performance.now()`. */
  accepted(weight: number, sentAt: number): void {
    if (this.#trial !== undefined) {
      if (sentAt >= this.#trial.from) {
        this.#trial.accepted++;
        this.#judge(this.#trial);
      }
    } else if (this.#sample !== undefined) {
      this.#sample.accepted++;
      this.#sample.acceptedWeight += weight;
    }
    if (Number.isFinite(this.#perSecond)) this.#set(this.#perSecond + weight * growth);
  }

  refused(refusal: Refusal, sentAt: number): void {
    const isNew = refusal !== this.#lastRefusal;
    this.#lastRefusal = refusal;
    if (this.#trial === undefined) this.#addToSample(isNew);
    else if (sentAt >= this.#trial.from) {
      this.#trial.refused++;
      this.#judge(this.#trial);
    }
  }

  #addToSample(isNew: boolean): void {
    const now = performance.now();
    if (now < this.#restUntil) return;
    if (this.#sample === undefined || !this.#isCurrent(this.#sample, now))
      this.#sample = { startedAt: now, acceptedWeight: 0, accepted: 0, refused: 0, refusals: 0 };
    const sample = this.#sample;
    sample.refused++;
    if (isNew) sample.refusals++;
    if (
      now - sample.startedAt < sampleMs.min ||
      sample.refusals < minRefusals ||
      sample.accepted < minAccepted
    )
      return;
    this.#sample = undefined;
    this.#startTrial(sample, now);
  }

  #isCurrent({ startedAt, accepted, refused }: Sample, now: number): boolean {
    if (now - startedAt < sampleMs.min) return true;
    const isRate = Number.isFinite(this.#perSecond) || refused >= (accepted + refused) * minRefusedShare;
    return isRate && now - startedAt <= sampleMs.max;
  }

  #startTrial({ startedAt, acceptedWeight, accepted, refused }: Sample, now: number): void {
    const refusedShare = refused / (refused + accepted);
    this.#trial = {
      from: now + trial.settleMs,
      formerRate: this.#perSecond,
      maxRefused: trial.requests * refusedShare * trial.maxRefusals,
      accepted: 0,
      refused: 0,
    };
    const acceptedPerSecond = (acceptedWeight / (now - startedAt)) * 1_000;
    this.#set(Math.min(this.#perSecond, acceptedPerSecond * usedShare));
  }

  #judge({ formerRate, maxRefused, accepted, refused }: Trial): void {
    const hasFailed = refused > maxRefused;
    if (!hasFailed && accepted + refused < trial.requests) return;
    this.#trial = undefined;
    this.#restMs = hasFailed ? Math.min(restMs.max, this.#restMs * 2) : restMs.first;
    this.#restUntil = performance.now() + this.#restMs;
    if (hasFailed) this.#set(formerRate);
  }

  #set(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#onChange(perSecond);
  }
}
