import type { ContractChanges } from "../../../verify/breaking/release.ts";
import type { ChangesJson, FindingJson, HistoryJson } from "./json-types.ts";
import type { ChangesSince, OpenHistory } from "./open.ts";

export function historyJson(
  { schema: { path, project }, folder, current, versions }: OpenHistory,
  since: ChangesSince | undefined,
): HistoryJson {
  return {
    schema: path,
    ...(project === undefined ? {} : { project }),
    folder,
    version: current.ir.version,
    kept: versions.map(({ version, path: file }) => ({ version, path: file })),
    ...(since === undefined
      ? {}
      : { since: { version: since.version, release: since.release, next: since.next } }),
  };
}

export function changesJson({ findings, added, renamed, deprecated }: ContractChanges): ChangesJson {
  const of = (wanted: string): readonly FindingJson[] =>
    findings
      .filter(({ severity }) => severity === wanted)
      .map(({ code, message, isConvertible }) => ({
        code,
        message,
        ...(isConvertible ? { converted: true } : {}),
      }));
  return { breaking: of("error"), warnings: of("warning"), added, renamed, deprecated };
}
