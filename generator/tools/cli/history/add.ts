import { posix } from "node:path";
import { type Diagnostic, diagnose, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import { keptSuffix } from "../../../language/history-files.ts";
import { writeIr } from "../../../language/ir/write.ts";
import { parseVersion } from "../../../language/semantic-version.ts";
import { isHighEnough } from "../../../verify/breaking/release.ts";
import { writeFileAtomically } from "../generate/write-file-atomically.ts";
import type { ChangesSince, OpenHistory } from "./open.ts";

export interface AddResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the version was rejected. */
  readonly state?: "added" | "unchanged";
  readonly path: string;
}

/** Keeps the contract of the schema under its version. Never changes a kept version. */
export function addVersion(history: OpenHistory, since: ChangesSince | undefined, cwd: string): AddResult {
  const { current, folder, versions, schema } = history;
  const { version } = current.ir;
  const path = posix.join(folder, `${version}${keptSuffix}`);
  const kept = versions.find(({ isCurrent }) => isCurrent);
  if (kept !== undefined)
    return since === undefined
      ? { diagnostics: [], state: "unchanged", path: kept.path }
      : { diagnostics: [differing(since, history)], path: kept.path };
  if (parseVersion(version) === undefined)
    return { diagnostics: [diagnose("history-version", { version }, current.at)], path };
  const low = tooLow(since, history);
  const diagnostics = low === undefined ? [] : [schema.strict ? underStrict(low) : low];
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics, path };
  const reason = writeFileAtomically(cwd, path, writeIr(current.ir));
  if (reason !== undefined)
    return { diagnostics: [diagnose("cannot-write", { path, reason }, { path })], path };
  return { diagnostics, state: "added", path };
}

/** A warning elsewhere, because the schema may be between two versions. */
function differing({ version, next }: ChangesSince, { current }: OpenHistory): Diagnostic {
  const advice = `Set the version of the schema to ${next} or higher: clients with ${version} rely on its contract.`;
  return underStrict(diagnose("history-contract-differs", { version }, current.at, { advice }));
}

function tooLow(since: ChangesSince | undefined, { current }: OpenHistory): Diagnostic | undefined {
  const { version } = current.ir;
  if (since === undefined || isHighEnough(version, since.version, since.release)) return undefined;
  const { next, version: before, release } = since;
  const changes = release === "major" ? "breaking changes" : "additions";
  return diagnose("history-version-low", { version, before, changes, next }, current.at);
}
