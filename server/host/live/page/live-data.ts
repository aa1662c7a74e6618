/** What the sandbox tells as it happens. */
import { useEffect, useState } from "preact/hooks";
import type { LiveSnapshot } from "../snapshot.ts";

export interface LiveState {
  readonly shown: Partial<LiveSnapshot>;
  /** The browser tries again by itself while it is not. */
  readonly isOpen: boolean;
}

const parts = ["chains", "blocks", "collections", "book", "deliveries", "nearMisses", "receiver"] as const;

/** `collection`: `31337:0x…`, or empty for that of the newest order. */
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

/** Undefined: it was done; otherwise what stands in its way. */
export async function post(path: string, body: unknown): Promise<string | undefined> {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return undefined;
    const { cause, msg } = (await answer.json()) as { readonly cause?: string; readonly msg?: string };
    return cause ?? msg ?? `HTTP ${answer.status}`;
  } catch {
    return "Nobody answers. Start the host again (npm start).";
  }
}
