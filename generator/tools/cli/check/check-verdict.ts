import type { ChangedFile, StaleReason } from "../../../codegen/check/staleness.ts";
import { counted } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { CommandCall } from "../command.ts";
import { generationOptions, type Job } from "../generate/generation.ts";
import { type Option, schemaOptions } from "../options.ts";

type CheckOptions = typeof schemaOptions &
  typeof generationOptions & { readonly diff: Option & { readonly kind: "flag" } };

export const checkOptions: CheckOptions = {
  ...schemaOptions,
  ...generationOptions,
  diff: {
    kind: "flag",
    description: "Print the complete diff; --no-diff prints none and skips generation",
  },
};

export type CheckCall = CommandCall<CheckOptions>;

/** The state of an output folder. */
export interface Verdict {
  readonly job: Job;
  readonly causes: readonly StaleReason[];
  readonly damage: readonly ChangedFile[];
  /** Generated files that are not in the manifest. */
  readonly orphans: readonly string[];
  readonly isClean: boolean;
}

/** `generated: up to date, 66 files`. */
export function upToDateText({ out, manifest }: Job): string {
  return `${visible(out)}: up to date, ${counted(Object.keys(manifest.files).length, "file")}\n`;
}
