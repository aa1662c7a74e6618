/** A version such as `v1.2.3-rc.1+build`, with or without `v`. Build metadata does not count: https://semver.org, section 10. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Empty for a release. */
  readonly preRelease: readonly string[];
}

const number = "(0|[1-9][0-9]{0,14})";
const identifiers = "[0-9A-Za-z-]+(?:[.][0-9A-Za-z-]+)*";
const pattern = new RegExp(
  `^v?${number}[.]${number}[.]${number}(?:-(${identifiers}))?(?:[+]${identifiers})?$`,
);

export function parseVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, preRelease] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  const parts = preRelease?.split(".") ?? [];
  if (parts.some((part) => /^0[0-9]+$/.test(part))) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), preRelease: parts };
}

/** Negative if `a` precedes `b`: https://semver.org, section 11. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePreReleases(a.preRelease, b.preRelease)
  );
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  // A release follows all its pre-releases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return compareIdentifiers(part, other);
  }
  return a.length - b.length;
}

/** Numbers precede texts. */
function compareIdentifiers(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => /^[0-9]+$/.test(text));
  if (first && second) return a.length - b.length || (a < b ? -1 : 1);
  if (first !== second) return first ? -1 : 1;
  return a < b ? -1 : 1;
}
