import { setFlagsFromString } from "node:v8";

/** V8's own figure for 64 bits: at each growth the young generation doubles, up to 32 MiB. */
const growthFactor = 2;

/**
 * Holds V8's young generation at its present size until it is told to let go. What a host allocates while it starts lives as
 * long as the host: a young generation that grew by it (to 32 MiB) would be kept, empty, by a host that nobody calls yet. Under
 * load it then grows as ever.
 */
export function holdYoungGeneration(): () => void {
  setFlagsFromString("--semi-space-growth-factor=1");
  return () => setFlagsFromString(`--semi-space-growth-factor=${growthFactor}`);
}
