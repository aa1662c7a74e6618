/** The calls of this tab. Choosing one shows its request and its response again. */

import { type Calls, maxCalls, type NumberedCall } from "../state/history.ts";
import { links } from "../state/route.ts";
import type { History } from "../state/session.ts";
import { durationText, Name, timeText } from "./parts.tsx";

export function HistoryPage({ history: { calls, clear } }: { readonly history: History }) {
  return (
    <article>
      <header>
        <h1>History</h1>
        <p class="lead">
          The last {maxCalls} calls of this tab. Keys, files and fields marked <code>secret</code> or{" "}
          <code>pii</code> are not kept.
        </p>
      </header>
      {calls.length === 0 ? (
        <p class="empty">No calls yet.</p>
      ) : (
        <section class="card" aria-label="Calls">
          <CallList calls={calls} hasServices />
          <button type="button" onClick={clear}>
            Clear history
          </button>
        </section>
      )}
    </article>
  );
}

interface CallListProps {
  readonly calls: Calls;
  /** Whether to name the service of each call. */
  readonly hasServices?: boolean;
  /** The call that the page shows. */
  readonly shown?: number | undefined;
}

export function CallList({ calls, hasServices = false, shown }: CallListProps) {
  return (
    <ul class="calls">
      {calls.map((call) => (
        <li key={call.id}>
          <a href={links.call(call.id)} aria-current={call.id === shown ? "true" : undefined}>
            <span class="name">
              {hasServices && <span class="owner">{call.service}.</span>}
              <Name text={call.method} />
            </span>
            <span class={isGood(call) ? "status is-good" : "status is-bad"}>{statusOf(call)}</span>
            <span>{call.status === undefined ? "" : durationText(call.tookMs)}</span>
            <time dateTime={new Date(call.at).toISOString()}>{timeText(call.at)}</time>
          </a>
        </li>
      ))}
    </ul>
  );
}

function isGood({ status, failure }: NumberedCall): boolean {
  return status !== undefined && status < 400 && failure === undefined;
}

function statusOf({ status, failure, isStopped }: NumberedCall): string {
  if (status === undefined) return isStopped ? "stopped" : "no response";
  return failure === undefined ? String(status) : `${status} ${failure.error}`;
}
