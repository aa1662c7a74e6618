/**
 * Whether text that matches a pattern may contain NUL or a lone surrogate. Returns false only for patterns that
 * describe the whole text with ASCII letters, positive character classes and counts. Most patterns do, and their text
 * needs no further check.
 */
export function mayMatchUnstorable(pattern: string): boolean {
  if (!/^\^.*\$$/su.test(pattern)) return true;
  const body = pattern.slice(1, -1);
  // Dots, negated classes, backslashes, assertions and control characters may match more than they seem to. So may
  // ranges that end outside of ASCII.
  if (/[\\^$\p{Cc}\P{ASCII}]|\(\?/u.test(body)) return true;
  if (/[.]/.test(body.replace(/\[[^\]]*\]/g, ""))) return true;
  return hasOuterChoice(body);
}

/** In `^a|b$`, each choice is anchored on one side only. */
function hasOuterChoice(body: string): boolean {
  let depth = 0;
  for (const character of body.replace(/\[[^\]]*\]/g, "")) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}
