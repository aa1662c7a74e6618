/** The response: status, time, the body with every digit, and one message after a failure. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Advice, Failure } from "../call/advice.ts";
import type { CallResponse } from "../call/request.ts";
import { previewOf, sharedStart } from "../json/preview.ts";
import { links } from "../state/route.ts";
import { colored } from "./code-colors.tsx";
import type { Expected } from "./expected.tsx";
import { JsonTree, JsonView, parsed } from "./json-view.tsx";
import {
  Copy,
  counted,
  durationText,
  FilePreview,
  marked,
  revealField,
  type Tab,
  Tabs,
  Unfold,
} from "./parts.tsx";

interface ResponseProps {
  readonly response: CallResponse | undefined;
  readonly advice: Advice;
  /** About a response from the history. */
  readonly note: string;
  /** About the response of a mock. */
  readonly mockNote: ComponentChildren;
  readonly onStop: () => void;
  /** What the contract says about a response. */
  readonly expected: Expected;
}

export function ResponseView({ response, advice, note, mockNote, onStop, expected }: ResponseProps) {
  const isSending = response?.state === "sending";
  // While a call waits, what was there before stays, so that the page keeps its height.
  const settled = useRef(response);
  if (!isSending || response.texts.length > 0) settled.current = response;
  const shown = settled.current;
  const tabs: readonly Tab[] = [
    shown === undefined
      ? { name: "body", title: "Example", content: expected.example }
      : { name: "body", title: "Body", content: <Body response={shown} /> },
    ...expected.tabs,
    ...(shown === undefined || shown.headers.length === 0
      ? []
      : [{ name: "headers", title: "Headers", content: <Headers headers={shown.headers} /> }]),
  ];
  return (
    <section class="answer" aria-labelledby="answer-title" aria-busy={isSending}>
      <header>
        <h2 id="answer-title" tabIndex={-1}>
          Response
        </h2>
        <p role="status" class={outcome(response)}>
          {response !== undefined && summary(response)}
        </p>
        {(isSending || response?.state === "streaming") && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </header>
      {note !== "" && <p class="hint">{note}</p>}
      {mockNote}
      <FailureText failure={response?.failure} advice={advice} reasons={expected.reasons} />
      <Tabs id="response" label="Response" tabs={tabs} isStarting={isSending} />
    </section>
  );
}

function Headers({ headers }: Pick<CallResponse, "headers">) {
  return (
    <dl class="headers">
      {headers.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ response }: { readonly response: CallResponse }) {
  const { texts, times, file } = response;
  const [text] = texts;
  if (file !== undefined) return <FilePreview {...file} />;
  if (texts.length > 1 || times.length > 0 || response.state === "streaming")
    return <StreamItems response={response} />;
  if (text === undefined || text === "") return <p class="empty">No body.</p>;
  return <JsonView text={text} label="response body" />;
}

/* The items of a stream, newest first. */

function StreamItems({ response }: { readonly response: CallResponse }) {
  /** What is shown while the stream goes on. */
  const [paused, setPaused] = useState<CallResponse>();
  const { texts, times, count } = paused ?? response;
  const waiting = response.count - count;
  const shared = useMemo(() => sharedStart(texts), [texts]);
  return (
    <>
      <div class="stream">
        <strong>{streamState(response)}</strong>
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
          <StreamItem
            key={count - index}
            number={count - index}
            text={text}
            shared={shared}
            atMs={times[index]}
          />
        ))}
      </ol>
    </>
  );
}

interface StreamItemProps {
  readonly number: number;
  readonly text: string;
  /** How all items start. */
  readonly shared: string;
  /** Since the call started. Unknown for calls of the history. */
  readonly atMs: number | undefined;
}

/** An item in one line, which unfolds. */
function StreamItem({ number, text, shared, atMs }: StreamItemProps) {
  // Items are rendered again only if `shared` changes, although each new item renders the list.
  return useMemo(
    () => (
      <li>
        <Unfold
          summary={
            <>
              <span class="hint">
                {number}
                {atMs !== undefined && <> · +{durationText(atMs)}</>}
              </span>
              <code class="preview">{colored(previewOf(text, shared), "json")}</code>
            </>
          }
        >
          {() => <ItemText text={text} />}
        </Unfold>
      </li>
    ),
    [text, shared],
  );
}

function ItemText({ text }: { readonly text: string }) {
  const node = useMemo(() => parsed(text), [text]);
  return node === undefined ? <pre>{text}</pre> : <JsonTree node={node} />;
}

function streamState({ state, failure }: CallResponse): string {
  if (state === "streaming") return "Live";
  if (state === "stopped") return "Stopped by you";
  return failure === undefined ? "Ended by the server" : "Failed";
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
  readonly reasons: Expected["reasons"];
}

function FailureText({ failure, advice, reasons }: FailureTextProps) {
  const general = advice.get("");
  const fieldIds = [...advice.keys()].filter((id) => id !== "");
  if (failure === undefined && advice.size === 0) return null;
  const fields = fieldIds.length > 0 && <FieldLinks ids={fieldIds} />;
  const name = failure !== undefined && <a href={links.error(failure.error)}>{failure.error}</a>;
  if (general !== undefined || failure === undefined)
    return (
      <p class="failure" role="alert">
        {name}
        {name !== false && ": "}
        {general} {fields}
      </p>
    );
  const { error, msg, cause } = failure;
  const documented = reasons.get(error);
  const parts = [msg, fields === false ? cause : fields].filter(
    (part) => part !== undefined && part !== "" && !(part === msg && letters(msg) === letters(error)),
  );
  return (
    <p class="failure" role="alert">
      {name}
      {parts.map((part, index) => (
        <span key={index}>
          {index === 0 ? ": " : afterText(parts[index - 1])}
          {part}
        </span>
      ))}
      {fields === false && cause === undefined && documented !== undefined && (
        <>
          {afterText(parts.at(-1))}Possible reasons: {marked(documented)}
        </>
      )}
    </p>
  );
}

/** Ends a sentence that has no end. */
function afterText(text: ComponentChildren): string {
  return typeof text === "string" && /[.!?]$/.test(text) ? " " : ". ";
}

/** "Invalid argument" says the same as `InvalidArgument`. */
function letters(text: string): string {
  return text.replaceAll(/\W/g, "").toLowerCase();
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

function summary({ state, status, tookMs, count, texts, times, file }: CallResponse): string {
  if (state === "sending") return "Sending…";
  const time = durationText(tookMs);
  const items = counted(count, "item");
  if (state === "streaming") return `Live · ${items}`;
  if (state === "stopped") return status === undefined ? "Stopped" : `Stopped · ${items}`;
  if (file !== undefined) return `${status} · ${time}`;
  if (texts.length > 1 || times.length > 0) return `${status} · ended · ${items} · ${time}`;
  const size = texts.length === 1 ? ` · ${bytes(texts[0]?.length ?? 0)}` : "";
  return `${status ?? "No response"} · ${time}${size}`;
}

function bytes(length: number): string {
  return length < 1_024 ? `${length} B` : `${(length / 1_024).toFixed(1)} KB`;
}
