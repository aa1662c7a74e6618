/** The HTTP request of a call, and the same call as a curl command. */
import type { FilePart } from "../form/request-body.ts";
import type { KeyInfo } from "./host-info.ts";

export interface CallRequest {
  /** Scheme and host, and the network's name where the service has one. */
  readonly url: string;
  readonly verb: string;
  /** `/rpc/Marketplace/GetOrders`, with the query of a route. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. Undefined if the request has no body. */
  readonly body: string | undefined;
  /** Present if the body is a form, with the JSON in its part `json`. */
  readonly files: readonly FilePart[] | undefined;
}

export interface CallParts {
  /** The URL of the server, without a slash at its end. */
  readonly server: string;
  /** Empty: the path contains no network. */
  readonly network: string;
  readonly verb: string;
  readonly path: string;
  readonly keys: readonly KeyInfo[];
  /** By the name of the key. Empty keys are not sent. */
  readonly keyValues: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly files?: readonly FilePart[] | undefined;
  /** Further headers. Empty values are not sent. */
  readonly more?: Readonly<Record<string, string>>;
}

export function requestOf(parts: CallParts): CallRequest {
  const { server, network, verb, path, keys, keyValues, body, files, more = {} } = parts;
  const url = network === "" ? server : `${server}/${encodeURIComponent(network)}`;
  const isJson = body !== undefined && files === undefined;
  const headers: Record<string, string> = isJson ? { "content-type": "application/json" } : {};
  for (const [name, text] of Object.entries(more)) if (text.trim() !== "") headers[name] = text.trim();
  for (const { name, header, prefix = "" } of keys) {
    const text = keyValues[name]?.trim() ?? "";
    if (text !== "") headers[header.toLowerCase()] = `${prefix}${text}`;
  }
  return { url, verb, path, headers, body, files };
}

/** A curl command for any POSIX shell. Secrets are written as variables: `$SECRET_KEY`. */
export function curlOf(request: CallRequest, keys: readonly KeyInfo[]): string {
  // With a body, curl sends POST.
  const verb = request.verb === (request.body === undefined ? "GET" : "POST") ? "" : `-X ${request.verb} `;
  const lines = [`curl -s ${verb}'${request.url}${request.path}'`];
  for (const [header, text] of Object.entries(request.headers)) {
    const secret = keys.find(
      (key) =>
        key.isSecret === true &&
        key.header.toLowerCase() === header &&
        text !== `${key.prefix ?? ""}${key.value}`,
    );
    lines.push(
      secret === undefined
        ? `-H ${quoted(`${header}: ${text}`)}`
        : `-H "${header}: ${secret.prefix ?? ""}$${variableOf(secret)}"`,
    );
  }
  if (request.files !== undefined) {
    lines.push(`--form-string ${quoted(`json=${request.body ?? "{}"}`)}`);
    for (const { name, file } of request.files) lines.push(`-F ${quoted(`${name}=@${file.name}`)}`);
  } else if (request.body !== undefined) lines.push(`-d ${quoted(request.body)}`);
  return lines.join(" \\\n  ");
}

/** `secretKey` → `SECRET_KEY` */
export function variableOf({ name }: KeyInfo): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
