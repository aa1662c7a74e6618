/** The newest blocks with their events. */

import { useState } from "preact/hooks";
import type { LiveBlock, LiveTrades } from "../snapshot.ts";
import { Clock, Short } from "./components.tsx";
import { post } from "./live-data.ts";

/** Number of blocks that are shown. With eight, the list is about as high as the receiver's card next to it. */
const blocksMax = 8;

export function Blocks({ blocks }: { readonly blocks: readonly LiveBlock[] }) {
  return (
    <section class="card" aria-labelledby="blocks-title">
      <h2 id="blocks-title">Blocks and events</h2>
      {blocks.length === 0 && <p class="empty">No blocks on a local chain since this host started.</p>}
      <ol class="rows" id="blocks">
        {blocks.slice(0, blocksMax).map(({ hash, number, timestamp, isGone, logs }) => (
          <li key={hash} class={isGone ? "is-gone" : ""}>
            <p class="row-head">
              <strong>{number}</strong>
              <Short text={hash} />
              {isGone && <span class="state is-dropped">reorganized</span>}
              <Clock at={new Date(timestamp * 1_000).toISOString()} />
            </p>
            {logs.length > 0 && (
              <ul class="events">
                {counted(logs).map(({ event, address, count }) => (
                  <li key={`${event}${address}`}>
                    {event} <Short text={address} />
                    {count > 1 && ` × ${count}`}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Counted {
  readonly event: string;
  readonly address: string;
  readonly count: number;
}

/** Groups equal events of the same contract. */
function counted(logs: LiveBlock["logs"]): readonly Counted[] {
  const found = new Map<string, Counted>();
  for (const { event, address } of logs) {
    const key = `${event} ${address}`;
    found.set(key, { event, address, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

/* Trades that the sandbox makes itself: what the last one was, and a button that makes one now. */

export function Trades({ trades: { everySeconds, last } }: { readonly trades: LiveTrades }) {
  const [fault, setFault] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const trade = async (): Promise<void> => {
    setBusy(true);
    setFault(await post("/sandbox/trades", {}));
    setBusy(false);
  };
  return (
    <div class="trades">
      <button type="button" disabled={isBusy} onClick={trade}>
        Make a trade
      </button>
      <p id="last-trade" role="status" class={fault === undefined ? "hint" : "fault"}>
        {fault ??
          (last === null ? (
            introductionOf(everySeconds)
          ) : (
            <>
              <Clock at={last.at} /> {last.text}
            </>
          ))}
      </p>
    </div>
  );
}

function introductionOf(everySeconds: number | null): string {
  return everySeconds === null
    ? "Accounts trade on the local chain when you ask them to."
    : `Accounts trade on the local chain every ${everySeconds} s while this page is open.`;
}
