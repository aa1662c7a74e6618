import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { visible } from "../../language/diagnostics/visible.ts";

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

/** The text for an invalid command line. */
export function usageText(message: string, help: string): string {
  return `ridlkit: ${visible(message)}\nSee: ${help}\n`;
}
