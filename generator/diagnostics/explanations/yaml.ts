import type { yaml as codes } from "../catalog/yaml.ts";
import type { Explanations } from "./explanation.ts";

export const yaml: Explanations<keyof typeof codes> = {};
