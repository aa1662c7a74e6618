/** What a failed response reports, as one clause: `HTTP 429: Too Many Requests`. */
export function describeFailure({
  status,
  code,
  detail,
}: {
  readonly status: number;
  /** Code of a JSON-RPC error. */
  readonly code?: number;
  readonly detail: string;
}): string {
  const isOk = status >= 200 && status < 300;
  const numbers = [
    ...(isOk ? [] : [`HTTP ${status}`]),
    ...(code === undefined || (!isOk && code === status) ? [] : [`error ${code}`]),
  ];
  return `${numbers.join(", ")}: ${withoutNumber(detail, isOk ? code : status)}`;
}

/** Removes a number that providers repeat at the beginning of their message: `429 Too Many Requests`, `HTTP error 429: …`. */
function withoutNumber(detail: string, number: number | undefined): string {
  const pattern = new RegExp(`^(?:(?:http|error|status|code)[\\s:/]*)*${number}\\b[\\s:,.-]*`, "i");
  const rest = detail.replace(pattern, "");
  return rest === "" ? detail : rest;
}
