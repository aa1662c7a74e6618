/** Bytes of an allocation that several texts share. */
const slabBytes = 64 * 1024;

let slab = Buffer.alloc(0);
let used = 0;

/**
 * A text as UTF-8. Writes into memory that was there before and learns the length from writing, which `Buffer.from` counts first.
 * A slab lives as long as the last answer in it is unsent.
 */
export function textBytes(text: string): Buffer {
  // No character of a text takes more than three bytes.
  const most = text.length * 3;
  if (most > slabBytes) return Buffer.from(text);
  if (used + most > slab.length) {
    slab = Buffer.allocUnsafeSlow(slabBytes);
    used = 0;
  }
  const start = used;
  used += slab.write(text, start);
  return slab.subarray(start, used);
}
