/** Webhook deliveries with their attempts, and a replay button. */
import { useState } from "preact/hooks";
import type { LiveAttempt, LiveDelivery, LiveNearMiss } from "../snapshot.ts";
import { Clock, ScrollBox, State } from "./components.tsx";
import { post } from "./live-data.ts";

export interface DeliveriesProps {
  readonly deliveries: readonly LiveDelivery[];
  readonly nearMisses: readonly LiveNearMiss[];
}

export function Deliveries({ deliveries, nearMisses }: DeliveriesProps) {
  const [message, setMessage] = useState("");
  const replay = async ({ chainId, sequence }: LiveDelivery): Promise<void> => {
    const fault = await post("/sandbox/replay", { chainId, sequence });
    setMessage(fault ?? `Sequence ${sequence} is sent again`);
  };
  return (
    <section class="card" aria-labelledby="deliveries-title">
      <div class="head-row">
        <h2 id="deliveries-title">Webhook deliveries</h2>
        <p role="status" class="hint">
          {message}
        </p>
      </div>
      {nearMisses.length > 0 && <NearMisses nearMisses={nearMisses} />}
      {deliveries.length === 0 ? (
        <p class="empty">
          No deliveries yet. <a href="#/method/Indexer/AddWebhookListener">Add a listener</a>: the example
          there sends to the receiver above.
        </p>
      ) : (
        <ScrollBox>
          <table id="deliveries">
            <caption class="unseen">Webhook deliveries, newest first</caption>
            <thead>
              <tr>
                <th scope="col" class="is-number">
                  Sequence
                </th>
                <th scope="col">Listener</th>
                <th scope="col">Event</th>
                <th scope="col" class="is-number">
                  Block
                </th>
                <th scope="col">State</th>
                <th scope="col">Attempts</th>
                <th scope="col">
                  <span class="unseen">Send again</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <tr key={`${delivery.chainId}/${delivery.sequence}`} data-sequence={delivery.sequence}>
                  <th scope="row" class="is-number">
                    {delivery.sequence}
                  </th>
                  <td title={delivery.url}>{delivery.listener}</td>
                  <td title={delivery.type}>
                    {delivery.type === "BLOCK_REMOVED" && <span class="state is-dropped">removed</span>}{" "}
                    {delivery.event.replace(/\(.*$/, "")}
                  </td>
                  <td class="is-number">{delivery.block}</td>
                  <td>
                    <State name={delivery.state} />
                    {delivery.dueAt !== null && delivery.attempts.length > 0 && (
                      <span class="hint">
                        {" "}
                        next <Clock at={delivery.dueAt} />
                      </span>
                    )}
                  </td>
                  <td>
                    <Attempts attempts={delivery.attempts} />
                  </td>
                  <td>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Replay ${delivery.sequence}`}
                      disabled={delivery.state !== "accepted" && delivery.state !== "parked"}
                      onClick={() => replay(delivery)}
                    >
                      Replay
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}

function NearMisses({ nearMisses }: Pick<DeliveriesProps, "nearMisses">) {
  return (
    <ul id="near-misses">
      {nearMisses.map(({ listenerId, listener, event, matchingEvent, logs }) => (
        <li key={`${listenerId}/${event}/${matchingEvent}`}>
          {listener}: <code>{event}</code> can never match: at least {logs} logs have other indexed arguments.{" "}
          {matchingEvent !== null && (
            <>
              Register <code>{matchingEvent}</code> instead.
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly LiveAttempt[] }) {
  return (
    <ol class="attempts">
      {attempts.map(({ at, status, tookMs, fault }) => (
        <li
          key={at}
          class={fault === null ? "is-good" : "is-bad"}
          title={`${at}, ${tookMs} ms${fault === null ? "" : `: ${fault}`}`}
        >
          {status ?? "none"}
        </li>
      ))}
    </ol>
  );
}
