/** The URL must not be called. The message is for the person who chose the URL. */
export class OutboundRejection extends Error {
  override readonly name = "OutboundRejection";
}

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
  timeout: "no response in time",
  unresolved: "the host name has no address",
  connection: "the connection failed",
  encryption: "the TLS handshake failed",
  malformed: "the response is not valid HTTP",
};

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
