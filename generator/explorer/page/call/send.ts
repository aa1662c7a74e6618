/** Sends a call and reports the response while it arrives. */
import { fileNameIn } from "../../../runtime/src/headers.ts";
import type { Failure } from "./advice.ts";
import type { CallRequest, CallResponse } from "./request.ts";

const pendingResponse: CallResponse = {
  status: undefined,
  headers: [],
  texts: [],
  times: [],
  count: 0,
  file: undefined,
  failure: undefined,
  tookMs: 0,
  state: "sending",
};

export interface SendOptions {
  readonly isStream: boolean;
  readonly isFile: boolean;
  readonly signal: AbortSignal;
  readonly onChange: (response: CallResponse) => void;
}

/** Number of stream items that stay on the page. */
const maxShownItems = 200;

/** Between two reports of new items. A fast stream would keep the page busy with a report for each. */
const reportPauseMs = 50;

/** Rejects if the host does not respond. */
export async function send(
  request: CallRequest,
  { isStream, isFile, signal, onChange }: SendOptions,
): Promise<CallResponse> {
  const startedAt = performance.now();
  let current = pendingResponse;
  let reportTimer: ReturnType<typeof setTimeout> | undefined;
  const change = (changed: Partial<CallResponse>): void => {
    current = { ...current, ...changed, tookMs: performance.now() - startedAt };
  };
  const report = (): void => {
    clearTimeout(reportTimer);
    reportTimer = undefined;
    onChange(current);
  };
  const update = (changed: Partial<CallResponse>): CallResponse => {
    change(changed);
    report();
    return current;
  };
  onChange(current);
  try {
    const response = await fetch(`${request.url}${request.path}`, {
      method: request.verb,
      headers: sentHeaders(request),
      body: bodyOf(request),
      signal,
    });
    update({ status: response.status, headers: [...response.headers] });
    if (isStream && response.ok && response.body !== null) {
      update({ state: "streaming" });
      for await (const line of linesOf(response.body)) {
        const failure = parseFailure(line, "webrpcError");
        if (failure !== undefined) return update({ failure, state: "done" });
        if (line === "") continue;
        const times = [performance.now() - startedAt, ...current.times].slice(0, maxShownItems);
        change({
          texts: [line, ...current.texts].slice(0, maxShownItems),
          times,
          count: current.count + 1,
        });
        reportTimer ??= setTimeout(report, reportPauseMs);
      }
      return update({ state: "done" });
    }
    if (isFile && response.ok) {
      const name = fileNameIn(response.headers.get("content-disposition") ?? "");
      return update({ file: { name, blob: await response.blob() }, count: 1, state: "done" });
    }
    const text = await response.text();
    return update({
      texts: [text],
      count: 1,
      failure: response.ok ? undefined : parseFailure(text),
      state: "done",
    });
  } catch (err) {
    if (signal.aborted) return update({ state: "stopped" });
    throw err;
  } finally {
    clearTimeout(reportTimer);
  }
}

/** Pages cannot set the header Cookie, but a cookie of their own host. */
function sentHeaders({ headers: { cookie, ...others } }: CallRequest): Readonly<Record<string, string>> {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
  if (cookie !== undefined) document.cookie = `${cookie}; path=/; SameSite=Strict`;
  return others;
}

/** Builds a form for a request with files: the part `json`, then a part for each file. */
function bodyOf({ body, files }: CallRequest): string | FormData | null {
  if (files === undefined) return body ?? null;
  const form = new FormData();
  form.append("json", body ?? "{}");
  for (const { name, file } of files) form.append(name, file);
  return form;
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function parseFailure(text: string, within?: string): Failure | undefined {
  try {
    const read = JSON.parse(text) as Record<string, unknown> | null;
    const envelope = (within === undefined ? read : read?.[within]) as Partial<Failure> | null | undefined;
    return typeof envelope?.error === "string" && typeof envelope.code === "number"
      ? (envelope as Failure)
      : undefined;
  } catch {
    return undefined;
  }
}
