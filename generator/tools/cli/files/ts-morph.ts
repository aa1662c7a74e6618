import { createRequire } from "node:module";
import type { TsMorph } from "../../../handlers/index/handler-index.ts";

/** Loads ts-morph. `require` takes half the time of `import`, which first searches the compiler's ten megabytes for exports. */
export function loadTsMorph(): TsMorph {
  return createRequire(import.meta.url)("ts-morph") as TsMorph;
}
