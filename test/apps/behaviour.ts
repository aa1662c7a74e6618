/** What the apps do where they differ, as docs/apps.md tells it. */
import { type Stack, table } from "./rows.ts";

type ByStack = Readonly<Record<Stack, string>>;

type Difference = "february30" | "exception" | "silence";

export const behaviour: Readonly<Record<Difference, ByStack>> = {
  february30: { ridlkit: "accepted", orval: "rejected", trpc: "rejected" },
  exception: { ridlkit: "hidden", orval: "hidden", trpc: "hidden by a line of its server" },
  silence: { ridlkit: "rolled back after 30 s", orval: "kept while it waits", trpc: "kept while it waits" },
};

const labels: Readonly<Record<Difference, string>> = {
  february30: "the date 2026-02-30, in the form and in a request",
  exception: "the text of an exception that a handler throws by mistake",
  silence: "the new title, if the server does not respond",
};

export function behaviourTable(): string {
  const rows = Object.entries(behaviour) as [Difference, ByStack][];
  return table(
    ["what happens to", "ridlkit", "orval", "tRPC"],
    rows.map(([name, { ridlkit, orval, trpc }]) => [labels[name], ridlkit, orval, trpc]),
  );
}
