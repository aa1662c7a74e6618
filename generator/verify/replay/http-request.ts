import type { CallRequest } from "../requests/routed-request.ts";
import { multipartForm } from "./multipart-form.ts";

/** Builds the request of a call for a Fetch API handler. With `files`, its body is a form. */
export function httpRequest(
  host: string,
  { verb = "POST", path, body, files = [] }: CallRequest & { readonly files?: readonly string[] },
  credentials: Readonly<Record<string, string>> = {},
): Request {
  const url = `${host}${path}`;
  if (body === undefined) return new Request(url, { method: verb, headers: credentials });
  if (files.length > 0)
    return new Request(url, { method: verb, headers: credentials, body: multipartForm(body, files) });
  const headers = { ...credentials, "content-type": "application/json" };
  return new Request(url, { method: verb, headers, body: JSON.stringify(body) });
}
