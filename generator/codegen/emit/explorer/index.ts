import { posix } from "node:path";
import type { Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { contractExport } from "../imports.ts";
import { type Overrides, template } from "../render.ts";
import { header, literal } from "../text.ts";
import ownTemplate from "./explorer.hbs";

const print = template<object>(ownTemplate);

/** Emits `explorer.ts`: the files of the explorer as text, and the function that adds them to a server. */
export function emitExplorer(
  plan: Plan,
  files: readonly EmittedFile[],
  overrides?: Overrides,
): readonly EmittedFile[] {
  const texts = files.map(({ path, text }) => `${literal(posix.basename(path))}: ${literal(text)}`);
  return [
    {
      path: "explorer.ts",
      text: print({ contractExport, firstLine: header(plan.schemaFile), texts }, overrides),
    },
  ];
}
