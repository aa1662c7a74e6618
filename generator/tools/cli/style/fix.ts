import { type Compilation, compile } from "../../../language/compile.ts";
import type { Fix } from "../../../language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../language/diagnostics/fixes.ts";
import { distinct, tallyOf } from "../../../language/diagnostics/tally.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { Schema } from "../config/schemas.ts";

/** A schema and its compilation. */
export interface CheckedSchema {
  readonly schema: Schema;
  readonly compilation: Compilation;
}

/** A file that was changed by fixes. */
export interface ChangedFile {
  /** Relative to the working directory. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Titles of the fixes, in the order in which they were applied. */
  readonly fixes: readonly string[];
}

export interface FixedSchemas {
  readonly changed: readonly ChangedFile[];
  /** The schemas after the fixes. */
  readonly checked: readonly CheckedSchema[];
}

/**
 * Maximum number of rounds of fixing and compiling. One fix can make another possible, and a name that is misspelt in several files
 * is fixed in one file per round. A schema that needs more rounds needs a second run.
 */
const maxRounds = 50;

/**
 * Applies fixes in memory and compiles again until no fix is left. Reverts a round that increases the number of errors. Skips files that
 * are not UTF-8, because writing them would lose bytes.
 */
export function fixSchemas(schemas: readonly Schema[], reader: SourceReader): FixedSchemas {
  const changed = new Map<string, ChangedFile>();
  let checked = checkAll(schemas, reader);
  for (let round = 0; round < maxRounds; round++) {
    const next = new Map(changed);
    fixOnce(checked, next, reader);
    const after = checkAll(schemas, withOverlay(reader, next));
    if (!isProgress(changed, next) || errorsIn(after) > errorsIn(checked)) break;
    for (const [path, file] of next) changed.set(path, file);
    checked = after;
  }
  return { changed: [...changed.values()], checked };
}

export function checkAll(schemas: readonly Schema[], reader: SourceReader): CheckedSchema[] {
  return schemas.map((schema) => ({ schema, compilation: compile(schema.path, reader, schema) }));
}

function fixOnce(
  checked: readonly CheckedSchema[],
  changed: Map<string, ChangedFile>,
  reader: SourceReader,
): void {
  const diagnostics = distinct(checked.flatMap(({ compilation }) => compilation.diagnostics));
  const { files, applied } = applyFixes(
    diagnostics.filter(({ fix }) => fix !== undefined && isUtf8(fix, reader)),
  );
  for (const { file, text } of files) {
    const earlier = changed.get(file.path);
    const titles = applied.filter((fix) => fix.file.path === file.path).map(({ title }) => title);
    changed.set(file.path, {
      path: file.path,
      before: earlier?.before ?? file.text,
      after: text,
      fixes: [...(earlier?.fixes ?? []), ...titles],
    });
  }
}

function isUtf8({ file }: Fix, reader: SourceReader): boolean {
  if (!file.text.includes("\uFFFD")) return true;
  const read = reader.read(file.path);
  return read.kind === "bytes" && Buffer.from(file.text).equals(read.bytes);
}

function isProgress(
  before: ReadonlyMap<string, ChangedFile>,
  after: ReadonlyMap<string, ChangedFile>,
): boolean {
  return [...after].some(([path, file]) => before.get(path)?.after !== file.after);
}

function errorsIn(checked: readonly CheckedSchema[]): number {
  return tallyOf(distinct(checked.flatMap(({ compilation }) => compilation.diagnostics))).errors;
}

/** Reads changed files from memory. */
function withOverlay(reader: SourceReader, changed: ReadonlyMap<string, ChangedFile>): SourceReader {
  return {
    ...reader,
    read: (path) => {
      const file = changed.get(path);
      return file === undefined ? reader.read(path) : { kind: "bytes", bytes: Buffer.from(file.after) };
    },
  };
}
