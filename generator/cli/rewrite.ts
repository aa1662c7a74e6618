import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { systemReason } from "./reader.ts";

/** Why a file could not be written, and which. */
export interface RewriteFault {
  readonly path: string;
  readonly reason: string;
}

/**
 * Replaces the texts of files, keeping their modes and the links that lead to them. All new texts are written beside their places
 * first and moved there only then, so that a full disk leaves every file as it was.
 */
export function rewriteFiles(
  cwd: string,
  files: readonly { readonly path: string; readonly text: string }[],
): RewriteFault | undefined {
  const written: { readonly from: string; readonly to: string }[] = [];
  let at = "";
  try {
    for (const { path, text } of files) {
      at = path;
      const to = realpathSync(resolve(cwd, path));
      const from = `${to}.${process.pid}.ridlkit-tmp`;
      written.push({ from, to });
      writeFileSync(from, text, { mode: statSync(to).mode });
    }
    for (const { from, to } of written) renameSync(from, to);
    return undefined;
  } catch (err) {
    for (const { from } of written) rmSync(from, { force: true });
    return { path: at, reason: systemReason(err) };
  }
}
