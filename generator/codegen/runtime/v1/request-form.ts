/** A request with files as a form. */
import type { TransportInit } from "./transport.ts";

/** Arguments that are files, by name. */
export type Files = Readonly<Record<string, Blob | readonly Blob[] | null | undefined>>;

export function withoutFiles(req: unknown, names: readonly string[]): object {
  const fields = { ...(req as Record<string, unknown>) };
  for (const name of names) delete fields[name];
  return fields;
}

/** The arguments that are no files in the first part, and a part a file. A list is as many parts of one name. */
export function asForm(
  { headers, body, ...init }: TransportInit,
  req: Files,
  names: readonly string[],
): TransportInit {
  const form = new FormData();
  form.append("json", body as string);
  for (const name of names) for (const file of [req[name] ?? []].flat()) form.append(name, file as Blob);
  // A form says by itself how its parts are parted. To follow a redirect, or not to, Node's `fetch` keeps all of it in memory.
  const { "Content-Type": _json, ...others } = headers;
  return { ...init, redirect: "error", headers: others, body: form };
}
