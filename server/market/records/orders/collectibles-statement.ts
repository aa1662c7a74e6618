import type { Statement } from "../../../base/storage/database.ts";
import { assetsOf, type OwnTokenRow, tokenJson, wantedTable } from "../collectibles/token-sql.ts";
import { type JsonRow, json, jsonListOf, jsonOrNull, jsonRow, nested } from "../json-row.ts";
import { Parameters } from "../parameters.ts";
import { ownOffersTable, place, segments } from "./collectible-parts.ts";
import { isAfter, orderBy, pageEndColumn } from "./collectible-sort.ts";
import { type CollectiblesAsk, sidesOf } from "./collectibles-ask.ts";
import { type Parts, partsOf } from "./needed-parts.ts";
import { ownOrderJson } from "./order-columns.ts";
import {
  bestOrder,
  competitionKeys,
  hereTable,
  laneTable,
  namedLanesMax,
  type OtherConditions,
  ofAnyToken,
  otherConditions,
  type Side,
} from "./order-sql.ts";
import { betterOffer, unpricedTables } from "./unpriced-parts.ts";

export interface Entry {
  readonly id: number;
  readonly listing: number | null;
  readonly offer: number | null;
  readonly token: OwnTokenRow;
}

export const entryJson: JsonRow<Entry> = jsonRow<Entry>({
  id: json("token.id"),
  listing: jsonOrNull("shown.listing_id"),
  offer: jsonOrNull("shown.offer_id"),
  token: nested(tokenJson),
});

/** The statement of a list: tables that build on each other, then the columns of its one row. */
export class CollectiblesStatement {
  readonly #ask: CollectiblesAsk;
  readonly #sides: readonly Side[];
  readonly #parameters = new Parameters();
  readonly #here: string;
  readonly #lane: string;
  readonly #wanted: string | undefined;
  readonly #others: OtherConditions;
  /** The parameters of the page's size and of the entries to leave out. */
  readonly #size: string;
  readonly #skipped: string;
  /** Whether the list is by best price: it is walked along the indexes of orders. */
  readonly #isWalk: boolean;

  constructor(ask: CollectiblesAsk) {
    const parameters = this.#parameters;
    this.#ask = ask;
    this.#sides = sidesOf(ask);
    this.#here = hereTable(ask.chainId, ask.contractAddress, parameters);
    this.#lane = laneTable(ask.lanes, parameters);
    this.#wanted = wantedTable(ask.tokens, parameters);
    this.#others = otherConditions(ask.orders, parameters);
    this.#size = parameters.bind(ask.pageSize, "int");
    this.#skipped = parameters.bind(ask.offset, "bigint");
    this.#isWalk = ask.sort.length === 0;
  }

  done(): [Statement, readonly unknown[]] {
    const parts = this.#parts();
    const after = this.#after();
    const tables = [
      this.#here,
      this.#lane,
      this.#wanted,
      this.#forAny(),
      ownOffersTable(this.#others, `${this.#size} + 1`),
      this.#priced(parts.priced, after),
      this.#unpriced(),
      this.#ranked(parts.others, after),
      this.#shown(),
    ];
    const columns = [
      ordersColumn,
      this.#ask.unpricedExcept === undefined ? undefined : currenciesColumn,
      entriesColumn,
      assetsColumn,
      this.#endColumn(),
    ];
    const text = `
    with ${given(tables).join(", ")}
    select ${given(columns).join(", ")}`;
    return [{ text, ...this.#name() }, this.#parameters.values];
  }

  #parts(): Parts {
    const { end, side } = this.#ask;
    return partsOf(this.#ask, (segment) => ({
      parameters: this.#parameters,
      others: this.#others,
      hasWanted: this.#wanted !== undefined,
      walk: this.#isWalk
        ? {
            most: `${this.#skipped} + ${this.#size} + 1`,
            end: end?.[0] === String(segment) ? end : undefined,
          }
        : undefined,
      listingsGoFirst: side === undefined,
    }));
  }

  /** What another sort than best price starts behind. A walk starts there by itself. */
  #after(): string {
    const { end, sort } = this.#ask;
    return end === undefined || this.#isWalk ? "" : `where ${isAfter(sort, end, this.#parameters)}`;
  }

  /** The best offer for any token of the collection. */
  #forAny(): string {
    return `for_any as materialized (${bestOrder("offer", ofAnyToken, this.#others)}
    )`;
  }

  /** The first tokens with an order in a lane. */
  #priced(parts: readonly string[], after: string): string {
    return `priced as materialized (${this.#firstOf(parts, after)}
      limit ${this.#skipped} + ${this.#size} + 1
    )`;
  }

  /** The tokens that may follow them, if they leave room. */
  #unpriced(): string | undefined {
    const except = this.#ask.unpricedExcept;
    if (except === undefined) return undefined;
    const isNeeded = `(select count(*) from priced) <= ${this.#skipped} + ${this.#size}`;
    return unpricedTables({
      except,
      sides: this.#sides,
      others: this.#others,
      parameters: this.#parameters,
      isNeeded,
    });
  }

  /** The page, and one entry more if there is one. */
  #ranked(others: readonly string[], after: string): string {
    return `ranked as materialized (
      select *, row_number() over (order by ${orderBy(this.#ask.sort)}) as place from (${this.#firstOf(["\n        select * from priced", ...others], after)}
        limit ${this.#size} + 1 offset ${this.#skipped}
      ) as page
    )`;
  }

  #firstOf(parts: readonly string[], after: string): string {
    return `
        select * from (${parts.join("\n    union all")}
        ) as part
        ${after}
        order by ${orderBy(this.#ask.sort)}`;
  }

  /** The page with the best orders of its tokens. */
  #shown(): string {
    const unpriced = this.#sides
      .filter((side) => this.#listsUnpriced(side))
      .map((side) => `left join unpriced_${side} using (collectible_id)`);
    return `shown as materialized (
      select ranked.place, ranked.collectible_id, ${this.#listing()} as listing_id, ${this.#offer()} as offer_id
      from ranked
      left join own_offer using (collectible_id)
      ${unpriced.join(" ")}
      where ranked.place <= ${this.#size}
    )`;
  }

  #listing(): string {
    const searched = `(select id from (${bestOrder("listing", place("listing", "ranked.collectible_id"), this.#others)}) as one)`;
    const unpriced = this.#listsUnpriced("listing") ? "unpriced_listing.id" : "null";
    return this.#knownOr(searched, [segments.listing], unpriced);
  }

  #offer(): string {
    const searched = `case when (select are_known from own_offers) then coalesce(own_offer.id, (select id from for_any)) else (
          select id from (
            select * from for_any
            union all
            select * from (${bestOrder("offer", place("offer", "ranked.collectible_id"), this.#others)}) as own
            order by ${competitionKeys()}
            limit 1
          ) as one
        ) end`;
    const unpriced = this.#listsUnpriced("offer")
      ? `(select id from (${betterOffer("unpriced_offer")}) as one)`
      : "null";
    return this.#knownOr(searched, [segments.offer, segments.offerForAny], unpriced);
  }

  /** A walk has found the best orders of its own segments already. Only entries without a priced order have an unpriced one. */
  #knownOr(searched: string, own: readonly number[], unpriced: string): string {
    const known = this.#isWalk ? `when ranked.segment in (${own.join(", ")}) then ranked.id` : "";
    const isUnpriced = `ranked.segment in (${segments.unpricedListing}, ${segments.unpricedOffer})`;
    return `case ${known} when ${isUnpriced} then coalesce(${searched}, ${unpriced}) else ${searched} end`;
  }

  #listsUnpriced(side: Side): boolean {
    return this.#ask.unpricedExcept !== undefined && this.#sides.includes(side);
  }

  #endColumn(): string {
    return `(
      select ${pageEndColumn(this.#ask.sort)} from ranked
      where place = ${this.#size} and exists (select from ranked where place > ${this.#size})
    ) as "end"`;
  }

  /** Of the forms that are asked for often, so that each is planned once a connection. */
  #name(): { readonly name?: string } {
    const { side, includeEmpty, end, lanes, unpricedExcept } = this.#ask;
    if (
      !this.#isWalk ||
      this.#wanted !== undefined ||
      this.#others("") !== "" ||
      lanes.length > namedLanesMax
    )
      return {};
    const parts = [side ?? "both", includeEmpty ? "all" : "ordered", end?.[0] ?? "first", lanes.length];
    return {
      name: ["collectibles", ...parts, ...(unpricedExcept === undefined ? [] : ["unpriced"])].join("-"),
    };
  }
}

const ordersColumn = `(
      select ${jsonListOf(ownOrderJson)}
      from market_order as o
      where o.id in (select listing_id from shown union select offer_id from shown)
    ) as orders`;

/** Of the orders that are shown. */
const currenciesColumn = `(
      select json_agg(json_build_object('id', id, 'address', address, 'decimals', decimals)) from currency
      where id in (
        select currency_id from market_order where id in (select listing_id from shown union select offer_id from shown)
      )
    ) as currencies`;

const entriesColumn = `(
      select ${jsonListOf(entryJson, "order by shown.place")}
      from shown
      join collectible as token on token.id = shown.collectible_id
    ) as entries`;

const assetsColumn = `(${assetsOf("select collectible_id from shown")}
    ) as assets`;

function given(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined);
}
