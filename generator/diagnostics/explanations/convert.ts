import type { convert as codes } from "../catalog/convert.ts";
import type { Explanations } from "./explanation.ts";

export const convert: Explanations<keyof typeof codes> = {};
