import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { colored, type Paint, plain, shouldUseColor } from "../../../language/diagnostics/paint.ts";
import { columnsOf, startWithin, visible, visibleJson } from "../../../language/diagnostics/visible.ts";
import { environmentVariable, type ProcessContext, type Terminal } from "../process-context.ts";

/** Maximum width of sentences: longer lines are hard to read. */
const maxTextColumns = 100;

/** Width of standard output. Unlimited in a pipe, for programs such as `grep`. */
export function outColumns({ outIsTerminal, columns }: Terminal): number {
  return (outIsTerminal ? columns : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Width of standard error. */
export function errColumns({ errIsTerminal, columns }: Terminal): number {
  return (errIsTerminal ? columns : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Width of sentences on a stream. */
export function textColumns(columns: number): number {
  return Math.min(maxTextColumns, columns);
}

/** The colors of standard output. */
export function outPaint(context: Pick<ProcessContext, "env" | "terminal">, color?: boolean): Paint {
  return shouldUseColor(context.env, color, context.terminal.outIsTerminal) ? colored : plain;
}

/** The colors of standard error, and links to files. */
export function errPaint(context: Pick<ProcessContext, "cwd" | "env" | "terminal">, color?: boolean): Paint {
  const isTerminal = context.terminal.errIsTerminal;
  const paint = shouldUseColor(context.env, color, isTerminal) ? colored : plain;
  return { ...paint, file: fileLinks({ ...context, options: { color } }, isTerminal) };
}

/** Links a text to a file, if the terminal supports that. */
export type FileLink = (path: string, text: string) => string;

export interface LinkSettings extends Pick<ProcessContext, "cwd" | "env"> {
  readonly options: { readonly color?: boolean | undefined };
}

/**
 * Returns the function that links texts of a stream to files, whose paths are relative to `cwd`. Paths without a file, such as those
 * of a Git revision, are not linked.
 */
export function fileLinks({ cwd, env, options }: LinkSettings, isTerminal: boolean): FileLink {
  if (!isTerminal || options.color === false || !supportsHyperlinks(env)) return (_, text) => text;
  return (path, text) => {
    const absolute = resolve(cwd, path);
    return existsSync(absolute) ? hyperlink(pathToFileURL(absolute).href, text) : text;
  };
}

/** OSC 8: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
function hyperlink(url: string, text: string): string {
  return `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/**
 * Checks FORCE_HYPERLINK, NO_COLOR, CI, and whether the terminal is known to support hyperlinks, in this order. Terminals of editors
 * are left out: they link `path:line:column` themselves, and open the file at this line, which a hyperlink would prevent.
 */
function supportsHyperlinks(env: ProcessContext["env"]): boolean {
  const variable = (name: string): string => environmentVariable({ env }, name) ?? "";
  const force = variable("FORCE_HYPERLINK");
  if (force !== "") return force !== "0" && force !== "false";
  if (variable("NO_COLOR") !== "" || variable("CI") !== "" || variable("TERM") === "dumb") return false;
  return (
    terminalPrograms.has(variable("TERM_PROGRAM")) ||
    terminalTypes.has(variable("TERM")) ||
    variable("WT_SESSION") !== "" ||
    // GNOME Terminal and others, since 0.50.1.
    Number(variable("VTE_VERSION")) > 5000
  );
}

const terminalPrograms: ReadonlySet<string> = new Set(["ghostty", "iTerm.app", "WezTerm"]);
const terminalTypes: ReadonlySet<string> = new Set(["alacritty", "foot", "xterm-ghostty", "xterm-kitty"]);

/** Minimum time between two updates of a counter, in milliseconds. */
const intervalMs = 100;

/** Width of a terminal that does not report its width. */
const defaultColumns = 80;

/** How a command reports its progress. */
export interface ProgressSettings {
  readonly terminal: Terminal;
  readonly quiet: boolean;
}

/** A line of progress on the terminal that is overwritten. Writes nothing if standard error is not a terminal. */
export class ProgressLine implements Disposable {
  readonly #terminal: Terminal;
  readonly #isShown: boolean;
  #shown = "";
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor({ terminal, quiet }: ProgressSettings) {
    this.#terminal = terminal;
    this.#isShown = terminal.errIsTerminal && !quiet;
  }

  /** Shows a text, unless the last one was shown just before: for counters. */
  update(text: string): void {
    if (performance.now() - this.#shownAt >= intervalMs) this.show(text);
  }

  show(text: string): void {
    if (!this.#isShown) return;
    this.#shownAt = performance.now();
    // A line that fills the terminal would wrap, and could not be overwritten.
    this.#write(startWithin(visible(text), (this.#terminal.columns ?? defaultColumns) - 1));
  }

  clear(): void {
    if (this.#shown === "") return;
    this.#write("");
    this.#terminal.err("\r");
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  /** Pads with spaces to cover a longer previous text, because not every terminal has an escape code for that. */
  #write(text: string): void {
    const padding = " ".repeat(Math.max(0, columnsOf(this.#shown) - columnsOf(text)));
    this.#terminal.err(`\r${text}${padding}`);
    this.#shown = text;
  }
}

/** The texts of a file before and after a change; undefined if the file does not exist. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Prints a unified diff for `patch` and `git apply`. */
export async function patchOf({ path, before, after }: Change): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const name = path.replace(/^\/+/, "");
  const names = [
    before === undefined ? nowhere : `a/${name}`,
    after === undefined ? nowhere : `b/${name}`,
  ] as const;
  const headerOptions = FILE_HEADERS_ONLY;
  return createTwoFilesPatch(...names, before ?? "", after ?? "", undefined, undefined, { headerOptions });
}

const nowhere = "/dev/null";

/** Quotes a word for a POSIX shell, if it needs that: `my folder` → `'my folder'`. */
export function shellQuote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Where JSON goes: standard error if standard output carries something else. `lines`: standard output has a JSON value in each line.
 */
export type JsonStream = "out" | "err" | "lines";

export function printJson(terminal: Terminal, stream: JsonStream, document: unknown): void {
  if (stream === "lines") terminal.out(`${visibleJson(JSON.stringify(document))}\n`);
  else terminal[stream](`${visibleJson(JSON.stringify(document, null, 2))}\n`);
}
