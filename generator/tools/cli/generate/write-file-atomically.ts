import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { systemReason } from "../files/reader.ts";

/** Writes a file beside its place and moves it there, with the folders that it needs. Answers why it could not be done. */
export function writeFileAtomically(cwd: string, path: string, text: string): string | undefined {
  const target = resolve(cwd, path);
  const temporary = `${target}.${process.pid}.ridlkit-tmp`;
  try {
    mkdirSync(dirname(target), { recursive: true });
  } catch (err) {
    return systemReason(err);
  }
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, target);
    return undefined;
  } catch (err) {
    rmSync(temporary, { force: true });
    return systemReason(err);
  }
}
