/** The contract as the server has it now: developers edit it while the page is open. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Loaded, loadContract } from "./load.ts";

export interface CurrentContract {
  readonly loaded: Loaded;
  /** Whether the contract has changed since the page was opened. */
  readonly isChanged: boolean;
}

/** Reads the contract again when the window gets the focus. Forms keep what was typed. */
export function useCurrentContract(first: Loaded): CurrentContract {
  const [loaded, setLoaded] = useState(first);
  const source = useRef(first.source);
  useEffect(() => {
    const read = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      const contract = await loadContract();
      if (contract.source === source.current) return;
      source.current = contract.source;
      setLoaded((before) => ({ ...before, ...contract }));
    };
    // A server that does not respond is reported by the next call.
    const readQuietly = (): void => void read().catch(() => {});
    addEventListener("focus", readQuietly);
    document.addEventListener("visibilitychange", readQuietly);
    return () => {
      removeEventListener("focus", readQuietly);
      document.removeEventListener("visibilitychange", readQuietly);
    };
  }, []);
  return { loaded, isChanged: loaded.source !== first.source };
}
