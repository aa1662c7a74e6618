/** The response: status, time, the body with every digit, and one message after a failure. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Advice, Failure } from "../call/advice.ts";
import type { CallResponse } from "../call/request.ts";
import { links } from "../state/route.ts";
import { JsonTree, JsonView, parsed } from "./json-view.tsx";
import { Copy, durationText, FilePreview, revealField } from "./parts.tsx";

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
          {response !== undefined ? summary(response) : advice.size === 0 ? "Example" : ""}
        </p>
        {isOpen && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </header>
      {note !== "" && <p class="hint">{note}</p>}
      <FailureText failure={response?.failure} advice={advice} />
      {response === undefined && advice.size === 0 && expected}
      {response?.file !== undefined && <FilePreview {...response.file} />}
      {response !== undefined && <Body response={response} />}
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

function Body({ response }: { readonly response: CallResponse }) {
  const { texts, times, failure } = response;
  const [text] = texts;
  if (texts.length > 1 || times.length > 0) return <StreamItems response={response} />;
  if (text === undefined) return null;
  const body = <JsonView text={text} label="response body" />;
  // The message above says the same; errors of the contract may have data.
  if (failure === undefined || failure.code > 0) return body;
  return (
    <details>
      <summary>Response body</summary>
      {body}
    </details>
  );
}

/* The items of a stream, newest first. */

function StreamItems({ response }: { readonly response: CallResponse }) {
  /** What is shown while the stream goes on. */
  const [paused, setPaused] = useState<CallResponse>();
  const { texts, times, count } = paused ?? response;
  const waiting = response.count - count;
  return (
    <>
      <div class="stream">
        <span class="hint">{rateText(times)}</span>
        {(response.state === "streaming" || paused !== undefined) && (
          <button
            type="button"
            class="quiet"
            onClick={() => setPaused(paused === undefined ? response : undefined)}
          >
            {paused === undefined ? "Pause" : `Resume${waiting === 0 ? "" : ` (${waiting} new)`}`}
          </button>
        )}
        <Copy text={texts.toReversed().join("\n")} what="all items" title="Copy all" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content */}
      <ol class="items" tabIndex={0} aria-label="Items, newest first">
        {texts.map((text, index) => (
          // The newest item comes first, so numbering from the end keeps each item's key stable.
          <StreamItem key={count - index} number={count - index} text={text} atMs={times[index]} />
        ))}
      </ol>
    </>
  );
}

interface StreamItemProps {
  readonly number: number;
  readonly text: string;
  /** Since the call started. Unknown for calls of the history. */
  readonly atMs: number | undefined;
}

/** Levels of an item that are unfolded at first. */
const itemLevels = 2;

function StreamItem({ number, text, atMs }: StreamItemProps) {
  // Items are rendered once, although each new item renders the list.
  const item = useMemo(() => {
    const node = parsed(text);
    return node === undefined ? <pre>{text}</pre> : <JsonTree node={node} levels={itemLevels} />;
  }, [text]);
  return (
    <li>
      <span class="hint">
        {number}
        {atMs !== undefined && <> · +{durationText(atMs)}</>}
      </span>
      {item}
    </li>
  );
}

/** `12.5 items/s`, over the items that are shown. Empty if fewer than two arrived. */
function rateText(times: readonly number[]): string {
  const [last = 0] = times;
  const first = times.at(-1) ?? 0;
  if (last === first) return "";
  const rate = ((times.length - 1) * 1_000) / (last - first);
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} items/s`;
}

/* One message after a failure: the error, its reason, and the fields to change. */

interface FailureTextProps {
  readonly failure: Failure | undefined;
  readonly advice: Advice;
}

function FailureText({ failure, advice }: FailureTextProps) {
  const general = advice.get("");
  const fieldIds = [...advice.keys()].filter((id) => id !== "");
  if (failure === undefined && advice.size === 0) return null;
  const fields = fieldIds.length > 0 && <FieldLinks ids={fieldIds} />;
  const name = failure !== undefined && <a href={links.error(failure.error)}>{failure.error}</a>;
  if (general !== undefined || failure === undefined)
    return (
      <p class="advice" role="alert">
        {general} {fields} {name}
      </p>
    );
  const cause = failure.cause === undefined ? "" : `. ${failure.cause}`;
  return (
    <p class="failure" role="alert">
      {name}: {failure.msg}
      {fields === false ? cause : <>. {fields}</>}
    </p>
  );
}

/** Number of fields that are listed. */
const listedMax = 5;

function FieldLinks({ ids }: { readonly ids: readonly string[] }) {
  return (
    <>
      See{" "}
      {ids.slice(0, listedMax).map((id, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <button type="button" class="link" onClick={() => revealField(id)}>
            {fieldName(id)}
          </button>
        </span>
      ))}
      {ids.length > listedMax && ` and ${ids.length - listedMax} more fields`}.
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
