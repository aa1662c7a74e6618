import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { visible } from "../../language/diagnostics/visible.ts";

/** Exit codes of the process. */
export const exitCode = {
  ok: 0,
  /** The command found errors. */
  findings: 1,
  /** The command line or the configuration is invalid, a module of the project ended the process, or output could not be written. */
  usage: 2,
  /** A bug in ridlkit. */
  internalError: 3,
  /** A called server sent no response, or none that can be used. */
  noResponse: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The reason why a command did not run. */
export type CommandError =
  /** The command line is invalid. `help` is the command that explains it. */
  | { readonly kind: "usage"; readonly message: string; readonly help: string }
  /** The configuration is invalid. */
  | { readonly kind: "configuration"; readonly diagnostics: readonly Diagnostic[] };

export type Result<Value> =
  | { readonly value: Value; readonly error?: never }
  | { readonly value?: never; readonly error: CommandError };

export function usageError(message: string, help = "ridlkit help"): { readonly error: CommandError } {
  return { error: { kind: "usage", message, help } };
}

/** `"User"` → ` Did you mean "User"?`, with a leading space; "" for undefined. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** The JSON document for an invalid command line. */
export function usageJson({ message, help }: { readonly message: string; readonly help: string }): object {
  return { ok: false, error: { message, help }, diagnostics: [] };
}

/** The text for an invalid command line. */
export function usageText(message: string, help: string): string {
  return `ridlkit: ${visible(message)}\nSee: ${help}\n`;
}
