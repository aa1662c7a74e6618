/** The state that a receiver derives from its calls, using only `webhook-id` and `sequence`, in any order of arrival. */

interface Notification {
  readonly type: "BLOCK_ADDED" | "BLOCK_REMOVED";
  readonly sequence: number;
  readonly blockHash: string;
  readonly txnHash: string;
  readonly txnLogIndex: string;
}

export class ReceiverState {
  /** The newest notification of each log, by its position. */
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
    const position = logPositionOf(notification);
    const occurrence = `${position} ${webhookId.split("-").at(-1)}`;
    if (type === "BLOCK_ADDED") this.#added.add(occurrence);
    else {
      this.removals++;
      if (!this.#added.has(occurrence)) this.faults.push(`${position} was removed before it was added`);
    }
    const newest = this.#newest.get(position);
    if (newest === undefined || newest.sequence < sequence) this.#newest.set(position, notification);
  }

  /** Number of distinct notifications. */
  get count(): number {
    return this.#ids.size;
  }

  /** The logs that are on the chain, as far as the receiver knows. */
  logs(): ReadonlySet<string> {
    const added = [...this.#newest].filter(([, { type }]) => type === "BLOCK_ADDED");
    return new Set(added.map(([position]) => position));
  }
}

/** Position of a log: its block, its transaction, and its index in it. */
export function logPositionOf({
  blockHash,
  txnHash,
  txnLogIndex,
}: Pick<Notification, "blockHash" | "txnHash" | "txnLogIndex">): string {
  return `${blockHash} ${txnHash} ${txnLogIndex}`;
}
