import { type Compilation, compile } from "../../../language/compile.ts";
import type { Fix } from "../../../language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../language/diagnostics/fixes.ts";
import { distinct, tallyOf } from "../../../language/diagnostics/tally.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import type { Schema } from "../config/schemas.ts";

/** A schema and what became of it. */
export interface CheckedSchema {
  readonly schema: Schema;
  readonly compilation: Compilation;
}

/** A file that fixes change. */
export interface ChangedFile {
  /** From the working directory. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Titles of the fixes, in the order in which they were made. */
  readonly fixes: readonly string[];
}

export interface FixedSchemas {
  readonly changed: readonly ChangedFile[];
  /** As the schemas are after the fixes. */
  readonly checked: readonly CheckedSchema[];
}

/**
 * Rounds of fixing and looking again. One fix can make room for the next, and a name that is misspelt in several files is mended
 * file by file; a schema that needs more is finished by a second run.
 */
const maxRounds = 50;

/**
 * Carries out the fixes of schemas in memory, and those of what is found then, until there are no more. A round after which there
 * are more errors than before is taken back. A file that is not UTF-8 is left alone, because writing it would lose its other bytes.
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

/** Reads changed files as they would be. */
function withOverlay(reader: SourceReader, changed: ReadonlyMap<string, ChangedFile>): SourceReader {
  return {
    ...reader,
    read: (path) => {
      const file = changed.get(path);
      return file === undefined ? reader.read(path) : { kind: "bytes", bytes: Buffer.from(file.after) };
    },
  };
}
