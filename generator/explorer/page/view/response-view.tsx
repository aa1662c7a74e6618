/** The response: status, time, the body with every digit, and advice after a failure. */
import type { ComponentChildren } from "preact";
import type { Advice } from "../call/advice.ts";
import type { CallResponse } from "../call/request.ts";
import { JsonSyntaxError, parseJson, printJson } from "../json/node.ts";
import { links } from "../state/route.ts";
import { Code, durationText, FilePreview } from "./parts.tsx";

interface ResponseProps {
  readonly response: CallResponse | undefined;
  readonly advice: Advice;
  /** About a response from the history. */
  readonly note: string;
  readonly onStop: () => void;
  /** Shown before the first call. */
  readonly expected: ComponentChildren;
}

export function ResponseView({ response, advice, note, onStop, expected }: ResponseProps) {
  const isOpen = response?.state === "sending" || response?.state === "streaming";
  return (
    <section class="answer" aria-labelledby="answer-title">
      <header>
        <h2 id="answer-title">Response</h2>
        <p role="status" class={outcome(response)}>
          {response === undefined ? "" : summary(response)}
        </p>
        {isOpen && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </header>
      {note !== "" && <p class="hint">{note}</p>}
      <AdviceText advice={advice} />
      {response?.failure !== undefined && (
        <p class="failure">
          <a href={links.error(response.failure.error)}>{response.failure.error}</a>: {response.failure.msg}
          {response.failure.cause === undefined ? "" : `. ${response.failure.cause}`}
        </p>
      )}
      {response === undefined && advice.size === 0 && expected}
      {response?.file !== undefined && <FilePreview {...response.file} />}
      {response?.texts.map((text, index) => (
        // The newest item comes first, so numbering from the end keeps each item's key stable.
        <Code
          key={response.count - index}
          text={pretty(text)}
          label={response.count > 1 ? `item ${response.count - index}` : "response body"}
        />
      ))}
      {response !== undefined && response.headers.length > 0 && (
        <details>
          <summary>Headers</summary>
          <dl class="headers">
            {response.headers.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

/** Advice for the whole response, and links to the fields that have advice of their own. */
function AdviceText({ advice }: { readonly advice: Advice }) {
  const general = advice.get("");
  const fieldIds = [...advice.keys()].filter((id) => id !== "");
  return (
    <>
      {general !== undefined && (
        <p class="advice" role="alert">
          {general}
        </p>
      )}
      {fieldIds.length > 0 && (
        <p class="advice" role="alert">
          See {fieldIds.length === 1 ? "the field" : `${fieldIds.length} fields`}:{" "}
          {fieldIds.slice(0, 5).map((id, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <button type="button" class="link" onClick={() => document.getElementById(id)?.focus()}>
                {fieldName(id)}
              </button>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function fieldName(id: string): string {
  return id.startsWith("/") ? id.slice(1) : id.replace(/^key:/, "");
}

function outcome(response: CallResponse | undefined): string {
  if (response?.status === undefined) return "";
  return response.status < 400 && response.failure === undefined ? "is-good" : "is-bad";
}

function summary({ state, status, tookMs, count, texts, file }: CallResponse): string {
  if (state === "sending") return "Sending…";
  const time = durationText(tookMs);
  const items = `${count} ${count === 1 ? "item" : "items"}`;
  if (state === "streaming") return `Live · ${items}`;
  if (state === "stopped") return status === undefined ? "Stopped" : `Stopped · ${items}`;
  if (file !== undefined) return `${status} · ${time}`;
  const size = texts.length === 1 ? ` · ${bytes(texts[0]?.length ?? 0)}` : ` · ${items}`;
  return `${status ?? "No response"} · ${time}${size}`;
}

function bytes(length: number): string {
  return length < 1_024 ? `${length} B` : `${(length / 1_024).toFixed(1)} KB`;
}

/** Indents JSON; returns any other text unchanged. */
function pretty(text: string): string {
  try {
    return printJson(parseJson(text));
  } catch (err) {
    if (!(err instanceof JsonSyntaxError)) throw err;
    return text;
  }
}
