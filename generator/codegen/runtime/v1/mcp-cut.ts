/** Shortens values that are too large for the context of an agent. */
import { printInt64Json } from "./int64-json.ts";
import { pointerOf } from "./issue.ts";

/** A value that fits, and what was cut: `/orders: 12 of 500 items`. */
export interface CutValue {
  readonly text: string;
  readonly cuts: readonly string[];
}

interface Bounds {
  /** Most items of a list, and most entries of an object. */
  readonly items: number;
  /** Most characters of a text. */
  readonly characters: number;
  readonly levels: number;
  /** How many characters may be added. Below 0, the value does not fit, and the rest of it is not visited. */
  readonly remaining: { characters: number };
}

const unbounded = Number.POSITIVE_INFINITY;

type Attempt = Pick<Bounds, "characters" | "levels">;

/** Tried in this order until the value fits. Within each, as many items as possible are kept. */
const attempts: readonly Attempt[] = [
  { characters: 4_000, levels: unbounded },
  { characters: 500, levels: unbounded },
  { characters: 100, levels: unbounded },
  { characters: 100, levels: 4 },
  { characters: 40, levels: 2 },
];

/** Fewer items than this, and the next attempt follows, except for the last one. */
const itemsMin = 3;

/** Prints a value as JSON of at most `maxBytes` bytes. What is left out is left out whole, so the JSON stays valid. */
export function cutJson(value: unknown, maxBytes: number): CutValue {
  const whole = printInt64Json(value) ?? "null";
  if (byteLength(whole) <= maxBytes) return { text: whole, cuts: [] };
  const longest = longestList(value);
  for (const attempt of attempts) {
    const fitting = mostItems(value, attempt, longest, maxBytes);
    if (fitting !== undefined && (fitting.items >= Math.min(itemsMin, longest) || attempt.characters <= 100))
      return fitting;
  }
  return { text: "null", cuts: ["/: everything"] };
}

function mostItems(
  value: unknown,
  attempt: Attempt,
  longest: number,
  maxBytes: number,
): (CutValue & { readonly items: number }) | undefined {
  let low = 0;
  // Each item has at least two characters.
  let high = Math.min(longest, Math.ceil(maxBytes / 2));
  let best: (CutValue & { readonly items: number }) | undefined;
  while (low <= high) {
    const items = Math.floor((low + high) / 2);
    const cuts: string[] = [];
    const remaining = { characters: maxBytes };
    const cut = cutValue(value, { ...attempt, items, remaining }, [], cuts);
    const text = remaining.characters < 0 ? undefined : printInt64Json(cut);
    if (text !== undefined && byteLength(text) <= maxBytes) {
      best = { text, cuts, items };
      low = items + 1;
    } else high = items - 1;
  }
  return best;
}

function cutValue(
  value: unknown,
  bounds: Bounds,
  path: readonly (string | number)[],
  cuts: string[],
): unknown {
  const { items, characters, levels, remaining } = bounds;
  if (remaining.characters < 0) return null;
  const note = (text: string): void => void cuts.push(`${pointerOf(path) || "/"}: ${text}`);
  if (typeof value === "string") {
    remaining.characters -= Math.min(value.length, characters) + 2;
    if (value.length <= characters) return value;
    note(`${characters} of ${value.length} characters`);
    // Half of a surrogate pair would not be valid text.
    return `${value.slice(0, characters).replace(/[\ud800-\udbff]$/, "")}…`;
  }
  remaining.characters -= 1;
  if (typeof value !== "object" || value === null) return value;
  const inner = { ...bounds, levels: levels - 1 };
  if (Array.isArray(value)) {
    if (value.length > items) note(`${items} of ${value.length} items`);
    return value.slice(0, items).map((item, index) => cutValue(item, inner, [...path, index], cuts));
  }
  const all = Object.entries(value);
  if (levels <= 0 && all.length > 0) {
    note("all fields");
    return {};
  }
  // Fields of a struct are kept while lists are short enough; objects with many keys are maps.
  const kept = all.length > Math.max(items, structFieldsMax) ? all.slice(0, Math.max(items, 1)) : all;
  if (kept.length < all.length) note(`${kept.length} of ${all.length} entries`);
  return Object.fromEntries(
    kept.map(([key, item]) => {
      remaining.characters -= key.length + 3;
      return [key, cutValue(item, inner, [...path, key], cuts)] as const;
    }),
  );
}

/** Objects with more keys than this are cut like lists. */
const structFieldsMax = 60;

function longestList(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const items = Object.values(value);
  return items.reduce<number>((longest, item) => Math.max(longest, longestList(item)), items.length);
}

/** Most cuts that are listed. */
const listedMax = 8;

/** Describes what was cut, for the agent. */
export function describeCuts({ cuts }: CutValue, maxBytes: number, advice: string): string {
  const byPlace = new Map(cuts.map((cut) => [cut.replace(/\/[0-9]+(?=[/:])/g, "/*"), cut]));
  const listed = [...byPlace.keys()].slice(0, listedMax);
  const more = byPlace.size - listed.length;
  const list = listed.join("; ") + (more > 0 ? `; and ${more} more` : "");
  return `Cut to ${maxBytes} bytes. Kept ${list}. ${advice}`;
}

const encoder = /* @__PURE__ */ new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}
