import type { style as codes } from "../catalog/style.ts";
import type { Explanations } from "./explanation.ts";

export const style: Explanations<keyof typeof codes> = {};
