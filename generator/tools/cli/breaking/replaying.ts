import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { CompiledSchema } from "../../../language/compile.ts";
import { type Diagnostic, diagnose, type Location } from "../../../language/diagnostics/diagnostic.ts";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { counted } from "../../../language/diagnostics/tally.ts";
import type { KeptVersion } from "../../../language/history.ts";
import type { Model } from "../../../language/model/model.ts";
import { type LoadedContract, loadInMemory, NothingToServe } from "../../../verify/in-memory/load.ts";
import { type RecordedCall, readRecording } from "../../../verify/replay/recording.ts";
import { type ReplayFinding, replay } from "../../../verify/replay/replay.ts";
import { type CommandError, usageError } from "../command-error.ts";
import { type Schema, wireSettings } from "../config/schemas.ts";
import type { ProgressLine } from "../output/terminal.ts";
import { needsCustomConversions } from "./against.ts";

/** Number of requests, and of responses, generated for each method: covers each limit of a dozen fields. */
const generatedCount = 40;

interface ReplayCall {
  readonly options: { readonly seed?: number | undefined; readonly clientsFirst?: boolean | undefined };
  readonly cwd: string;
}

interface ReplayedVersions {
  readonly before: CompiledSchema;
  readonly now: CompiledSchema;
  /** The versions that the new server speaks. */
  readonly history: readonly KeptVersion[];
  readonly schema: Schema;
}

/** Sends the calls of each version to the server of the other version. */
export async function replayVersions(
  { before, now, history: kept, schema }: ReplayedVersions,
  source: string,
  progress: ProgressLine,
  { options, cwd }: ReplayCall,
): Promise<{ readonly findings: readonly Diagnostic[] } | { readonly error: CommandError }> {
  const calls = source === "generated" ? undefined : readRecordingFile(source, cwd);
  if (typeof calls === "string") return usageError(calls, "ridlkit help breaking");
  progress.show("Generating clients and servers of both versions");
  // Custom conversions are not known here.
  const history = needsCustomConversions(kept, now, schema) ? [] : kept;
  const versions = await loadVersions({ before, now, history, schema });
  if (versions === undefined) return { findings: [] };
  const [old, fresh] = versions;
  const settingsOf = (who: string) => ({
    seed: options.seed ?? 1,
    count: generatedCount,
    onProgress: (done: number, methods: number) =>
      progress.update(`${who}: ${done} of ${counted(methods, "method")}`),
  });
  const converts = history.length > 0;
  const forth = await replay(old, fresh, { ...settingsOf(forthName), calls, converts });
  // A recording contains calls of old callers. The calls of new callers are always generated.
  const back = await replay(fresh, old, settingsOf(backName));
  const decisive = options.clientsFirst === true ? back : forth;
  const model = now.model;
  const toDiagnostics = (findings: readonly ReplayFinding[], who: string): Diagnostic[] =>
    findings.map((finding) => diagnosticOf(finding, who, model, findings === decisive));
  return {
    findings: [...toDiagnostics(forth, forthName), ...toDiagnostics(back, backName)],
  };
}

const forthName = "Old clients, new server";
const backName = "New clients, old server";

/** Returns undefined if one version has no method to call. */
async function loadVersions({
  before,
  now,
  history,
  schema,
}: ReplayedVersions): Promise<readonly [LoadedContract, LoadedContract] | undefined> {
  try {
    const values = wireSettings(schema);
    const kept = history.map(({ compiled }) => compiled);
    return [
      await loadInMemory({ ...before, ...values }),
      await loadInMemory({ ...now, ...values, history: kept }),
    ];
  } catch (err) {
    if (err instanceof NothingToServe) return undefined;
    throw err;
  }
}

function diagnosticOf(finding: ReplayFinding, who: string, model: Model, isDecisive: boolean): Diagnostic {
  const { service, method, verdict, where, message, request } = finding;
  const rule = verdict === "breaks" && isDecisive ? "replay-broke" : "replay-differs";
  const parameters = { who, name: `${service}.${method}`, where, what: message };
  const notes = [{ message: `Sent: ${JSON.stringify(request).slice(0, 300)}` }];
  return diagnose(rule, parameters, placeOf(model, service, method), { notes });
}

/** The location of the method, its service, or the first service if both were removed. */
function placeOf({ services }: Model, service: string, method: string): Location | { readonly path: string } {
  const found = services.find(({ name }) => name === service) ?? services[0];
  return found?.methods.find(({ name }) => name === method)?.at ?? found?.at ?? { path: service };
}

/** Size limit of a recording, in bytes: four times the default limit of a recorder. */
const maxReadBytes = 256 * 1024 * 1024;

/** Reads the calls of a recording; returns a message if the file is invalid. */
export function readRecordingFile(path: string, cwd: string): readonly RecordedCall[] | string {
  const absolute = resolve(cwd, path);
  try {
    if (statSync(absolute).size > maxReadBytes) return `The recording "${path}" is too large.`;
    const recording = readRecording(readFileSync(absolute, "utf8"));
    return "calls" in recording
      ? recording.calls
      : `Line ${recording.badLine} of "${path}" is not a call; expected { "service", "method", "request" }.`;
  } catch (err) {
    return `The recording "${path}" cannot be read: ${systemReason(err)}.`;
  }
}
