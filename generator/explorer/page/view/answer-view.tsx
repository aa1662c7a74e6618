/** What came back: status, time, the body with every digit, and what to do if it failed. */
import type { Advice } from "../call/advice.ts";
import type { Answer } from "../call/send.ts";
import { JsonFault, parseJson, printJson } from "../json/node.ts";
import { links } from "../state/route.ts";
import { Code } from "./parts.tsx";

interface AnswerProps {
  readonly answer: Answer | undefined;
  readonly advice: Advice;
  readonly onStop: () => void;
}

export function AnswerView({ answer, advice, onStop }: AnswerProps) {
  const isOpen = answer?.state === "sending" || answer?.state === "streaming";
  return (
    <section class="answer" aria-labelledby="answer-title">
      <header>
        <h2 id="answer-title">Answer</h2>
        <p role="status">{answer === undefined ? "" : summary(answer)}</p>
        {isOpen && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </header>
      <Words advice={advice} />
      {answer?.failure !== undefined && (
        <p class="failure">
          <a href={links.error(answer.failure.error)}>{answer.failure.error}</a>: {answer.failure.msg}
          {answer.failure.cause === undefined ? "" : `. ${answer.failure.cause}`}
        </p>
      )}
      {answer === undefined && advice.size === 0 && (
        <p class="empty">Send the request to see what it answers.</p>
      )}
      {answer?.texts.map((text, index) => (
        // The newest is first, so an item keeps its number when others come.
        <Code
          key={answer.count - index}
          text={pretty(text)}
          label={answer.count > 1 ? `item ${answer.count - index}` : "answer body"}
        />
      ))}
      {answer !== undefined && answer.headers.length > 0 && (
        <details>
          <summary>Headers</summary>
          <dl class="headers">
            {answer.headers.map(([name, text]) => (
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

/** What stands at no field, and that there are fields to look at. */
function Words({ advice }: { readonly advice: Advice }) {
  const whole = advice.get("");
  const places = [...advice.keys()].filter((place) => place !== "");
  return (
    <>
      {whole !== undefined && (
        <p class="advice" role="alert">
          {whole}
        </p>
      )}
      {places.length > 0 && (
        <p class="advice" role="alert">
          See {places.length === 1 ? "the field" : `${places.length} fields`}:{" "}
          {places.slice(0, 5).map((place, index) => (
            <span key={place}>
              {index > 0 && ", "}
              <button type="button" class="link" onClick={() => document.getElementById(place)?.focus()}>
                {placeName(place)}
              </button>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function placeName(place: string): string {
  return place.startsWith("/") ? place.slice(1) : place.replace(/^key:/, "");
}

function summary({ state, status, tookMs, count, texts }: Answer): string {
  if (state === "sending") return "Sending…";
  const time = tookMs < 1_000 ? `${Math.round(tookMs)} ms` : `${(tookMs / 1_000).toFixed(1)} s`;
  const items = `${count} ${count === 1 ? "item" : "items"}`;
  if (state === "streaming") return `Live · ${items}`;
  if (state === "stopped") return status === undefined ? "Stopped" : `Stopped · ${items}`;
  const size = texts.length === 1 ? ` · ${bytes(texts[0]?.length ?? 0)}` : ` · ${items}`;
  return `${status ?? "No answer"} · ${time}${size}`;
}

function bytes(length: number): string {
  return length < 1_024 ? `${length} B` : `${(length / 1_024).toFixed(1)} KB`;
}

/** Text that is no JSON stays as it came. */
function pretty(text: string): string {
  try {
    return printJson(parseJson(text));
  } catch (err) {
    if (!(err instanceof JsonFault)) throw err;
    return text;
  }
}
