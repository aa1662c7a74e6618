import type { Part } from "../part.ts";
import { benchVerdicts } from "./verdicts.ts";

/** Signatures: verdicts beside those of the libraries that callers would use instead. */
export const benchChain: Part = benchVerdicts;
