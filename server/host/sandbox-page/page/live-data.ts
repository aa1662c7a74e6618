/** Receives the sandbox's live events. */
import { useEffect, useState } from "preact/hooks";
import type { LiveSnapshot } from "../snapshot.ts";

export interface LiveState {
  readonly shown: Partial<LiveSnapshot>;
  /** While false, the browser reconnects automatically. */
  readonly isOpen: boolean;
}

const parts = ["chains", "blocks", "collections", "book", "deliveries", "receiver", "trades"] as const;

/** `collection`: `31337:0x…`, or empty for the collection of the newest order. */
export function useLive(collection: string): LiveState {
  const [state, setState] = useState<LiveState>({ shown: {}, isOpen: false });
  useEffect(() => {
    const query = collection === "" ? "" : `?collection=${encodeURIComponent(collection)}`;
    const source = new EventSource(`/sandbox/live${query}`);
    source.onopen = () => setState((before) => ({ ...before, isOpen: true }));
    source.onerror = () => setState((before) => ({ ...before, isOpen: false }));
    for (const part of parts) {
      source.addEventListener(part, ({ data }: MessageEvent<string>) => {
        setState(({ shown }) => ({ shown: { ...shown, [part]: JSON.parse(data) }, isOpen: true }));
      });
    }
    return () => source.close();
  }, [collection]);
  return state;
}

/** Posts a JSON body. Returns undefined on success, else an error message. */
export async function post(path: string, body: unknown): Promise<string | undefined> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return undefined;
    const { cause, msg } = (await response.json()) as { readonly cause?: string; readonly msg?: string };
    return cause ?? msg ?? `HTTP ${response.status}`;
  } catch {
    return "The host does not respond. Start it again with npm start.";
  }
}
