/**
 * Whether text that matches a pattern may hold NUL or a lone surrogate. "No" only where it is plain: the whole text is spelt out, by
 * ASCII letters, classes that list what they take, and counts. Most patterns of a contract are such, and their text need not be
 * searched.
 */
export function mayMatchUnstorable(pattern: string): boolean {
  if (!/^\^.*\$$/su.test(pattern)) return true;
  const body = pattern.slice(1, -1);
  // A dot, a negated class, any backslash, an assertion or a control character may let more through than it seems; so may a range that
  // ends outside of ASCII.
  if (/[\\^$\p{Cc}\P{ASCII}]|\(\?/u.test(body)) return true;
  if (/[.]/.test(body.replace(/\[[^\]]*\]/g, ""))) return true;
  return hasOuterChoice(body);
}

/** `^a|b$` anchors each of its choices on one side only. */
function hasOuterChoice(body: string): boolean {
  let depth = 0;
  for (const character of body.replace(/\[[^\]]*\]/g, "")) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}
