import { format } from "../../generator/language/ridl/format.ts";
import { SourceFile } from "../../generator/language/source/source-file.ts";
import { answerOurselves } from "../support/compare.ts";
import type { Files } from "../support/memory-reader.ts";
import type { Random } from "../support/random.ts";
import type { ReferenceRequest } from "../support/reference.ts";
import { mutate } from "./mutate.ts";
import { randomSchema } from "./random-schema.ts";

export interface PrintTally {
  /** Files that were formatted, were skipped as invalid, or were skipped because text would be lost. */
  formatted: number;
  faulty: number;
  refused: number;
  /** Schemas that formatting changed, and whose IR and hash were compared. */
  compared: number;
}

/**
 * Checks the invariants of formatting for the files of a schema; undefined if they hold. Formatting again must
 * change nothing, and the schema's IR and hash must stay the same.
 */
export function complaintAboutPrinting(request: ReferenceRequest, tally: PrintTally): string | undefined {
  const printed: Record<string, string> = {};
  for (const [path, text] of Object.entries(request.files)) {
    printed[path] = text;
    // The mark makes a schema invalid, and formatting removes it.
    if (!path.endsWith(".ridl") || text.startsWith("\uFEFF")) continue;
    const once = format(new SourceFile(path, text));
    if (once.text === undefined) {
      const codes = new Set(once.diagnostics.map(({ name }) => name));
      // The reference tool reads the text after a "#" in a string as a comment, which moves with its line.
      if (codes.has("format-changes") && !codes.has("hash-in-string"))
        return `${path}: formatting would change the IR`;
      if (codes.has("format-loses") || codes.has("format-changes")) tally.refused++;
      else tally.faulty++;
      continue;
    }
    tally.formatted++;
    printed[path] = once.text;
    const twice = format(new SourceFile(path, once.text));
    if (twice.text !== once.text)
      return `${path} is no fixed point:\n${once.text}\n---- becomes\n${twice.text ?? twice.diagnostics[0]?.message}`;
  }
  if (Object.entries(request.files).every(([path, text]) => printed[path] === text)) return undefined;
  const before = answerOurselves(request);
  const after = answerOurselves({ ...request, files: printed });
  if (before.verdict === "ok" || after.verdict === "ok") tally.compared++;
  const isSame =
    before.verdict === "ok" && after.verdict === "ok"
      ? before.ir === after.ir && before.hash === after.hash
      : before.verdict === after.verdict;
  return isSame ? undefined : `${request.path}: the IR is another one: ${JSON.stringify(printed)}`;
}

/** Random schemas, and members of the corpus with up to three small changes. */
export function* randomSchemas(
  random: Random,
  corpus: readonly ReferenceRequest[],
  count: number,
): Generator<ReferenceRequest> {
  for (let index = 0; index < count; index++) {
    const request: ReferenceRequest = random.chance(50)
      ? { kind: "ridl", ...randomSchema(random) }
      : random.pick(corpus);
    yield random.chance(50) ? request : { ...request, files: changed(random, request.files) };
  }
}

function changed(random: Random, files: Files): Files {
  const paths = Object.keys(files);
  const result: Record<string, string> = { ...files };
  for (let times = 1 + random.below(3); times > 0; times--) {
    const path = random.pick(paths);
    result[path] = mutate(random, result[path] ?? "");
  }
  return result;
}
