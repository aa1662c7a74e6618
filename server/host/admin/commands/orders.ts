import { seaportOf } from "../../../chain/networks/markets.ts";
import { ChainFailure } from "../../../chain/rpc/chain.ts";
import { Chains } from "../../../chain/rpc/chains.ts";
import { listSilent } from "../../../market/indexer/availability/list-silent.ts";
import { readSigned } from "../../../market/indexer/seaport/read-signed.ts";
import { SubmitFailure, type SubmitPorts, submitOrder } from "../../../market/indexer/seaport/submit.ts";
import { OrderRefusal } from "../../../market/indexer/seaport/terms.ts";
import type { Fault } from "../../../market/transfer/batch.ts";
import type { Entry } from "../../../market/transfer/reading/entry.ts";
import { readEntries, UnreadableFile } from "../../../market/transfer/reading/read-entries.ts";
import { AdminFault, type AdminPorts, argument, type Command, type Input, type Output } from "../command.ts";
import { chainIdNamed, networkNamed } from "../networks.ts";
import { FaultList } from "../transfer/fault-list.ts";
import { openSource } from "../transfer/source.ts";

/** Faults that are shown: a screenful. */
const shownMax = 20;
/** Orders that are checked at the same time: each is some six questions to the chain. */
const atOnce = 16;

export const orders: readonly Command[] = [
  {
    name: "orders submit",
    help: "take in signed orders of Seaport, each checked on its chain; a host must follow the network",
    positionals: ["NETWORK", "[FILE|-]"],
    details: `The file is NDJSON, an order a line, or one JSON array; plain or packed by gzip. An order is what seaport-js makes:

  {"parameters":{"offerer":"0x…","offer":[…],"consideration":[…],…,"counter":"0"},"signature":"0x…"}

What is filled, cancelled, void or not signed by its maker, and what is no order for one token of a collection, or for any, in one
currency, is told with its line and its reason; the others are kept, and the exit code is 1. An order that is known is checked anew.`,
    run: submit,
  },
  {
    name: "orders unknown",
    help: "contracts that do not say whether makers of open orders have what they promise, or which royalty is due, and why",
    positionals: ["NETWORK"],
    details:
      "Their orders are inactive, and the contracts are asked again as the others are; nobody else is asked in their stead.",
    run: async ({ config, database }, input) => {
      const chainId = chainIdNamed(config, argument(input, 0));
      const rows = await listSilent(await database(), chainId);
      return { list: rows.map(({ readAt, ...row }) => ({ ...row, readAt: readAt.toISOString() })) };
    },
  },
];

async function submit(ports: AdminPorts, input: Input): Promise<Output> {
  const submitPorts = await openPorts(ports, argument(input, 0));
  using source = await openSource(input.positionals[1] ?? "-");
  const faults = new FaultList(source.name, shownMax);
  const counts = { kept: 0, refused: 0 };
  const take = async (entry: Entry): Promise<void> => {
    const fault = await faultOf(submitPorts, entry);
    if (fault === undefined) counts.kept++;
    else {
      counts.refused++;
      faults.add([fault]);
    }
  };
  try {
    let underWay: Promise<void>[] = [];
    for await (const entries of readEntries(source.bytes)) {
      for (const entry of entries) {
        underWay.push(take(entry));
        if (underWay.length < atOnce) continue;
        await Promise.all(underWay);
        underWay = [];
      }
    }
    await Promise.all(underWay);
  } catch (err) {
    if (err instanceof UnreadableFile) throw new AdminFault(`${source.name}: ${err.message}`);
    if (err instanceof SubmitFailure || err instanceof ChainFailure) throw new AdminFault(err.message);
    throw err;
  }
  faults.printRest();
  return { one: { orders: counts.kept + counts.refused, ...counts }, isRefused: counts.refused > 0 };
}

async function openPorts({ config, database }: AdminPorts, name: string): Promise<SubmitPorts> {
  const network = networkNamed(config, name);
  const market = seaportOf(network.markets);
  if (market === undefined)
    throw new AdminFault(
      `${network.name} has no market of the kind "seaport"; see the setting networkDetails`,
    );
  const chain = await new Chains().of(network);
  return { database: await database(), chain, chainId: network.chainId, market };
}

async function faultOf(ports: SubmitPorts, entry: Entry): Promise<Fault | undefined> {
  if ("fault" in entry) return { ...entry, reason: entry.fault };
  try {
    await submitOrder(ports, readSigned(entry.text));
    return undefined;
  } catch (err) {
    if (err instanceof OrderRefusal) return { ...entry, reason: err.message };
    throw err;
  }
}
