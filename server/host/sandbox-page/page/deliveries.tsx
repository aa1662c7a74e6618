/** Webhook deliveries with their attempts, and a replay button. */
import { useState } from "preact/hooks";
import type { LiveAttempt, LiveDelivery } from "../snapshot.ts";
import { Clock, ScrollBox, State } from "./components.tsx";
import { canReplay, type DeliveryGroup, groupDeliveries } from "./delivery-groups.ts";
import { post } from "./live-data.ts";

interface DeliveriesProps {
  readonly deliveries: readonly LiveDelivery[];
}

export function Deliveries({ deliveries }: DeliveriesProps) {
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
              {groupDeliveries(deliveries).map((group) => (
                <Group key={keyOf(group.at(-1))} group={group} onReplay={replay} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}

interface GroupProps {
  readonly group: DeliveryGroup;
  readonly onReplay: (delivery: LiveDelivery) => void;
}

/** A row for each delivery, or one row for all of them until it is opened. */
function Group({ group, onReplay }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  const rows = group.map((delivery) => <Row key={keyOf(delivery)} delivery={delivery} onReplay={onReplay} />);
  if (group.length === 1) return <>{rows}</>;
  const [newest] = group;
  return (
    <>
      <tr data-group={group.length}>
        <th scope="row" class="is-number">
          {group.at(-1)?.sequence}–{newest.sequence}
        </th>
        <td title={newest.url}>{newest.listener}</td>
        <Event delivery={newest} count={group.length} />
        <td class="is-number">{newest.block}</td>
        <td>
          <State name={newest.state} />
        </td>
        <td class="hint">{group.reduce((sum, { attempts }) => sum + attempts.length, 0)}</td>
        <td>
          <button
            type="button"
            class="quiet"
            aria-expanded={isOpen}
            aria-label={`Show the ${group.length} deliveries of block ${newest.block}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Hide" : "Show"}
          </button>
        </td>
      </tr>
      {isOpen && rows}
    </>
  );
}

function Row({ delivery, onReplay }: { readonly delivery: LiveDelivery } & Pick<GroupProps, "onReplay">) {
  const { sequence, url, listener, block, state, dueAt, attempts } = delivery;
  return (
    <tr data-sequence={sequence}>
      <th scope="row" class="is-number">
        {sequence}
      </th>
      <td title={url}>{listener}</td>
      <Event delivery={delivery} count={1} />
      <td class="is-number">{block}</td>
      <td>
        <State name={state} />
        {dueAt !== null && attempts.length > 0 && (
          <span class="hint">
            {" "}
            next <Clock at={dueAt} />
          </span>
        )}
      </td>
      <td>
        <Attempts attempts={attempts} />
      </td>
      <td>
        <button
          type="button"
          class="quiet"
          aria-label={`Replay ${sequence}`}
          disabled={!canReplay(delivery)}
          onClick={() => onReplay(delivery)}
        >
          Replay
        </button>
      </td>
    </tr>
  );
}

function Event({
  delivery: { type, event },
  count,
}: {
  readonly delivery: LiveDelivery;
  readonly count: number;
}) {
  return (
    <td title={type}>
      {type === "BLOCK_REMOVED" && <span class="state is-dropped">removed</span>} {event.replace(/\(.*$/, "")}
      {count > 1 && ` × ${count}`}
    </td>
  );
}

function keyOf(delivery: LiveDelivery | undefined): string {
  return `${delivery?.chainId}/${delivery?.sequence}`;
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
