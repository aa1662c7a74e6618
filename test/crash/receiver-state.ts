/** What one receiver makes of its calls, by `webhook-id` and `sequence` alone, in whatever order they come. */

interface Notification {
  readonly type: "BLOCK_ADDED" | "BLOCK_REMOVED";
  readonly sequence: number;
  readonly blockHash: string;
  readonly txnHash: string;
  readonly txnLogIndex: string;
}

export class ReceiverState {
  /** By the place of a log the newest that was said of it. */
  readonly #newest = new Map<string, Notification>();
  readonly #ids = new Map<string, number>();
  readonly #added = new Set<string>();
  readonly faults: string[] = [];
  repeats = 0;
  removals = 0;

  receive(webhookId: string, body: string): void {
    const notification = JSON.parse(body) as Notification;
    const { type, sequence } = notification;
    const known = this.#ids.get(webhookId);
    if (known !== undefined) {
      this.repeats++;
      if (known !== sequence) this.faults.push(`${webhookId} came with sequence ${known} and ${sequence}`);
      return;
    }
    this.#ids.set(webhookId, sequence);
    const place = logPositionOf(notification);
    const occurrence = `${place} ${webhookId.split("-").at(-1)}`;
    if (type === "BLOCK_ADDED") this.#added.add(occurrence);
    else {
      this.removals++;
      if (!this.#added.has(occurrence)) this.faults.push(`${place} was taken back before it was told`);
    }
    const newest = this.#newest.get(place);
    if (newest === undefined || newest.sequence < sequence) this.#newest.set(place, notification);
  }

  /** Different notifications. */
  get count(): number {
    return this.#ids.size;
  }

  /** The logs that are on the chain as far as it knows. */
  logs(): ReadonlySet<string> {
    const there = [...this.#newest].filter(([, { type }]) => type === "BLOCK_ADDED");
    return new Set(there.map(([place]) => place));
  }
}

/** A log by its block, its transaction, and its place in it. */
export function logPositionOf({
  blockHash,
  txnHash,
  txnLogIndex,
}: Pick<Notification, "blockHash" | "txnHash" | "txnLogIndex">): string {
  return `${blockHash} ${txnHash} ${txnLogIndex}`;
}
