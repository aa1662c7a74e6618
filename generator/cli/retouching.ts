import { posix } from "node:path";
import type { CompiledSchema } from "../compile.ts";
import { tallyOf } from "../diagnostics/tally.ts";
import type { Retouch } from "../retouch/retouch.ts";
import { manifestName, readManifest, writeManifest } from "../write/manifest.ts";
import { FolderLock } from "./folder-lock.ts";
import { type GenerationCall, type Job, whyOutdated } from "./generation.ts";
import { type Kept, keptPath, readKept, writeKept } from "./kept.ts";
import type { Made, Reading } from "./making.ts";
import type { Rewrite } from "./output-folder.ts";
import { Standing } from "./standing.ts";
import { cannotWrite, type Written } from "./write-folders.ts";

/** Most texts that are put in the place of others, each at the cost of copying its file; an edited struct has about seven. */
const maxPatches = 100;

/**
 * Brings a folder in line by printing only what was edited, where what is kept of the generation that stands there says that this is
 * all. Undefined where it is not, or may not be: then nothing was written.
 */
export async function retouched(
  { job, result, basis, diagnostics }: Reading,
  call: GenerationCall,
): Promise<Written | undefined> {
  const path = keptPath(call.cwd, job.folder.realRoot());
  if (path === undefined || result === undefined || !isRetouchable(job, call)) return undefined;
  if (tallyOf(diagnostics).errors > 0) return undefined;
  const manifestText = job.folder.readText(manifestName);
  const kept = readKept(path);
  if (kept === undefined || kept.manifest !== manifestText) return undefined;
  if (JSON.stringify(kept.basis) !== JSON.stringify(job.basis)) return undefined;
  const todo = await retouchOf(result, kept, job);
  if (todo === undefined || todo.patches.length > maxPatches) return undefined;
  const lock = await FolderLock.take(job.folder.root);
  if (!(lock instanceof FolderLock)) return { faults: [cannotWrite(lock)], changes: [] };
  try {
    const manifest = readManifest(manifestText);
    if (job.folder.readText(manifestName) !== manifestText) return undefined;
    const standing = new Standing(job.folder, manifest);
    const schemaHash = carriedOut(todo, standing);
    if (schemaHash === undefined || !standing.isAsWritten()) return undefined;
    const changed = standing.changed();
    const hashes = Object.fromEntries(changed.map(({ path: file, hash }) => [file, hash]));
    const next = writeManifest({ ...basis, files: { ...manifest.files, ...hashes } });
    const changes = changed.map(({ path: file, text }): Rewrite => ({ kind: "change", path: file, text }));
    const journal = writeManifest({ ...manifest, next: hashes });
    const fault = job.folder.apply({ changes, manifest: next, journal });
    if (fault !== undefined) return { faults: [cannotWrite(fault)], changes: [] };
    const before = { ...kept.before, schemaHash };
    writeKept(path, { manifest: next, basis: job.basis, before, texts: textsOf(result) });
    const all = Object.keys(manifest.files).map(
      (file) => ({ kind: hashes[file] === undefined ? "same" : "change", path: file }) as const,
    );
    return { faults: diagnostics, changes: [all] };
  } finally {
    lock.release();
  }
}

/** Whether nothing but a schema's text is another one, and what is generated is made of the structs of that text alone. */
function isRetouchable(job: Job, { reader }: GenerationCall): boolean {
  const causes = whyOutdated(job, reader);
  if (causes.length !== 1 || causes[0]?.kind !== "stale") return false;
  return canBeKept(job);
}

/** An OpenAPI document and users' templates are made of the whole plan, and a shaken tree of what is used. */
function canBeKept({ templates, targets, schema }: Job): boolean {
  return templates === undefined && !targets.includes("openapi") && schema.filter.methodTreeShake !== true;
}

async function retouchOf(result: CompiledSchema, kept: Kept, { schema, targets, int64, timestamps }: Job) {
  const [{ retouch }, { readBefore }, { chosenTargets }] = await Promise.all([
    import("../retouch/retouch.ts"),
    import("../retouch/before.ts"),
    import("../printing.ts"),
  ]);
  const { filter } = schema;
  return retouch(result, kept.texts, readBefore(kept.before), {
    schemaFile: posix.basename(schema.path),
    schemaVersion: filter.schemaVersion ?? result.model.version,
    int64,
    timestamps,
    chosen: chosenTargets(targets, { int64, timestamps }),
    filter,
    hashParity: schema.hashParity,
  });
}

/** The hash of the IR as it is now; undefined if some text has not its one place. */
function carriedOut({ patches, ir, finish }: Retouch, standing: Standing): string | undefined {
  if (!patches.every((patch) => standing.patch(patch))) return undefined;
  const irText = "path" in ir ? standing.content(ir.path) : ir.text;
  if (irText === undefined) return undefined;
  const last = finish(irText);
  const isDone =
    last.patches.every((patch) => standing.patch(patch)) &&
    [...last.files].every(([path, text]) => standing.write(path, text));
  return isDone ? last.schemaHash : undefined;
}

/** Keeps what the next run may need of a generation that was made whole, and is written. */
export async function keep({ plan }: Made, { job, result }: Reading, cwd: string): Promise<void> {
  const path = keptPath(cwd, job.folder.realRoot());
  const manifest = job.folder.readText(manifestName);
  if (path === undefined || plan === undefined || result === undefined || manifest === undefined) return;
  if (!canBeKept(job)) return;
  const [{ keepBefore }, { chosenTargets }] = await Promise.all([
    import("../retouch/before.ts"),
    import("../printing.ts"),
  ]);
  writeKept(path, {
    manifest,
    basis: job.basis,
    before: keepBefore(plan, chosenTargets(job.targets, plan)),
    texts: textsOf(result),
  });
}

function textsOf({ scope }: CompiledSchema): ReadonlyMap<string, string> {
  return new Map(scope.allFiles().map(({ source }) => [source.path, source.text]));
}
