import { posix } from "node:path";
import type { EmittedFile, Options } from "../../options.ts";
import type { Plan } from "../../plan/plan.ts";
import { contractCheck } from "../imports.ts";
import { template } from "../render.ts";
import { header, literal } from "../text.ts";
import ownTemplate from "./explorer.hbs";

interface ExplorerView {
  readonly header: string;
  readonly contractCheck: string;
  /** The files as entries of an object. */
  readonly texts: readonly string[];
}

const print = template<ExplorerView>(ownTemplate);

/** Emits the files of the explorer, and for a server `explorer.ts` with their texts and the function that adds them. */
export function emitExplorer(plan: Plan, { targets, explorer, templates }: Options): readonly EmittedFile[] {
  if (!targets.has("server")) return explorer;
  const texts = explorer.map(({ path, text }) => `${literal(posix.basename(path))}: ${pageLiteral(text)}`);
  const view = { contractCheck, header: header(plan.schemaFile), texts };
  return [...explorer, { path: "explorer.ts", text: print(view, templates.overrides) }];
}

/** Linters report placeholders of template strings in ordinary strings. */
function pageLiteral(text: string): string {
  return literal(text).replaceAll("${", "$\\u007b");
}
