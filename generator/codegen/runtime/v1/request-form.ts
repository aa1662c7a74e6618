/** Sends requests with files as forms. */
import type { TransportInit } from "./transport.ts";

/** The arguments that are files, by name. */
export type Files = Readonly<Record<string, Blob | readonly Blob[] | null | undefined>>;

/** Returns the arguments that are sent as JSON. */
export function withoutFiles(req: unknown, names: readonly string[]): object {
  const fields = { ...(req as Record<string, unknown>) };
  for (const name of names) delete fields[name];
  return fields;
}

/**
 * Builds a form: the part `json` with all other arguments, then one part per file. Files of a list have the same part
 * name.
 */
export function asForm(
  { headers, body, ...init }: TransportInit,
  req: Files,
  names: readonly string[],
): TransportInit {
  const form = new FormData();
  form.append("json", body as string);
  for (const name of names) for (const file of [req[name] ?? []].flat()) form.append(name, file as Blob);
  // `fetch` sets the Content-Type with the boundary. With any other redirect mode, Node's `fetch` would keep the whole
  // form in memory.
  const { "Content-Type": _json, ...others } = headers;
  return { ...init, redirect: "error", headers: others, body: form };
}
