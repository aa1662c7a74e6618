import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { visible } from "../../language/diagnostics/visible.ts";

/** Why a command was not carried out. */
export type CommandError =
  /** What was typed makes no sense. `help` is the command that explains it. */
  | { readonly kind: "usage"; readonly message: string; readonly help: string }
  /** The configuration has faults. */
  | { readonly kind: "configuration"; readonly diagnostics: readonly Diagnostic[] };

export type Result<Value> =
  | { readonly value: Value; readonly error?: never }
  | { readonly value?: never; readonly error: CommandError };

export function usageError(message: string, help = "ridlkit help"): { readonly error: CommandError } {
  return { error: { kind: "usage", message, help } };
}

/** `"User"` → ` Did you mean "User"?`, with its leading blank; nothing if nothing is near. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

/** What the terminal shows of a command that makes no sense. */
export function usageText(message: string, help: string): string {
  return `ridlkit: ${visible(message)}\nSee: ${help}\n`;
}
