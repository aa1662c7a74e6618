/** How far a follower is, as of its last commit. */
import type { Queries } from "../../base/storage/database.ts";
import { type Checkpoint, readCheckpoint, Superseded, takeOver } from "./checkpoint.ts";
import type { BlockId, BlockRef } from "./derive/deriver.ts";
import { type NewBlocks, readRecentBlocks } from "./known-blocks.ts";
import { readRewound } from "./rewound-blocks.ts";

export class Position {
  readonly #chainId: number;
  /** The follower may write as long as the checkpoint has this epoch. */
  epoch = 0;
  checkpoint: Checkpoint = {
    epoch: 0,
    firstBlock: 0,
    number: -1,
    hash: undefined,
    stopped: undefined,
    rewindTo: undefined,
    reportsFinality: false,
  };
  /** Blocks that may still leave the chain, by number, highest last. */
  recent: Map<number, BlockRef> = new Map();
  /** Blocks that were committed before a rewind and have not been added again, highest first. */
  rewound: readonly BlockId[] = [];
  /** Number of commits so far. */
  commits = 0;

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  async takeOver(queries: Queries): Promise<void> {
    this.epoch = await takeOver(queries, this.#chainId);
  }

  async read(queries: Queries): Promise<void> {
    const checkpoint = await readCheckpoint(queries, this.#chainId);
    if (checkpoint === undefined) throw new Superseded("the chain's checkpoint was removed");
    this.checkpoint = checkpoint;
    const recent = await readRecentBlocks(queries, this.#chainId);
    this.recent = new Map(recent.toReversed().map((block) => [block.number, block]));
    this.rewound = await readRewound(queries, this.#chainId);
  }

  /** Call this after a commit. */
  advance(
    { to, blocks, settled }: Pick<NewBlocks, "to" | "blocks" | "settled">,
    removed: readonly BlockId[],
  ): void {
    this.commits++;
    this.checkpoint = { ...this.checkpoint, number: to.number, hash: to.hash };
    this.rewound = this.rewound.filter(({ number }) => number > to.number);
    for (const { number } of removed) this.recent.delete(number);
    for (const { number, hash, parentHash } of blocks) this.recent.set(number, { number, hash, parentHash });
    for (const number of this.recent.keys()) {
      if (number > settled) break;
      this.recent.delete(number);
    }
  }
}
