import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { environmentVariable, type ProcessContext } from "../process-context.ts";

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
