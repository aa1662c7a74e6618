/** Builds the HTTP request of an agent's call. */
import { printInt64Json } from "./int64-json.ts";
import { type Issue, issue } from "./issue.ts";
import type { McpApi, McpFile, McpMethod } from "./mcp-api.ts";
import { requestValue } from "./mcp-values.ts";
import { hasOwn } from "./own-property.ts";

type RequestFields = Readonly<Record<string, unknown>>;

/** The parts of a request that depend on the call. `path` has the query. */
export interface McpCallRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

/** Most bytes of all files of a request. Agents write base64 token by token, and SDKs accept messages of 4 MiB. */
export const uploadMaxBytes: number = 1024 * 1024;

/** Returns the request of a call, or the issues of its arguments. */
export function callRequest(
  api: McpApi,
  method: McpMethod,
  given: unknown = {},
): McpCallRequest | readonly Issue[] {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return [issue([], "an object", Array.isArray(given) ? "a list" : (JSON.stringify(given) ?? "nothing"))];
  const issues: Issue[] = [];
  const { files = [], verb = "POST", query } = method;
  const taken = takeFiles(given as RequestFields, files, issues);
  const fields = requestValue(api, method.request, taken.fields, issues) as RequestFields;
  const path = method.path.replace(/\{(\w+)\}/g, (_parameter, name: string) =>
    segmentOf(fields, name, issues),
  );
  if (issues.length > 0) return issues;
  if (query !== undefined) {
    const search = query.flatMap((name) => queryPairs(name, hasOwn(fields, name) ? fields[name] : undefined));
    return { path: search.length === 0 ? path : `${path}?${search.join("&")}`, method: verb, headers: {} };
  }
  const json = printInt64Json(fields);
  if (files.length === 0)
    return { path, method: verb, headers: { "Content-Type": "application/json" }, body: json };
  const form = new FormData();
  form.append("json", json);
  for (const { name, file, fileName } of taken.files) form.append(name, file, fileName);
  return { path, method: verb, headers: {}, body: form };
}

/** URLs drop the segments `.` and `..`, however they are encoded. */
function segmentOf(fields: RequestFields, name: string, issues: Issue[]): string {
  const text = hasOwn(fields, name) ? `${fields[name] ?? ""}` : "";
  if (text === "" || text === "." || text === "..")
    issues.push(
      issue([name], 'text other than "", "." and ".."', text === "" ? "nothing" : JSON.stringify(text)),
    );
  return encodeURIComponent(text);
}

function queryPairs(name: string, value: unknown): readonly string[] {
  return [value]
    .flat()
    .filter((item) => item !== undefined && item !== null)
    .map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(`${item}`)}`);
}

interface TakenFiles {
  /** With null for each file, as servers expect it. */
  readonly fields: RequestFields;
  readonly files: readonly { readonly name: string; readonly file: Blob; readonly fileName: string }[];
}

function takeFiles(given: RequestFields, files: readonly McpFile[], issues: Issue[]): TakenFiles {
  const fields: Record<string, unknown> = { ...given };
  const taken: TakenFiles["files"][number][] = [];
  let bytes = 0;
  for (const { name, within } of files) {
    if (within !== undefined) fields[within] = { ...(fields[within] as RequestFields | undefined) };
    const holder = within === undefined ? fields : (fields[within] as Record<string, unknown>);
    const path = within === undefined ? [name] : [within, name];
    const value = holder[name];
    if (value === undefined || value === null) continue;
    const list = [value].flat();
    list.forEach((item, index) => {
      const file = fileOf(item);
      if (file === undefined)
        issues.push(
          issue(
            Array.isArray(value) ? [...path, index] : path,
            "a file: { name, type?, text? or base64? }",
            "another value",
          ),
        );
      else {
        bytes += file.blob.size;
        taken.push({ name, file: file.blob, fileName: file.name });
      }
    });
    holder[name] = Array.isArray(value) ? value.map(() => null) : null;
    if (bytes > uploadMaxBytes)
      issues.push(issue(path, `files of at most ${uploadMaxBytes} bytes in total`, `${bytes} bytes`));
  }
  return { fields, files: taken };
}

function fileOf(value: unknown): { readonly blob: Blob; readonly name: string } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name = "file", type = "", text, base64 } = value as RequestFields;
  if (typeof name !== "string" || typeof type !== "string") return undefined;
  if (typeof text === "string" && base64 === undefined) return { blob: new Blob([text], { type }), name };
  if (typeof base64 !== "string" || text !== undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { blob: new Blob([bytes], { type }), name };
  } catch {
    return undefined;
  }
}
