/** The order book of a collection: best prices by token, a depth chart, and the latest changes. */
import type { LiveCollection, LiveOrder, LiveOrderBook } from "../snapshot.ts";
import { Clock, ScrollBox, Short, State } from "./components.tsx";
import { bestByToken, depthOf, dollars } from "./depth.ts";
import { DepthChart } from "./depth-chart.tsx";

interface OrdersProps {
  readonly collections: readonly LiveCollection[];
  readonly book: LiveOrderBook | null;
  /** `31337:0x…` */
  readonly onChoose: (collection: string) => void;
}

export function Orders({ collections, book, onChoose }: OrdersProps) {
  if (book === null) {
    return (
      <section class="card" aria-labelledby="orders-title">
        <h2 id="orders-title">Orders</h2>
        <p class="empty">
          No orders yet. Orders come from a market on the chain, or from: npx platform import orders FILE
        </p>
      </section>
    );
  }
  return (
    <section class="card" aria-labelledby="orders-title">
      <div class="head-row">
        <h2 id="orders-title">Orders</h2>
        <label>
          Collection{" "}
          <select
            value={`${book.chainId}:${book.address}`}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            {collections.map(({ chainId, address, open }) => (
              <option key={`${chainId}:${address}`} value={`${chainId}:${address}`}>
                {address.slice(0, 10)}… on {chainId}, {open} open
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="pair is-book">
        <BestTable orders={book.open} />
        <DepthChart depth={depthOf(book.open)} />
      </div>
      <h3>Latest changes</h3>
      <Newest orders={book.newest} />
    </section>
  );
}

const rowsMax = 12;

function BestTable({ orders }: { readonly orders: readonly LiveOrder[] }) {
  const tokens = bestByToken(orders);
  if (tokens.length === 0) return <p class="empty">No open orders.</p>;
  return (
    <ScrollBox>
      <table id="best">
        <caption class="unseen">Best prices by token</caption>
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col" class="is-number">
              Lowest listing
            </th>
            <th scope="col" class="is-number">
              Highest offer
            </th>
            <th scope="col" class="is-number">
              Open
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.slice(0, rowsMax).map(({ tokenId, listing, offer, orders: open }) => (
            <tr key={tokenId ?? "any"}>
              <th scope="row">{tokenId === null ? "any" : <Short text={tokenId} />}</th>
              <Price order={listing} />
              <Price order={offer} />
              <td class="is-number">{open}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tokens.length > rowsMax && <p class="hint">and {tokens.length - rowsMax} more tokens</p>}
    </ScrollBox>
  );
}

function Price({ order }: { readonly order: LiveOrder | undefined }) {
  if (order === undefined) return <td class="is-number hint">–</td>;
  const { usd, price, currency } = order;
  return (
    <td class="is-number">
      {usd === null ? "no price" : dollars(usd)}
      <span class="hint">
        {" "}
        {price} {currency.startsWith("0x") ? <Short text={currency} /> : currency}
      </span>
    </td>
  );
}

function Newest({ orders }: { readonly orders: readonly LiveOrder[] }) {
  return (
    <ScrollBox>
      <table id="newest">
        <caption class="unseen">Latest changed orders</caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Side</th>
            <th scope="col">State</th>
            <th scope="col">Token</th>
            <th scope="col" class="is-number">
              Price
            </th>
            <th scope="col">Maker</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id} data-order={order.orderId}>
              <th scope="row">
                <Short text={order.orderId} />
              </th>
              <td>{order.side}</td>
              <td>
                <State name={order.status} />
              </td>
              <td>{order.tokenId === null ? "any" : <Short text={order.tokenId} />}</td>
              <Price order={order} />
              <td>
                <Short text={order.maker} />
              </td>
              <td>
                <Clock at={order.updatedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
