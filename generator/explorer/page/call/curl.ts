/** Prints the call as a curl command. */
import { parseJson, printJson } from "../json/node.ts";
import type { KeyInfo } from "./host-info.ts";
import { type CallRequest, variableOf } from "./request.ts";

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
  } else if (request.body !== undefined) lines.push(`-d ${quoted(shownBody(request.body))}`);
  return lines.join(" \\\n  ");
}

/** In characters. Longer bodies are formatted. */
const lineMax = 56;

function shownBody(body: string): string {
  return body.length > lineMax ? printJson(parseJson(body)) : body;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
