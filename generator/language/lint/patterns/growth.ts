import { isPlainlyLinear } from "./linear.ts";

/** How the matching time grows with the length of the input, and an input that shows it. */
export interface Growth {
  /** `exponential`, or `2nd degree polynomial`. */
  readonly kind: string;
  /** As JavaScript: `'a'.repeat(31) + '\x00'`. */
  readonly attack: string;
}

/** Time limit per pattern in milliseconds. Safe patterns take up to 700. Undecided patterns pass. */
const defaultTimeoutMs = 2_000;

/**
 * The growth of a slow pattern; undefined if the pattern is fast, is invalid, or could not be checked in time. Most patterns are
 * recognised as fast without recheck, which takes 200 ms to load and is imported on first use.
 */
export async function growthOf(
  pattern: string,
  timeoutMs: number = defaultTimeoutMs,
): Promise<Growth | undefined> {
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
