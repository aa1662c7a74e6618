import type { PeerCertificate } from "node:tls";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { visible } from "../../../language/diagnostics/visible.ts";

/** Why no response came, and what to do: parts of a message, without a full stop at the end. */
export interface ConnectionFailure {
  readonly reason: string;
  /** Absent if the reason is not specific. */
  readonly advice?: string;
}

interface SystemError extends Error {
  readonly code?: string;
  /** Of a certificate for another name. */
  readonly cert?: PeerCertificate;
}

/** Explains the error of an HTTP client: of `node:http`, `node:https` or `fetch`. */
export function connectionFailure(err: unknown, url: string | URL): ConnectionFailure {
  const { name, code = "", message, cause, cert } = err as SystemError;
  if (name === "TimeoutError") return { reason: "the request timed out" };
  // `fetch` wraps the error of the connection.
  if (cause instanceof Error) return connectionFailure(cause, url);
  const { protocol, hostname, port } = new URL(url);
  if (message === "bad port")
    return {
      reason: `the Fetch standard blocks port ${port}`,
      advice: "Let the server listen on another one",
    };
  const ofCertificate = certificateFailures[code]?.(hostname, cert?.subjectaltname ?? "");
  if (ofCertificate !== undefined) return ofCertificate;
  if (code.startsWith("ERR_SSL_") || code === "EPROTO")
    return { reason: `${hostname} does not use HTTPS on this port`, advice: "Try http:// in the URL" };
  if (protocol === "http:" && (code === "ECONNRESET" || code === "UND_ERR_SOCKET"))
    return {
      reason: "the server closed the connection",
      advice: "If the server uses HTTPS, write https:// in the URL",
    };
  // If a host name has several addresses, Node's error has no message, only a code.
  return { reason: message || code || "the connection failed" };
}

/** `No response from http://127.0.0.1:4000: connect ECONNREFUSED 127.0.0.1:4000. Start the server, or check --url.` */
export function noResponseText(address: string, err: unknown): string {
  const { reason, advice = "Start the server, or check --url" } = connectionFailure(err, address);
  return `No response from ${visible(address)}: ${visible(reason)}. ${advice}.`;
}

type CertificateFailure = (host: string, names: string) => ConnectionFailure;

const untrusted: CertificateFailure = (host) => ({
  reason: `the certificate of ${host} is from an authority that is not trusted`,
  advice: "To trust it, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority",
});

/** By the codes of OpenSSL that `node:tls` reports. */
const certificateFailures: Readonly<Record<string, CertificateFailure>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => ({
    reason: `the certificate of ${host} is self-signed and not trusted`,
    advice: "To trust it, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate",
  }),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) => ({
    reason: `the certificate of ${host} is from an unknown authority, or the server sends no intermediate certificate`,
    advice: "To trust the authority, set NODE_EXTRA_CA_CERTS to a PEM file with its certificate",
  }),
  CERT_HAS_EXPIRED: (host) => ({
    reason: `the certificate of ${host} has expired`,
    advice: "Renew the certificate, or check the clock of this machine",
  }),
  CERT_NOT_YET_VALID: (host) => ({
    reason: `the certificate of ${host} is not valid yet`,
    advice: "Check the clock of this machine and of the server",
  }),
  ERR_TLS_CERT_ALTNAME_INVALID: (host, names) => ({
    reason: `the certificate of ${host} is for other names: ${names.split(", ").slice(0, 5).join(", ")}`,
    advice: "Use a name of the certificate in the URL",
  }),
};

/** Explains why a server cannot listen on a port. Undefined for other errors. */
export function listenFailure(err: unknown, port: number): string | undefined {
  const { code } = err as NodeJS.ErrnoException;
  if (code === undefined) return undefined;
  const what = code === "EADDRINUSE" ? "another program uses it" : systemReason(err);
  return `Cannot listen on port ${port}: ${what}. Choose another with --port.`;
}
