import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ir } from "../../generator/explorer/page/schema/ir.ts";

const program = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));

/** The IR of a schema as the explorer gets it. */
export function contractIr(entry: string): Ir {
  return JSON.parse(
    execFileSync(process.execPath, [program, "ir", "--expand", entry], { encoding: "utf8" }),
  ) as Ir;
}
