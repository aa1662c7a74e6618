import type { Part } from "../part.ts";
import { benchQuotes } from "./quotes.ts";
import { benchServed } from "./served.ts";
import { benchVerdicts } from "./verdicts.ts";

/** Verdicts on signatures and quotes of swaps, beside the libraries that callers would use instead. */
export const benchChain: Part = async (options) => [
  ...(await benchVerdicts(options)),
  ...(await benchServed(options)),
  ...(await benchQuotes(options)),
];
