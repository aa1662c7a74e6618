import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { visible } from "../../language/diagnostics/visible.ts";

/** Why a command did not start. */
export type CommandError =
  /** The arguments are invalid. `help` is the help command to suggest. */
  | { readonly kind: "usage"; readonly message: string; readonly help: string }
  /** The configuration is invalid. */
  | { readonly kind: "configuration"; readonly diagnostics: readonly Diagnostic[] };

export type Result<Value> =
  | { readonly value: Value; readonly error?: never }
  | { readonly value?: never; readonly error: CommandError };

export function usageError(message: string, help = "ridlkit help"): { readonly error: CommandError } {
  return { error: { kind: "usage", message, help } };
}

/** `"User"` → ` Did you mean "User"?`, with its leading space. Returns "" without a suggestion. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** Text of a usage error on the terminal. */
export function usageText(message: string, help: string): string {
  return `ridlkit: ${visible(message)}\nSee: ${help}\n`;
}
