import type { RpcError } from "../../../verify/client/method-client.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";

/** The error of a call, as programs read it. */
export interface ErrorJson {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly cause: string | undefined;
  readonly issues: RpcError["issues"];
  readonly retryAfter: string | undefined;
}

export function errorJson({ name, code, msg, cause, issues, retryAfter }: RpcError): ErrorJson {
  return { name, code, message: msg, cause, issues, retryAfter: retryAfter ?? undefined };
}

/** 1 for an error that the server returned or that the request has, 4 if no usable response came. */
export function exitCodeOf({ side, code }: RpcError): ExitCode {
  const isAnswered = side === "server" || (side === "client" && code !== -8);
  return isAnswered ? exitCode.findings : exitCode.noResponse;
}

/** The lines about an error that a server returned. */
export function errorLines({
  name,
  code,
  status,
  msg,
  cause,
  issues,
  retryAfter,
}: RpcError): readonly string[] {
  const http = status === 0 ? "" : `, HTTP ${status}`;
  const lines = (issues ?? []).map(({ path, message }) => `  /${path.join("/")}: ${message}`);
  return [
    `${name} (code ${code}${http}): ${msg}`,
    // Issues repeat the cause, value by value.
    ...(lines.length > 0 ? lines : cause === undefined ? [] : [`  cause: ${cause}`]),
    ...(retryAfter ? [`  retry after: ${retryAfter}`] : []),
  ];
}
