import type { Send, TestCall } from "../contract-test/call.ts";
import { formOf } from "../replay/form.ts";

/** Where the calls of a test go. */
export interface Target {
  readonly address: string;
  /** Headers that credentials stand in. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** With the names of the headers and not their values: what is shown lands in logs. */
export function curlOf(
  { path, body, files, withoutCredentials }: TestCall,
  { address, credentials }: Target,
): string {
  const names = withoutCredentials === true ? [] : Object.keys(credentials);
  const keys = names
    .map((name) => ` -H "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}"`)
    .join("");
  const text = JSON.stringify(body).replaceAll("'", "'\\''");
  if (files === undefined)
    return `curl -s ${address}${path} -H 'content-type: application/json'${keys} -d '${text}'`;
  const parts = files.map((name) => ` -F '${name}=bytes;filename=file.txt'`).join("");
  return `curl -s ${address}${path}${keys} --form-string 'json=${text}'${parts}`;
}

/** Longest that one call may take, in milliseconds. */
const callTimeoutMs = 10_000;

export function sendTo({ address, credentials }: Target): Send {
  return async ({ path, body, files, withoutCredentials }) => {
    const headers = {
      ...(files === undefined ? { "content-type": "application/json" } : {}),
      ...(withoutCredentials === true ? {} : credentials),
    };
    try {
      const response = await fetch(`${address}${path}`, {
        method: "POST",
        headers,
        body: files === undefined ? JSON.stringify(body) : formOf(body, files),
        redirect: "manual",
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      const text = await (isStream(response) ? firstLines(response) : response.text());
      return { status: response.status, text, contentType: response.headers.get("content-type") ?? "" };
    } catch (err) {
      const { cause, message } = err as Error & { readonly cause?: Error };
      return { status: 0, text: cause?.message ?? message, contentType: "" };
    }
  };
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/x-ndjson") ?? false;
}

/** Streams that never end are left after so many items, or so long, in milliseconds. */
const streamMax = { items: 10, ms: 2_000 };

async function firstLines({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const end = performance.now() + streamMax.ms;
  let text = "";
  for (;;) {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), end - performance.now()).unref();
    });
    const part = await Promise.race([reader?.read(), late]);
    if (part === undefined) break;
    if (part.done) return text;
    text += part.value;
    if (text.split("\n").filter((line) => line !== "").length > streamMax.items) break;
  }
  reader?.cancel().catch(() => {});
  return text.slice(0, text.lastIndexOf("\n") + 1);
}
