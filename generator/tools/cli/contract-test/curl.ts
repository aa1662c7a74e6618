import type { TestCall } from "../../../verify/contract-test/call.ts";
import { shellQuote } from "../output/shell-quote.ts";
import type { Target } from "./send-calls.ts";

/**
 * Prints a call as a curl command, for a finding of a rule. Credentials are written as shell variables, because output
 * ends up in logs.
 */
export function curlOf(
  { verb, path, body, files, withoutCredentials, headers = {} }: TestCall,
  { address, credentials, webrpc }: Target,
  rule: string,
): string {
  const names = withoutCredentials === true ? [] : Object.keys(credentials);
  const more = Object.entries(headers).map(([name, value]) => ` -H ${shellQuote(`${name}: ${value}`)}`);
  const version = webrpc === undefined ? "" : ` -H ${shellQuote(`webrpc: ${webrpc}`)}`;
  const keys = names
    .map((name) => ` -H "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}"`)
    .concat(version, more)
    .join("");
  const url = shellQuote(`${address}${path}`);
  const isDefault = verb === undefined || (verb === "GET" && body === undefined);
  const verbFlag = verb === "HEAD" ? "-I " : isDefault ? "" : `-X ${verb} `;
  const showsHead = more.length > 0 || rulesOnHeaders.has(rule);
  const method = showsHead && verb !== "HEAD" ? `-i ${verbFlag}` : verbFlag;
  if (body === undefined) return `curl -s ${method}${url}${keys}`;
  const text = JSON.stringify(body);
  if (files === undefined)
    return `curl -s ${method}${url} -H 'content-type: application/json'${keys} -d ${shellQuote(text)}`;
  const parts = files.map((name) => ` -F ${shellQuote(`${name}=bytes;filename=file.txt`)}`).join("");
  return `curl -s ${url}${keys} --form-string ${shellQuote(`json=${text}`)}${parts}`;
}

/** Rules whose findings are seen in the headers of a response. */
const rulesOnHeaders: ReadonlySet<string> = new Set(["cache-headers", "etag-changes", "errors-not-cached"]);
