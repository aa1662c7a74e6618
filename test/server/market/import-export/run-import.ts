/** Imports records by the admin command, and returns what it reports. */
import type { Data } from "../../../support/host.ts";
import { operateInProcess } from "../../../support/operator.ts";

export const account: string = `0x${"1".repeat(40)}`;
export const collection: string = `0x${"2".repeat(40)}`;

/** A valid line for every host that serves Polygon. */
export const order: Readonly<Record<string, unknown>> = {
  chainId: 137,
  collectionContractAddress: collection,
  tokenId: "1",
  orderId: "o",
  side: "listing",
  createdBy: account,
  priceAmount: "5",
  priceCurrencyAddress: `0x${"0".repeat(40)}`,
};

/** Records, one per line; or the bytes of a file. */
export type Records = readonly unknown[] | string | Buffer;

export interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly invalid: number;
}

/** `counts`: added, changed, unchanged, rejected. */
export async function importInto(
  data: Data,
  kind: string,
  records: Records,
): Promise<{
  readonly code: number;
  readonly counts: readonly (number | undefined)[];
  readonly err: string;
}> {
  const input =
    typeof records === "string" || Buffer.isBuffer(records)
      ? records
      : records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const { code, out, err } = await operateInProcess(data, ["import", kind, "-", "--format", "json"], input);
  const { added, changed, unchanged, invalid } =
    out === "" ? ({} as Partial<Counts>) : (JSON.parse(out) as Counts);
  return { code, counts: [added, changed, unchanged, invalid], err };
}
