import { type Depth, type DepthStep, dollars } from "./depth.ts";

const width = 480;
const height = 220;
const edge = { left: 34, right: 8, top: 12, bottom: 26 };

export function DepthChart({ depth }: { readonly depth: Depth }) {
  const { listings, offers } = depth;
  const steps = [...listings, ...offers];
  if (steps.length === 0) return <p class="empty">No order has a price in dollars.</p>;
  const prices = steps.map(({ price }) => price);
  const [low, high] = widened(Math.min(...prices), Math.max(...prices));
  const maxQuantity = Math.max(...steps.map(({ quantity }) => quantity));
  const x = (price: number): number =>
    edge.left + ((price - low) / (high - low)) * (width - edge.left - edge.right);
  const y = (quantity: number): number =>
    height - edge.bottom - (quantity / maxQuantity) * (height - edge.top - edge.bottom);
  const floor = y(0);
  return (
    <figure class="depth">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={labelOf(depth)}>
        <line x1={edge.left} x2={width - edge.right} y1={floor} y2={floor} class="axis" />
        <path d={areaOf(offers, low, x, y)} class="offers" />
        <path d={areaOf(listings, high, x, y)} class="listings" />
        {[0, maxQuantity].map((quantity) => (
          <text key={quantity} x={edge.left - 6} y={y(quantity) + 4} text-anchor="end">
            {quantity.toLocaleString("en-US", { notation: "compact" })}
          </text>
        ))}
        {[low, (low + high) / 2, high].map((price, index) => (
          <text key={price} x={x(price)} y={height - 8} text-anchor={["start", "middle", "end"][index]}>
            {dollars(price)}
          </text>
        ))}
      </svg>
      <figcaption>
        <span class="key offers">offers</span>
        <span class="key listings">listings</span>
        <span class="hint">up to {maxQuantity.toLocaleString("en-US")} per side</span>
      </figcaption>
    </figure>
  );
}

/** A single price would have no width. */
function widened(low: number, high: number): readonly [number, number] {
  const margin = (high - low) * 0.08 || high * 0.2 || 1;
  return [Math.max(0, low - margin), high + margin];
}

/** Draws from the best price outwards to the edge of the chart. */
function areaOf(
  steps: readonly DepthStep[],
  end: number,
  x: (price: number) => number,
  y: (quantity: number) => number,
): string {
  const [first] = steps;
  if (first === undefined) return "";
  const parts = [`M${x(first.price)} ${y(0)}`];
  for (const { price, quantity } of steps) parts.push(`H${x(price)}V${y(quantity)}`);
  return `${parts.join("")}H${x(end)}V${y(0)}Z`;
}

function labelOf({ listings: [listing], offers: [offer] }: Depth): string {
  const best = (step: DepthStep | undefined, none: string): string =>
    step === undefined ? none : dollars(step.price);
  return `Depth of the order book: lowest listing ${best(listing, "none")}, highest offer ${best(offer, "none")}`;
}
