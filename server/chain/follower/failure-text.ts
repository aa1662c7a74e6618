import { DatabaseFault, sqlStateOf } from "../../base/storage/fault.ts";
import { hideUrlSecrets } from "../../base/url-secrets.ts";
import { NodeFault, RpcError } from "../rpc/nodes/faults.ts";
import { BlockNotFound, CheckUnsupported, FilterRequired, InvalidResponse, TooManyLogs } from "./source.ts";

/** In characters. */
const maxLength = 300;

const nodeErrors = [
  NodeFault,
  RpcError,
  BlockNotFound,
  CheckUnsupported,
  FilterRequired,
  InvalidResponse,
  TooManyLogs,
];

/** Describes in one line why following a chain failed: which part, and its message without secrets. */
export function failureText(err: unknown): string {
  const part = partOf(err);
  const message = err instanceof Error ? err.message : `thrown: ${typeof err}`;
  // Errors of nodes hide the secrets of their URLs themselves.
  const safe = part === "nodes" ? message : hideUrlSecrets(message);
  const line = `${part}: ${safe}`.replace(/[\s\p{Cc}]+/gu, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

function partOf(err: unknown): string {
  if (nodeErrors.some((type) => err instanceof type)) return "nodes";
  if (err instanceof DatabaseFault || sqlStateOf(err) !== undefined) return "database";
  return err instanceof Error ? `internal error, ${err.name}` : "internal error";
}
