import { createPlan } from "../../../codegen/generate.ts";
import { planSteps } from "../../../codegen/plan/versions/steps.ts";
import type { CompiledSchema } from "../../../language/compile.ts";
import { contractText, currentContract, type KeptVersion } from "../../../language/history.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { Schema } from "../config/schemas.ts";
import { earlierVersions } from "../history/earlier-versions.ts";

/** The earlier versions that servers of a schema speak, oldest first. */
export interface SpokenVersions {
  readonly history: readonly KeptVersion[];
  /** The one that the schema is compared with. */
  readonly version: string;
}

/** Returns undefined if the version that the schema is compared with is not kept, or the history has errors. */
export function findSpokenVersions(
  schema: Schema,
  now: CompiledSchema,
  before: CompiledSchema,
  reader: SourceReader,
): SpokenVersions | undefined {
  const history = earlierVersions(schema, now, reader).versions;
  const { schemaVersion: _, ...ownVersion } = schema.filter;
  const { ir } = currentContract(schema.path, before, ownVersion);
  const kept = history.find(({ version }) => version === ir.version);
  if (kept === undefined || contractText(kept.compiled.ir) !== contractText(ir)) return undefined;
  return { history, version: kept.version };
}

/** Whether a server needs custom conversions. */
export function needsCustomConversions(history: readonly KeptVersion[], now: CompiledSchema): boolean {
  const planOf = ({ model, ir }: CompiledSchema) => createPlan(model, ir, { schemaFile: "schema" });
  const steps = planSteps(
    history.map(({ compiled }) => planOf(compiled)),
    planOf(now),
  );
  return steps.some(({ isCustom }) => isCustom);
}
