import type { CompiledSchema } from "../compile.ts";
import { irPath } from "../emit/json/index.ts";
import { literal } from "../emit/text.ts";
import { versionFile } from "../emit/types/index.ts";
import { type IrOptions, irTypeOf } from "../ir/build.ts";
import { filterIr, type IrFilter } from "../ir/filter.ts";
import { hashIr, writeIr, writeIrType } from "../ir/write.ts";
import { Struct } from "../model/declared.ts";
import type { Scope } from "../model/scope.ts";
import type { Plan } from "../plan/plan.ts";
import type { TargetName } from "../plan/targets.ts";
import { TypeNames } from "../plan/type-names.ts";
import type { Before } from "./before.ts";
import { type EditedStruct, editedStructs, type StructSite } from "./edit.ts";
import { planFew, type Surroundings } from "./few.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import { mayClash, seenOf } from "./seen.ts";

/** What to do in files that stand. */
export interface Retouch {
  readonly patches: readonly Patch[];
  /** The text of the IR, or the file that has it once it is patched. */
  readonly ir: { readonly text: string } | { readonly path: string };
  /** What comes to it once all of the IR is known. */
  finish(ir: string | Uint8Array): Finish;
}

export interface Finish extends Pick<Retouch, "patches"> {
  readonly schemaHash: string;
  /** Files that are written whole, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** A text that stands exactly once in one of some files, and what is to stand there instead. */
export interface Patch {
  /** Paths, the likeliest first; one that ends with "/" is a folder. */
  readonly at: readonly string[];
  readonly before: string;
  readonly now: string;
}

export interface RetouchOptions
  extends Pick<Plan, "schemaFile" | "schemaVersion" | "int64" | "timestamps">,
    IrOptions {
  /** With what they need. */
  readonly chosen: ReadonlySet<TargetName>;
  readonly filter: IrFilter;
}

/**
 * Brings files in line with an edit of structs that nothing else can see, by printing these structs alone, as they were and as they
 * are. Undefined if the edit is, or may be, one of another kind. `texts` are those that the files were made of, by path.
 */
export function retouch(
  result: CompiledSchema,
  texts: ReadonlyMap<string, string>,
  before: Before,
  options: RetouchOptions,
): Retouch | undefined {
  const edited = editedIn(result, texts);
  if (edited === undefined) return undefined;
  const { model } = result;
  const surroundings: Surroundings = {
    model,
    names: new TypeNames(model, options.timestamps),
    before,
    head: options,
  };
  const patches = edited.map((struct) => patchesOf(struct, result, surroundings, options));
  if (!patches.every((one) => one !== undefined)) return undefined;
  const { chosen, filter } = options;
  return {
    patches: patches.flat(),
    ir: chosen.has("json") ? { path: irPath } : { text: writeIr(filterIr(result.ir, filter)) },
    finish: (ir) => {
      const schemaHash = hashIr(ir);
      const version = versionFile({ ...options, schemaHash });
      return {
        schemaHash,
        files: new Map(chosen.has("types") ? [[version.path, version.text]] : []),
        patches: chosen.has("server") ? [hashPatch(before, schemaHash)] : [],
      };
    },
  };
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
  { chosen, hashParity = false }: RetouchOptions,
): readonly Patch[] | undefined {
  const [before, now] = [edited.before, edited.now].map(({ node, file }) =>
    planFew(new Struct(node, file, scope), surroundings),
  );
  if (before === undefined || now === undefined) return undefined;
  if (seenOf(before, chosen) !== seenOf(now, chosen) || mayClash(before.struct, now.struct)) return undefined;
  const { files } = surroundings.before;
  const [old, fresh] = [before, now].map((few, index) => [
    ...piecesOf(few, chosen, files),
    ...(chosen.has("json") ? [irPiece(index === 0 ? edited.before : edited.now, scope, hashParity)] : []),
  ]);
  return fresh?.map(({ at, text }, index) => ({ at, before: old?.[index]?.text ?? "", now: text }));
}

function irPiece(site: StructSite, scope: Scope, hashParity: boolean): Piece {
  return { at: [irPath], text: writeIrType(irTypeOf(site, scope, { hashParity })) };
}

function hashPatch({ schemaHash, files }: Before, now: string): Patch {
  const line = (hash: string): string => `\n  schemaHash: ${literal(hash)},\n`;
  return { at: [files.recording], before: line(schemaHash), now: line(now) };
}
