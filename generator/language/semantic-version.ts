/** Versions of contracts, as https://semver.org defines them, with or without "v". Build metadata does not count. */
import type { SemVer } from "semver";
import compareVersions from "semver/functions/compare.js";
import parse from "semver/functions/parse.js";

export type SemanticVersion = SemVer;

export { compareVersions };

export function parseVersion(text: string): SemanticVersion | undefined {
  // `parse` ignores blanks around a version.
  return text.trim() === text ? (parse(text) ?? undefined) : undefined;
}
