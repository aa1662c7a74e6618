import type { Benchmark } from "../benchmark.ts";
import { benchQuotes } from "./quotes.ts";
import { benchServedVerifications } from "./served-verifications.ts";
import { benchVerifications } from "./verifications.ts";

/** Signature verification and swap quotes, compared with the libraries that callers would use otherwise. */
export const benchChain: Benchmark = async (options) => [
  ...(await benchVerifications(options)),
  ...(await benchServedVerifications(options)),
  ...(await benchQuotes(options)),
];
