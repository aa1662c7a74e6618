import type { CompiledSchema } from "../compile.ts";
import { literal } from "../emit/text.ts";
import { versionFile } from "../emit/types/index.ts";
import type { IrSchema } from "../ir/schema.ts";
import { hashIr, writeIr } from "../ir/write.ts";
import { buildStruct } from "../model/build.ts";
import type { Plan } from "../plan/plan.ts";
import type { TargetName } from "../plan/targets.ts";
import { TypeNames } from "../plan/type-names.ts";
import type { Before } from "./before.ts";
import { type EditedStruct, editedStructs } from "./edit.ts";
import { planFew, type Surroundings } from "./few.ts";
import { piecesOf } from "./pieces.ts";
import { mayClash, seenOf } from "./seen.ts";

/** What to do in files that stand. */
export interface Retouch {
  /** Files that are written whole, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly patches: readonly Patch[];
  readonly schemaHash: string;
}

/** A text that stands exactly once in one of some files, and what is to stand there instead. */
export interface Patch {
  /** Paths, the likeliest first; one that ends with "/" is a folder. */
  readonly at: readonly string[];
  readonly before: string;
  readonly now: string;
}

export interface RetouchOptions extends Pick<Plan, "schemaFile" | "schemaVersion" | "int64"> {
  /** With what they need. */
  readonly chosen: ReadonlySet<TargetName>;
  readonly ir: IrSchema;
}

/**
 * Brings files in line with an edit of structs that nothing else can see, by printing these structs alone, as they were and as they
 * are. Undefined if the edit is, or may be, one of another kind. `texts` are those that the files were made of, by path.
 */
export function retouch(
  result: CompiledSchema,
  texts: ReadonlyMap<string, string>,
  before: Before,
  { ir, chosen, ...head }: RetouchOptions,
): Retouch | undefined {
  const edited = editedIn(result, texts);
  if (edited === undefined) return undefined;
  const irText = writeIr(ir);
  const schemaHash = hashIr(irText);
  const { model } = result;
  const surroundings: Surroundings = {
    model,
    names: new TypeNames(model),
    before,
    head: { ...head, irText, schemaHash },
  };
  const patches = edited.map((struct) => patchesOf(struct, result, surroundings, chosen));
  if (!patches.every((one) => one !== undefined)) return undefined;
  const files = new Map<string, string>();
  if (chosen.has("types")) {
    const { path, text } = versionFile({ ...head, schemaHash });
    files.set(path, text);
  }
  if (chosen.has("json")) files.set("schema.webrpc.json", irText);
  const hashes = chosen.has("server") ? [hashPatch(before, schemaHash)] : [];
  return { files, patches: [...patches.flat(), ...hashes], schemaHash };
}

/** The edited structs of all files; each must be the one that its name means. */
function editedIn(
  { scope }: CompiledSchema,
  texts: ReadonlyMap<string, string>,
): readonly EditedStruct[] | undefined {
  const files = scope.allFiles();
  if (files.length !== texts.size) return undefined;
  const found: EditedStruct[] = [];
  for (const file of files) {
    const text = texts.get(file.source.path);
    const edited = text === undefined ? undefined : editedStructs(text, file);
    if (edited === undefined) return undefined;
    for (const struct of edited) {
      const meant = scope.typeByName.get(struct.now.node.name.text);
      if (meant?.file !== file || meant.node.span.start !== struct.start) return undefined;
      found.push(struct);
    }
  }
  return found;
}

function patchesOf(
  edited: EditedStruct,
  { scope }: CompiledSchema,
  surroundings: Surroundings,
  chosen: ReadonlySet<TargetName>,
): readonly Patch[] | undefined {
  const [before, now] = [edited.before, edited.now].map(({ node, file }) =>
    planFew(buildStruct(node, file, scope), surroundings),
  );
  if (before === undefined || now === undefined) return undefined;
  if (seenOf(before) !== seenOf(now) || mayClash(before.struct, now.struct)) return undefined;
  const { files } = surroundings.before;
  const old = piecesOf(before, chosen, files);
  return piecesOf(now, chosen, files).map(({ at, text }, index) => ({
    at,
    before: old[index]?.text ?? "",
    now: text,
  }));
}

function hashPatch({ schemaHash, files }: Before, now: string): Patch {
  const line = (hash: string): string => `\n  schemaHash: ${literal(hash)},\n`;
  return { at: [files.recording], before: line(schemaHash), now: line(now) };
}
