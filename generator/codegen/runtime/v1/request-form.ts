/** Sends requests with files as forms. */
import type { TransportInit } from "./transport.ts";

/** Where a file is in a request: the name of an argument, or an argument and the name of its field. */
export type FilePath = string | readonly [within: string, name: string];

type RequestFields = Readonly<Record<string, unknown>>;

/** Returns the arguments as they are sent in JSON, with null for each file: servers of webrpc count the nulls of a list. */
export function withoutFiles(req: unknown, paths: readonly FilePath[]): object {
  const fields: Record<string, unknown> = { ...(req as RequestFields) };
  for (const path of paths) {
    const [name, within] = partsOf(path);
    if (within === undefined) fields[name] = placeholder(fields[name]);
    else if (isObject(fields[within]))
      fields[within] = { ...fields[within], [name]: placeholder(fields[within][name]) };
  }
  return fields;
}

function placeholder(file: unknown): null | readonly null[] {
  return Array.isArray(file) ? file.map(() => null) : null;
}

function partsOf(path: FilePath): readonly [name: string, within?: string] {
  return typeof path === "string" ? [path] : [path[1], path[0]];
}

function isObject(value: unknown): value is RequestFields {
  return typeof value === "object" && value !== null;
}

function filesAt(req: unknown, path: FilePath): readonly Blob[] {
  const [name, within] = partsOf(path);
  const holder = within === undefined ? req : (req as RequestFields)[within];
  const files = isObject(holder) ? (holder[name] ?? []) : [];
  return [files as Blob | readonly Blob[]].flat();
}

/**
 * Builds a form: the part `json` with all other arguments, then one part per file. Files of a list have the same part
 * name.
 */
export function asForm(
  { headers, body, ...init }: TransportInit,
  req: unknown,
  paths: readonly FilePath[],
): TransportInit {
  const form = new FormData();
  form.append("json", body as string);
  for (const path of paths) for (const file of filesAt(req, path)) form.append(partsOf(path)[0], file);
  // `fetch` sets the Content-Type with the boundary. With any other redirect mode, Node's `fetch` would keep the whole
  // form in memory.
  const { "content-type": _json, ...others } = headers;
  return { ...init, redirect: "error", headers: others, body: form };
}
