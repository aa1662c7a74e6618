/** The address may not be called from here. The message is meant for whoever named it. */
export class OutboundRejection extends Error {
  override readonly name = "OutboundRejection";
}

/** No answer came: `timeout`, `unresolved`, `connection`, `encryption` or `malformed`. */
export type FailureKind = "timeout" | "unresolved" | "connection" | "encryption" | "malformed";

export class OutboundFailure extends Error {
  override readonly name = "OutboundFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, cause: unknown) {
    super(texts[kind], { cause });
    this.kind = kind;
  }
}

const texts: Readonly<Record<FailureKind, string>> = {
  timeout: "no answer in time",
  unresolved: "the name has no address",
  connection: "no connection, or it broke",
  encryption: "the encryption could not be agreed on",
  malformed: "the answer is no HTTP",
};

/** What a client threw, as one of ours. */
export function outboundFault(err: unknown): OutboundRejection | OutboundFailure {
  for (let at = err; at instanceof Error; at = at.cause) {
    if (at instanceof OutboundRejection) return at;
  }
  const { code = "", name = "" } = err as { readonly code?: string; readonly name?: string };
  return new OutboundFailure(kindOf(code, name), err);
}

function kindOf(code: string, name: string): FailureKind {
  if (name === "AbortError" || name === "TimeoutError" || /TIMEOUT$|TIMEDOUT$/.test(code)) return "timeout";
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_.*|EBADNAME|EREFUSED|EFORMERR|ENONAME)$/.test(code))
    return "unresolved";
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return "encryption";
  if (name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW") return "malformed";
  return "connection";
}
