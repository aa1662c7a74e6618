/** The true error of a server under development: diagnostics of its schema, or what a handler has thrown. */
import type { ComponentChildren } from "preact";

export interface Problem {
  readonly title: string;
  readonly text: string;
  /** The absolute path of the project. */
  readonly root: string;
}

/** In milliseconds. */
const retryMs = 2_000;

/**
 * Listens while the page is visible: browsers open few connections to a server. `onChange` gets the current problem first, and
 * undefined when the newest version is served. Returns a function that stops.
 */
export function watchProblems(
  url: string | undefined,
  onChange: (problem: Problem | undefined, isFirst: boolean) => void,
): () => void {
  if (url === undefined) return () => {};
  let events: EventSource | undefined;
  let isFirst = true;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(retry);
    events?.close();
  };
  const toggle = (): void => {
    stop();
    if (document.visibilityState !== "visible") return;
    events = new EventSource(url);
    events.onmessage = ({ data }: MessageEvent<string>) => {
      onChange((JSON.parse(data) as Problem | null) ?? undefined, isFirst);
      isFirst = false;
    };
    // Browsers give up after another status than 200, as while the server starts.
    events.onerror = () => {
      if (events?.readyState === EventSource.CLOSED) retry = setTimeout(toggle, retryMs);
    };
  };
  toggle();
  document.addEventListener("visibilitychange", toggle);
  return () => {
    document.removeEventListener("visibilitychange", toggle);
    stop();
  };
}

interface ProblemPanelProps {
  readonly problem: Problem | undefined;
  readonly onClose: () => void;
}

export function ProblemPanel({ problem, onClose }: ProblemPanelProps) {
  return (
    <div class="problem" role="alert" hidden={problem === undefined}>
      {problem !== undefined && (
        <>
          <p class="problem-title">
            <strong>{problem.title}</strong>
            <button type="button" class="quiet" onClick={onClose}>
              Close
            </button>
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach scrollable content */}
          <pre tabIndex={0}>{withFiles(problem)}</pre>
        </>
      )}
    </div>
  );
}

/** `handlers/Pets/GetPet.ts:2:9`, also below a folder with dots or brackets in its name. */
const position =
  /(?<![\w@$./\\[\]-])((?:[A-Z]:)?[\w@$./\\[\]-]+[.](?:ridl|ya?ml|json|[cm]?[jt]sx?)):(\d+)(?::(\d+))?/g;

/** Links positions in files to the editor, by the scheme of Visual Studio Code. */
function withFiles({ text, root }: Problem): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(position)) {
    const [whole, file = "", line, column = "1"] = match;
    const path = /^(?:[/]|[A-Z]:)/.test(file) ? file : `${root}/${file}`;
    const url = path.replaceAll("\\", "/").replace(/^[/]/, "").split("/").map(encodeURIComponent).join("/");
    parts.push(
      text.slice(at, match.index),
      <a href={`vscode://file/${url.replace("%3A", ":")}:${line}:${column}`}>{whole}</a>,
    );
    at = match.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}
