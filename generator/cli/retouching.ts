import type { CompiledSchema } from "../compile.ts";
import { tallyOf } from "../diagnostics/tally.ts";
import type { Patch, Retouch } from "../retouch/retouch.ts";
import { hashOf, type Manifest, manifestName, readManifest, writeManifest } from "../write/manifest.ts";
import { FolderLock } from "./folder-lock.ts";
import { type GenerationCall, type Job, whyOutdated } from "./generation.ts";
import { type Kept, keptPath, readKept, writeKept } from "./kept.ts";
import type { Made, Reading } from "./making.ts";
import type { OutputFolder, Rewrite } from "./output-folder.ts";
import { cannotWrite, type Written } from "./write-folders.ts";

/** Most structs that are brought in line by themselves: beyond that all is printed as quickly. */
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
    const contents = contentsOf(todo, job.folder, manifest);
    if (contents === undefined) return undefined;
    const hashes = Object.fromEntries([...contents].map(([file, content]) => [file, hashOf(content)]));
    const next = writeManifest({ ...basis, files: { ...manifest.files, ...hashes } });
    const changes = [...contents].map(([file, text]): Rewrite => ({ kind: "change", path: file, text }));
    const journal = writeManifest({ ...manifest, next: hashes });
    const fault = job.folder.apply({ changes, manifest: next, journal });
    if (fault !== undefined) return { faults: [cannotWrite(fault)], changes: [] };
    const before = { ...kept.before, schemaHash: todo.schemaHash };
    writeKept(path, { manifest: next, basis: job.basis, before, texts: textsOf(result) });
    const all = Object.keys(manifest.files).map(
      (file) => ({ kind: contents.has(file) ? "change" : "same", path: file }) as const,
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

async function retouchOf(result: CompiledSchema, kept: Kept, { schema, targets, int64 }: Job) {
  const [{ retouch }, { readBefore }, { chosenTargets }, { filterIr }, { posix }] = await Promise.all([
    import("../retouch/retouch.ts"),
    import("../retouch/before.ts"),
    import("../printing.ts"),
    import("../ir/filter.ts"),
    import("node:path"),
  ]);
  const { filter } = schema;
  return retouch(result, kept.texts, readBefore(kept.before), {
    schemaFile: posix.basename(schema.path),
    schemaVersion: filter.schemaVersion ?? result.model.version,
    int64,
    chosen: chosenTargets(targets, { int64 }),
    ir: filterIr(result.ir, filter),
  });
}

/** New contents by path. Undefined unless all files stand as they were written and each patch has its one place. */
function contentsOf(
  { files, patches }: Retouch,
  folder: OutputFolder,
  manifest: Manifest,
): ReadonlyMap<string, Uint8Array> | undefined {
  const contents = new Map<string, Uint8Array>();
  for (const patch of patches) {
    if (patch.before === patch.now) continue;
    if (!applyPatch(patch, contents, folder, manifest)) return undefined;
  }
  for (const [path, text] of files) {
    if (manifest.files[path] === undefined || folder.plainFile(path) === undefined) return undefined;
    contents.set(path, Buffer.from(text));
  }
  const areOthersAsWritten = Object.entries(manifest.files).every(
    ([path, hash]) => contents.has(path) || folder.isFileOf(path, hash) === true,
  );
  if (!areOthersAsWritten) return undefined;
  for (const [path, content] of contents) if (hashOf(content) === manifest.files[path]) contents.delete(path);
  return contents;
}

function applyPatch(
  { at, before, now }: Patch,
  contents: Map<string, Uint8Array>,
  folder: OutputFolder,
  manifest: Manifest,
): boolean {
  const old = Buffer.from(before);
  for (const path of filesAt(at, manifest)) {
    const content = contents.get(path) ?? asWritten(path, folder, manifest);
    if (content === undefined) return false;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const place = bytes.indexOf(old);
    if (place === -1) continue;
    if (bytes.indexOf(old, place + 1) !== -1) return false;
    const rest = bytes.subarray(place + old.length);
    contents.set(path, Buffer.concat([bytes.subarray(0, place), Buffer.from(now), rest]));
    return true;
  }
  return false;
}

function filesAt(at: readonly string[], { files }: Manifest): readonly string[] {
  const found = at.flatMap((path) =>
    path.endsWith("/") ? Object.keys(files).filter((file) => file.startsWith(path)) : [path],
  );
  return [...new Set(found)].filter((path) => files[path] !== undefined);
}

function asWritten(path: string, folder: OutputFolder, { files }: Manifest): Uint8Array | undefined {
  const content = folder.plainFile(path);
  return content !== undefined && hashOf(content) === files[path] ? content : undefined;
}

/** Keeps what the next run may need of a generation that was made whole, and is written. */
export async function keep({ plan }: Made, { job, result }: Reading, cwd: string): Promise<void> {
  const path = keptPath(cwd, job.folder.realRoot());
  const manifest = job.folder.readText(manifestName);
  if (path === undefined || plan === undefined || result === undefined || manifest === undefined) return;
  if (!canBeKept(job)) return;
  const { keepBefore } = await import("../retouch/before.ts");
  writeKept(path, { manifest, basis: job.basis, before: keepBefore(plan), texts: textsOf(result) });
}

function textsOf({ scope }: CompiledSchema): ReadonlyMap<string, string> {
  return new Map(scope.allFiles().map(({ source }) => [source.path, source.text]));
}
