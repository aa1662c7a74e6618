import type { FollowerEvents } from "../../chain/follower/follower-state.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

export function createFollowerEvents(log: Log, metrics: Metrics): FollowerEvents {
  const { chains } = metrics;
  const isLogged = onceAMinute();
  return {
    leadTaken: (chain, block) => {
      chains.leadTaken(chain, block);
      log.info({ chain, block }, "this replica follows the chain");
    },
    leadLost: (chain) => {
      chains.leadLost(chain);
      log.warn({ chain }, "another replica may follow the chain now");
    },
    headSeen: (chain, head) => chains.headSeen(chain, head),
    catchingUp: (chain, blocks, forecast) =>
      log.info({ chain, blocks, forecast }, "the follower catches up; see: platform follow list"),
    advanced: (chain, { block, head, blocks, logs }) => {
      chains.advanced(chain, { block, head, blocks, logs });
      log.debug({ chain, block, head, blocks, logs }, "blocks committed");
    },
    reorganised: (chain, depth, window) => {
      chains.reorganised(chain, depth);
      if (depth <= window) log.info({ chain, depth }, "blocks were reorganised");
      else
        log.warn(
          { chain, depth, window },
          "blocks were reorganised deeper than window; set a larger window in follow",
        );
    },
    rewound: (chain, fromBlock) => {
      chains.restarted(chain);
      log.info({ chain, fromBlock }, "an operator has requested these blocks again");
    },
    skipped: (chain, { deriver, block, logIndex, reason }) => {
      chains.skipped(chain, deriver);
      log.error(
        { chain, deriver, block, logIndex, err: reason },
        "a record could not be derived and was skipped; see: platform follow skipped",
      );
    },
    nodeDemoted: (chain, node, reason, isOnly) => {
      metrics.nodes.demoted(chain, node);
      if (isLogged(`${chain} ${node} ${reason}`))
        log.warn(
          { chain, node, reason },
          isOnly
            ? "the node failed, and the chain has no other node"
            : "the node is demoted: the others are asked first for a while",
        );
    },
    archiveDamaged: (chain, from, to) =>
      log.error(
        { chain, from, to },
        "a part of the archive is damaged; its blocks are requested from the nodes",
      ),
    failed: (chain, cause) => {
      chains.failed(chain);
      log.warn({ chain, err: cause }, "following the chain failed; retrying");
    },
    stopped: (chain, reason) => {
      chains.stopped(chain);
      log.error({ chain, reason }, "the chain is no longer followed");
    },
  };
}

/** Shortest interval between log lines of a node that fails for the same reason, in milliseconds. */
const intervalMs = 60_000;

function onceAMinute(): (line: string) => boolean {
  const quietUntil = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    if (now < (quietUntil.get(line) ?? 0)) return false;
    // Reasons quote nodes, so there may be many.
    for (const [old, until] of quietUntil) if (until <= now) quietUntil.delete(old);
    quietUntil.set(line, now + intervalMs);
    return true;
  };
}
