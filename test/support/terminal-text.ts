/** Everything that can move the cursor, color, reverse, hide or end a line: C0, C1, DEL, bidirectional and invisible characters, tags. */
export const hostileText =
  "a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\u007fe\rf\bg\u202eh\u202ai\u2066j\u200ek\u200fl\u061cm\u2028n\u2029o\u200bp\ufeffq\u{e0041}r\u00ads\u3164t";

const unsafe =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The code points of a program's output that a terminal obeys, or does not show. */
export function unsafeIn(output: string): readonly string[] {
  return [...new Set(output.match(unsafe))].map((found) => `U+${found.codePointAt(0)?.toString(16)}`);
}
