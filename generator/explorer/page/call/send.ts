/** Sends a call and tells what comes back, as it comes. */
import type { Failure } from "./advice.ts";
import type { CallRequest } from "./request.ts";

export interface Answer {
  /** Undefined: there was none. */
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** As it came; of a stream the newest items, each as JSON. */
  readonly texts: readonly string[];
  /** All that came. */
  readonly count: number;
  readonly failure: Failure | undefined;
  readonly tookMs: number;
  readonly state: "sending" | "streaming" | "done" | "stopped";
}

const nothingYet: Answer = {
  status: undefined,
  headers: [],
  texts: [],
  count: 0,
  failure: undefined,
  tookMs: 0,
  state: "sending",
};

export interface SendOptions {
  readonly isStream: boolean;
  readonly signal: AbortSignal;
  readonly onChange: (answer: Answer) => void;
}

/** Items of a stream that stay on the page. */
const shownMax = 200;

/** Rejects where nobody answers. */
export async function send(
  request: CallRequest,
  { isStream, signal, onChange }: SendOptions,
): Promise<Answer> {
  const startedAt = performance.now();
  let answer = nothingYet;
  const tell = (change: Partial<Answer>): Answer => {
    answer = { ...answer, ...change, tookMs: performance.now() - startedAt };
    onChange(answer);
    return answer;
  };
  try {
    const response = await fetch(`${request.url}${request.path}`, {
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal,
    });
    tell({ status: response.status, headers: [...response.headers] });
    if (isStream && response.ok && response.body !== null) {
      tell({ state: "streaming" });
      for await (const line of linesOf(response.body)) {
        const failure = failureOf(line, "webrpcError");
        if (failure !== undefined) return tell({ failure, state: "done" });
        if (line !== "") tell({ texts: [line, ...answer.texts].slice(0, shownMax), count: answer.count + 1 });
      }
      return tell({ state: "done" });
    }
    const text = await textOf(response);
    return tell({
      texts: [text],
      count: 1,
      failure: response.ok ? undefined : failureOf(text),
      state: "done",
    });
  } catch (err) {
    if (signal.aborted) return tell({ state: "stopped" });
    throw err;
  }
}

/** Of a file its size and type: it is no text to be shown. */
async function textOf(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (/json|text/.test(type)) return response.text();
  return `${(await response.blob()).size} bytes of ${type}`;
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

function failureOf(text: string, within?: string): Failure | undefined {
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
