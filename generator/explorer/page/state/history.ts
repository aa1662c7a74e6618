/** The calls of this tab, newest first. They survive a reload, and end with the tab. */
import { useEffect, useState } from "preact/hooks";
import type { PastCall } from "../call/past-call.ts";
import { type Calls, readCalls, withCall } from "./history-entries.ts";
import { readStored, tryStore } from "./session.ts";

export interface History {
  readonly calls: Calls;
  add(call: PastCall): void;
  clear(): void;
}

/** @param contract Its name: servers of several contracts may use the same address one after the other. */
export function useHistory(contract: string): History {
  const name = `explorer.calls ${location.pathname} ${contract}`;
  const [calls, setCalls] = useState<Calls>(() => readCalls(readStored(name)));
  useEffect(() => tryStore(() => sessionStorage.setItem(name, JSON.stringify(calls))), [name, calls]);
  return {
    calls,
    add: (call) => setCalls((before) => withCall(before, call)),
    clear: () => setCalls([]),
  };
}
