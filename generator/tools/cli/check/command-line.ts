import type { CommandCall } from "../command.ts";
import { commonOptions, kebab } from "../options.ts";
import { shellQuote } from "../output/shell-quote.ts";

/** Options that change only the output of a command. */
const displayOptions: ReadonlySet<string> = new Set(["format", "quiet", "color", "help", "diff", "dryRun"]);

/** Prints another command with the arguments and options of this one, quoted for a shell: `generate --project web`. */
export function commandLine(
  command: string,
  { options, positionals }: Pick<CommandCall, "positionals" | "options">,
): string {
  const given = Object.entries(options).filter(([name]) => !displayOptions.has(name));
  const inOrder = given.toSorted(([a], [b]) => Number(a in commonOptions) - Number(b in commonOptions));
  return [
    command,
    ...positionals.map(shellQuote),
    ...inOrder.flatMap(([name, value]) => optionText(name, value)),
  ].join(" ");
}

function optionText(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === "boolean") return [`--${value ? "" : "no-"}${kebab(name)}`];
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return [`--${kebab(name)} ${shellQuote(text)}`];
}
