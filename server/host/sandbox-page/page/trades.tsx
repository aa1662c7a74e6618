/** Trades that the sandbox makes itself: what the last one was, and a button that makes one now. */
import { useState } from "preact/hooks";
import type { LiveTrades } from "../snapshot.ts";
import { Clock } from "./components.tsx";
import { post } from "./live-data.ts";

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
