import { openSession } from "../../../base/storage/session.ts";
import { utcSeconds } from "../../../base/storage/sql.ts";
import { seaportOf } from "../../../chain/networks/markets.ts";
import { CallReverted, ChainFailure } from "../../../chain/rpc/chain.ts";
import { Chains } from "../../../chain/rpc/chains.ts";
import type { InvalidEntry } from "../../../market/import-export/batch.ts";
import { statusOf } from "../../../market/import-export/kinds/orders.ts";
import {
  type Entry,
  readEntries,
  UnreadableFile,
} from "../../../market/import-export/reading/read-entries.ts";
import { listFailingContracts } from "../../../market/indexer/availability/availability-sql.ts";
import { parseSignedOrder } from "../../../market/indexer/seaport/parse-signed-order.ts";
import {
  type SubmitDependencies,
  SubmitFailure,
  submitOrder,
} from "../../../market/indexer/seaport/submit.ts";
import { OrderRejection } from "../../../market/indexer/seaport/terms.ts";
import {
  type AdminContext,
  AdminFault,
  argument,
  type Command,
  chainIdNamed,
  confirm,
  confirmOption,
  contractNamed,
  counted,
  firstOf,
  type Input,
  limitOption,
  networkNamed,
  type Output,
  type Row,
  readLimit,
} from "../command.ts";
import { FaultList, openInput, shownByDefault } from "../import-export.ts";

/** Orders that are checked at the same time. Each check takes about six calls to the chain. */
const maxConcurrentChecks = 16;

const filterOptions = {
  marketplace: { valueName: "NAME", help: "only those of this marketplace, e.g. opensea" },
  maker: { valueName: "ADDRESS", help: "only those of this maker" },
} as const;

export const orders: readonly Command[] = [
  {
    name: "orders list",
    help: "list the stored orders of a collection, or one order",
    positionals: ["NETWORK", "ADDRESS", "[ORDER]"],
    options: { ...filterOptions, ...limitOption },
    run: async (context, input) => {
      const filter = filterOf(context, input);
      const limit = readLimit(input);
      const rows = await (await context.database()).query<Row>(listSql, [...filter, limit]);
      return { list: rows };
    },
  },
  {
    name: "orders delete",
    help: "delete imported orders of a collection, or one of them",
    positionals: ["NETWORK", "ADDRESS", "[ORDER]"],
    options: { ...filterOptions, ...confirmOption },
    details:
      "Orders that were read from a chain, or signed and submitted, stay: their state follows their chain. Another import brings deleted orders back.",
    run: async (context, input) => {
      const filter = filterOf(context, input);
      const database = await context.database();
      // Counting the orders of a large collection may take longer than a call.
      await using session = await openSession({
        ...database.connection,
        application_name: "platform: delete",
      });
      const [found] = await session.query<{ imported: number; others: number }>(countSql, filter);
      const { imported, others } = found ?? { imported: 0, others: 0 };
      if (imported === 0)
        throw new AdminFault(
          others === 0
            ? "no stored order matches; see: platform orders list"
            : `none of the ${others} orders that match was imported, and only imported ones are deleted; see: platform orders list`,
        );
      await confirm(context, input, {
        consequence: `${counted(imported, "imported orders")} of ${argument(input, 1)} will be deleted`,
        word: String(imported),
      });
      const deleted = await session.transaction(async () => {
        const [row] = await session.query<{ deleted: number }>(deleteSql, filter);
        const count = row?.deleted ?? 0;
        if (count > imported)
          throw new AdminFault(
            `${count} orders match now, instead of ${imported}; nothing was deleted: repeat the command`,
          );
        return count;
      });
      return { record: { deleted, kept: others } };
    },
  },
  {
    name: "orders submit",
    help: "submit signed Seaport orders, checked on their chain; a host must follow the network",
    positionals: ["NETWORK", "[FILE|-]"],
    details: `The file is NDJSON (one order per line) or one JSON array, plain or compressed with gzip. Orders have the format of seaport-js:

  {"parameters":{"offerer":"0x…","offer":[…],"consideration":[…],…,"counter":"0"},"signature":"0x…"}

An order is rejected if it is filled, cancelled, void or not signed by its maker. It must be for one token of a collection, or for
any of its tokens, in one currency. Rejected orders are reported with their line and reason; the others are stored, and the exit
code is 1. Orders that are stored already are checked again.`,
    run: submit,
  },
  {
    name: "orders unknown",
    help: "list contracts whose calls for balances or royalties of open orders fail, with the reason",
    positionals: ["NETWORK"],
    details:
      "The orders that depend on these contracts are inactive. The contracts are called again on the usual schedule.",
    run: async ({ config, database }, input) => {
      const chainId = chainIdNamed(config, argument(input, 0));
      const rows = await listFailingContracts(await database(), chainId);
      return { list: rows.map(({ readAt, ...row }) => ({ ...row, readAt: readAt.toISOString() })) };
    },
  },
];

/** The parameters of `isMeant`. */
function filterOf(context: AdminContext, input: Input): readonly unknown[] {
  const { chainId, address } = contractNamed(context, input);
  const marketplace = firstOf(input, "marketplace") ?? null;
  const maker = firstOf(input, "maker")?.toLowerCase() ?? null;
  return [chainId, address, input.positionals[2] ?? null, marketplace, maker];
}

const isMeant = `made.collection_id = (select id from collection where chain_id = $1 and address = $2)
  and ($3::text is null or order_id = $3) and ($4::text is null or marketplace::text = $4)
  and ($5::text is null or created_by = $5)`;

const listSql = `
select order_id as "orderId", marketplace, made.origin, side, token_id::text as "tokenId", ${statusOf("made")} as status,
       created_by as maker, price_amount::text as "priceAmount", currency.address as currency,
       quantity_remaining::text as "quantityRemaining", ${utcSeconds("valid_until")} as "validUntil",
       ${utcSeconds("made.updated_at")} as "updatedAt"
from market_order made
join currency on currency.id = made.currency_id
left join collectible on collectible.id = made.collectible_id
where ${isMeant}
order by order_id, marketplace limit $6`;

const countSql = `
select count(*) filter (where origin = 'import')::int as imported, count(*) filter (where origin <> 'import')::int as others
from market_order made where ${isMeant}`;

const deleteSql = `
with gone as (delete from market_order made where ${isMeant} and origin = 'import' returning 1)
select count(*)::int as deleted from gone`;

async function submit(context: AdminContext, input: Input): Promise<Output> {
  const submission = await openSubmission(context, argument(input, 0));
  using source = await openInput(input.positionals[1] ?? "-", context.streams);
  const faults = new FaultList(source.name, shownByDefault, context.streams.stderr);
  const counts = { kept: 0, refused: 0 };
  const submitOne = async (entry: Entry): Promise<void> => {
    const fault = await faultOf(submission, entry);
    if (fault === undefined) counts.kept++;
    else {
      counts.refused++;
      faults.add([fault]);
    }
  };
  try {
    let inFlight: Promise<void>[] = [];
    for await (const entries of readEntries(source.bytes)) {
      for (const entry of entries) {
        inFlight.push(submitOne(entry));
        if (inFlight.length < maxConcurrentChecks) continue;
        await Promise.all(inFlight);
        inFlight = [];
      }
    }
    await Promise.all(inFlight);
  } catch (err) {
    if (err instanceof UnreadableFile) throw new AdminFault(`${source.name}: ${err.message}`);
    if (err instanceof SubmitFailure || err instanceof ChainFailure || err instanceof CallReverted)
      throw new AdminFault(err.message);
    throw err;
  }
  faults.printRest();
  return { record: { orders: counts.kept + counts.refused, ...counts }, isIncomplete: counts.refused > 0 };
}

async function openSubmission({ config, database }: AdminContext, name: string): Promise<SubmitDependencies> {
  const network = networkNamed(config, name);
  const market = seaportOf(network.markets);
  if (market === undefined)
    throw new AdminFault(
      `${network.name} has no market of kind "seaport"; configure one in the setting networkDetails`,
    );
  const chain = await new Chains().of(network);
  return { database: await database(), chain, chainId: network.chainId, market };
}

async function faultOf(dependencies: SubmitDependencies, entry: Entry): Promise<InvalidEntry | undefined> {
  if ("error" in entry) return { ...entry, reason: entry.error };
  try {
    await submitOrder(dependencies, parseSignedOrder(entry.text));
    return undefined;
  } catch (err) {
    if (err instanceof OrderRejection) return { ...entry, reason: err.message };
    throw err;
  }
}
