import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { EmittedFile } from "../../generator/codegen/emit/emitter.ts";

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
const runtime = fileURLToPath(new URL("../../generator/codegen/runtime/", import.meta.url));

/**
 * Compares what is emitted with `test/fixtures/<name>/generated/`, which the tests import and the compiler checks. A missing file is
 * written, `vitest -u` writes them all anew. They import the one runtime of this repository instead of a copy of their own.
 */
export async function expectCheckedIn(
  name: string,
  files: readonly EmittedFile[],
  folder = "generated",
): Promise<void> {
  for (const { path, text } of files) {
    const target = `${fixtures}${name}/${folder}/${path}`;
    const toRuntime = relative(dirname(target), runtime).replaceAll("\\", "/");
    const linked = text.replaceAll(/"(\.\/|(\.\.\/)+)runtime\//g, `"${toRuntime}/`);
    await expect(linked).toMatchFileSnapshot(target);
  }
}
