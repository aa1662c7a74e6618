/** The Live page: orders, blocks, webhook receiver and deliveries of the sandbox. */
import { useState } from "preact/hooks";
import { Blocks, Trades } from "./blocks.tsx";
import { Deliveries } from "./deliveries.tsx";
import { useLive } from "./live-data.ts";
import { Orders } from "./orders.tsx";
import { Receiver } from "./receiver.tsx";

export function LivePage() {
  const [collection, setCollection] = useState("");
  const { shown, isOpen } = useLive(collection);
  const {
    chains = [],
    blocks = [],
    collections = [],
    book = null,
    deliveries = [],
    receiver,
    trades = null,
  } = shown;
  return (
    <article class="live">
      <header>
        <h1>Live</h1>
        <p class={isOpen ? "beat is-open" : "beat"} role="status">
          {isOpen ? "Connected" : "The host does not respond; reconnecting"}
        </p>
        <ul class="chains">
          {chains.map(({ chainId, name, block, head }) => (
            <li key={chainId}>
              <span>{name}</span> <code>{chainId}</code> block{" "}
              <strong data-block={block}>{Math.max(block, 0)}</strong>
              {head !== null && head > block && ` of ${head}`}
            </li>
          ))}
        </ul>
        {trades !== null && <Trades trades={trades} />}
      </header>
      <Orders collections={collections} book={book} onChoose={setCollection} />
      <div class="pair">
        <Blocks blocks={blocks} />
        {receiver !== undefined && <Receiver receiver={receiver} />}
      </div>
      <Deliveries deliveries={deliveries} />
    </article>
  );
}
