import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { systemReason } from "./reader.ts";

/**
 * Writes a new text beside an existing file and moves it there, so that nobody ever sees half of it. Mode and links stay as they
 * are; a file that may not be written is left alone. Answers why it could not be done.
 */
export function replaceFile(path: string, text: string): string | undefined {
  let temporary: string | undefined;
  try {
    const target = realpathSync(path);
    accessSync(target, constants.W_OK);
    const { mode } = statSync(target);
    temporary = `${target}.${process.pid}.ridlkit-tmp`;
    writeFileSync(temporary, text);
    chmodSync(temporary, mode);
    renameSync(temporary, target);
    return undefined;
  } catch (err) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    return systemReason(err);
  }
}
