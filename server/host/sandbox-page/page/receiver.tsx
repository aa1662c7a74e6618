/** The sandbox's webhook receiver: received calls, and the status of its responses. */

import { Code, Copy } from "../../../../generator/explorer/page/view/parts.tsx";
import type { LiveReceiver } from "../snapshot.ts";
import { Clock } from "./components.tsx";
import { post } from "./live-data.ts";

const statuses = [
  [204, "accept (204)"],
  [500, "fail (500)"],
  [410, "gone (410)"],
] as const;

const callsMax = 8;

export function Receiver({ receiver: { url, answers, calls } }: { readonly receiver: LiveReceiver }) {
  return (
    <section class="card" aria-labelledby="receiver-title">
      <div class="head-row">
        <h2 id="receiver-title">Receiver</h2>
        <label>
          Response{" "}
          <select
            value={answers}
            onChange={({ currentTarget }) =>
              post("/sandbox/receiver/answers", { status: Number(currentTarget.value) })
            }
          >
            {statuses.map(([status, label]) => (
              <option key={status} value={status}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="address">
        <code>{url}</code> <Copy text={url} what="the receiver's URL" />
      </p>
      {calls.length === 0 && <p class="empty">No calls yet. Send a webhook to this URL.</p>}
      <ol class="rows" id="received">
        {calls.slice(0, callsMax).map(({ number, at, isSigned, answered, body }) => (
          <li key={number} data-call={number}>
            <details>
              <summary>
                <strong>#{number}</strong>{" "}
                <span class={isSigned ? "state is-accepted" : "state is-failed"}>
                  {isSigned ? "valid signature" : "invalid signature"}
                </span>{" "}
                responded {answered} <Clock at={at} />
              </summary>
              <Code text={pretty(body)} label={`call ${number}`} />
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
