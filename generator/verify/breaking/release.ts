import type { Model } from "../../language/model/model.ts";
import { compareVersions, parseVersion } from "../../language/semantic-version.ts";
import { type Additions, findAdditions } from "./additions.ts";
import { findBreaks } from "./compare.ts";
import type { BreakingFinding } from "./findings.ts";

/** What a version changed for the clients of the version before. */
export interface ContractChanges extends Additions {
  /** Findings of the breaking rules: errors break calls, warnings may affect clients. */
  readonly findings: readonly BreakingFinding[];
}

export function changesBetween(
  before: Model,
  now: Model,
  withoutIgnored: (findings: readonly BreakingFinding[]) => readonly BreakingFinding[] = (findings) =>
    findings,
): ContractChanges {
  const findings = withoutIgnored(findBreaks({ before, now, first: "servers" }));
  const { added, renamed, deprecated } = findAdditions(before, now);
  // A required argument is new too, but what matters is that old clients do not send it.
  const reported = new Set(findings.flatMap(({ items = [] }) => items));
  return { findings, added: added.filter(({ name }) => !reported.has(name)), renamed, deprecated };
}

export type Release = "major" | "minor" | "patch";

/** The part of a version that the changes raise: https://semver.org. */
export function releaseOf({ findings, added, renamed, deprecated }: ContractChanges): Release {
  if (findings.some(({ severity }) => severity === "error")) return "major";
  return findings.length + added.length + renamed.length + deprecated.length > 0 ? "minor" : "patch";
}

/**
 * The lowest version of a release after `before`, with or without "v" as there. Before 1.0.0, breaking changes raise the minor number,
 * and all others the patch number, because package managers treat `^0.2.0` as "below 0.3.0". A pre-release becomes its release.
 */
export function nextVersion(before: string, release: Release): string | undefined {
  const version = parseVersion(before);
  if (version === undefined) return undefined;
  const { major, minor, patch, prerelease } = version;
  const prefix = before.startsWith("v") ? "v" : "";
  if (prerelease.length > 0) return `${prefix}${major}.${minor}.${patch}`;
  const raised = major > 0 ? release : release === "major" ? "minor" : "patch";
  const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  return `${prefix}${next[raised].join(".")}`;
}

/** Whether `version` is high enough for a release after `before`. A pre-release of the next version is. */
export function isHighEnough(version: string, before: string, release: Release): boolean {
  const [own, old, next] = [version, before, nextVersion(before, release) ?? ""].map((text) =>
    parseVersion(text),
  );
  if (own === undefined || old === undefined || next === undefined) return false;
  if (old.prerelease.length > 0) return compareVersions(own, old) > 0;
  return own.compareMain(next) >= 0;
}
