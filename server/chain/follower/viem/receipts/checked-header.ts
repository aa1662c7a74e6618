import type { Keccak } from "../../../../base/keccak.ts";
import { FalseResponse } from "../../../rpc/nodes/faults.ts";
import type { Header } from "../../source.ts";
import { readHeader } from "../responses.ts";
import { headerHash } from "./header-hash.ts";
import { hexOfLength } from "./receipts.ts";

/** Reads a header with the root of its receipts. Throws FalseResponse if its content does not have its hash. */
export function readCheckedHeader(response: unknown, keccak: Keccak): Header {
  const header = readHeader(response);
  const fields = response as Readonly<Record<string, unknown>>;
  if (headerHash(fields, keccak) !== header.hash)
    throw new FalseResponse("a block's header does not have the block's hash");
  return { ...header, receiptsRoot: hexOfLength(fields["receiptsRoot"], 32) };
}
