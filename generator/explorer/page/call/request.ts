/** The HTTP request and the response of a call. */
import type { FilePart } from "../form/request-body.ts";
import type { Failure } from "./advice.ts";
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

/** `secretKey` → `SECRET_KEY` */
export function variableOf({ name }: KeyInfo): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
}

/** A header of a request in printed code, which reads secrets from the environment. */
interface PrintedHeader {
  readonly name: string;
  readonly text: string;
  /** The variable that holds the value, and what precedes the value. */
  readonly secret: { readonly variable: string; readonly prefix: string } | undefined;
}

export function headersOf({ headers }: CallRequest, keys: readonly KeyInfo[]): readonly PrintedHeader[] {
  return Object.entries(headers).map(([name, text]) => {
    const key = keys.find(({ isSecret, header }) => isSecret === true && header.toLowerCase() === name);
    const secret = key && { variable: variableOf(key), prefix: key.prefix ?? "" };
    return { name, text, secret };
  });
}

/** A response, complete or still arriving. */
export interface CallResponse {
  /** Undefined before the response starts. */
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received; for a stream the newest items, each as JSON. */
  readonly texts: readonly string[];
  /** When each item of a stream arrived, in milliseconds since the call started. Empty for other calls. */
  readonly times: readonly number[];
  /** Number of all items received. */
  readonly count: number;
  readonly file: ReceivedFile | undefined;
  readonly failure: Failure | undefined;
  readonly tookMs: number;
  readonly state: "sending" | "streaming" | "done" | "stopped";
}

/** A response that is a file. */
export interface ReceivedFile {
  /** Undefined if the server gives no name, or hides it from pages of other origins. */
  readonly name: string | undefined;
  readonly blob: Blob;
}
