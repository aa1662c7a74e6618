import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { makeFolder } from "./folders.ts";

/** Writes a temporary file and renames it. Creates missing folders. Returns the reason if it fails. */
export function writeFileAtomically(cwd: string, path: string, text: string): string | undefined {
  const target = resolve(cwd, path);
  const temporary = `${target}.${process.pid}.ridlkit-tmp`;
  try {
    makeFolder(dirname(target));
  } catch (err) {
    return writeReason(err);
  }
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, target);
    return undefined;
  } catch (err) {
    rmSync(temporary, { force: true });
    return writeReason(err);
  }
}
