import type { Json } from "../../codegen/plan/json.ts";
import { printExact } from "../client/exact-json.ts";
import type { CallRequest } from "../requests/routed-request.ts";

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

/** Builds a multipart request with one small file for each name. */
export function multipartForm(request: Json, files: readonly string[]): FormData {
  const form = new FormData();
  form.set("json", printExact(request));
  for (const name of files) form.append(name, new Blob(["bytes"]), "file.txt");
  return form;
}
