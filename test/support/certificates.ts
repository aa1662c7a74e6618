import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { findProgram } from "./helper-program.ts";

/** The program that creates certificates, or undefined if it is not installed. */
export const openssl: string | undefined = findProgram("openssl");

export interface Certificate {
  /** Path without `.pem` or `.key`. */
  readonly path: string;
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** `IP:127.0.0.1,DNS:localhost` */
  readonly names: string;
  /** Signs the certificate. Without an authority, the certificate is self-signed and can sign others. */
  readonly authority?: Certificate;
  /** Negative for a certificate that has expired. Default: 1. */
  readonly days?: number;
}

/** Creates a certificate at `path`, in the files `path.pem` and `path.key`. */
export function createCertificate(
  path: string,
  { names, authority, days = 1 }: CertificateOptions,
): Certificate {
  const [pem, key, request, extensions] = [`${path}.pem`, `${path}.key`, `${path}.csr`, `${path}.ext`];
  const lines = [`subjectAltName=${names}`, ...(authority === undefined ? ["basicConstraints=CA:TRUE"] : [])];
  writeFileSync(extensions, lines.join("\n"));
  const run = (...args: readonly string[]): void => {
    execFileSync(openssl ?? "openssl", args, { stdio: "ignore" });
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
  run("req", ...newKey, "-subj", `/CN=${names}`, "-out", request);
  const signer =
    authority === undefined
      ? ["-signkey", key]
      : ["-CA", `${authority.path}.pem`, "-CAkey", `${authority.path}.key`, "-CAcreateserial"];
  run("x509", "-req", "-in", request, ...signer, "-days", `${days}`, "-extfile", extensions, "-out", pem);
  return { path, cert: readFileSync(pem, "utf8"), key: readFileSync(key, "utf8") };
}
