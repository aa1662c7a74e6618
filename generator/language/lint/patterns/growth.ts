import { isPlainlyLinear } from "./linear.ts";

/** How the time of a match grows with the text, and a text that shows it. */
export interface Growth {
  /** `exponential`, or `2nd degree polynomial`. */
  readonly kind: string;
  /** As JavaScript: `'a'.repeat(31) + '\x00'`. */
  readonly attack: string;
}

/** Longest look at one pattern, in milliseconds: good ones take up to 700. What is not known then passes. */
const timeoutMs = 2_000;

/**
 * How much longer than its text a pattern may take; undefined if it is fast, is none, or could not be judged in time. Those that
 * are plainly fast cost nothing; the checker for the others takes 200 ms to load, so it is loaded when it is first needed.
 */
export async function growthOf(pattern: string): Promise<Growth | undefined> {
  if (isPlainlyLinear(pattern) || !isPattern(pattern)) return undefined;
  const { default: recheck } = await import("recheck/lib/browser.js");
  const result = recheck.checkSync(pattern, "u", { timeout: timeoutMs });
  if (result.status !== "vulnerable") return undefined;
  return { kind: result.complexity.summary, attack: result.attack.pattern };
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
