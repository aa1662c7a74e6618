import { join, resolve } from "node:path";
import type { Finish, Generated } from "../dev/session.ts";
import { tallyOf } from "../diagnostics/tally.ts";
import { exitCode } from "./exit-code.ts";
import { FolderLock } from "./folder-lock.ts";
import { damageIn, type Job, jobOf, pathFrom, whyOutdated } from "./generation.ts";
import { begin, finish, type Making, told } from "./making.ts";
import { reportFindings } from "./report.ts";
import type { Schema } from "./schemas.ts";
import type { Call } from "./verb.ts";
import { generate } from "./verbs/generate.ts";
import { writeFolders } from "./write-folders.ts";

type Ahead = Omit<Generated, "written">;

type AheadCall = Omit<Call, "options">;

/**
 * Generates, and leaves for later what no server runs, and all writing: renames take a disk longer than all the printing. Where more
 * than texts of files changes, everything is written at once. Undefined if there are faults, which are told.
 */
export async function generateAhead(schema: Schema, call: AheadCall): Promise<Ahead | undefined> {
  const job = jobOf(schema, { ...call, options: {} });
  return onlySchemaChanged(job, call) ? await ahead(job, call) : writtenAtOnce(job, call);
}

function onlySchemaChanged(job: Job, { reader }: AheadCall): boolean {
  const causes = whyOutdated(job, reader);
  if (causes.length !== 1 || causes[0]?.kind !== "stale") return false;
  return damageIn(job).length === 0 && !FolderLock.isTaken(job.folder.root);
}

async function writtenAtOnce({ folder }: Job, call: AheadCall): Promise<Ahead | undefined> {
  if ((await generate.run({ ...call, options: {} })) !== exitCode.ok) return undefined;
  const { inputs, files } = folder.manifest();
  const { isLate } = await import("../printing.ts");
  // As they are now: a version may ask for one after the next generation is on disk.
  const late = new Map(
    Object.keys(files)
      .filter(isLate)
      .map((path) => [join(folder.root, path), folder.readText(path)]),
  );
  return {
    schemas: absolute(inputs, folder.root),
    texts: new Map(),
    late: { has: (path) => late.has(path), read: (path) => late.get(path), prepare: () => {} },
    isMade: () => true,
    finish: async () => "written",
  };
}

async function ahead(job: Job, call: AheadCall): Promise<Ahead | undefined> {
  const making = await begin(job, { ...call, options: {} });
  const { value: served, faults } = await told(() => making.printing?.served());
  const found = [...making.diagnostics, ...faults];
  if (served === undefined || tallyOf(found).errors > 0) {
    await reportFindings(call.report, found);
    return undefined;
  }
  const { isLate } = await import("../printing.ts");
  const { folder, manifest } = job;
  // The bundler finds no file that is not there.
  if ([...served.keys()].some((path) => manifest.files[path] === undefined)) return writtenAtOnce(job, call);
  const changed = [...served].filter(([path, text]) => folder.hashOf(path, text) !== manifest.files[path]);
  await reportFindings(call.report, found);
  const made = new Set([...served.keys()].map((path) => join(folder.root, path)));
  const runtime = join(folder.root, "runtime/");
  return {
    schemas: absolute(making.basis.inputs, folder.root),
    texts: new Map(changed.map(([path, text]) => [join(folder.root, path), text])),
    late: {
      has: (path) => isLate(pathFrom(folder.root, path)),
      read: (path) => making.printing?.late(pathFrom(folder.root, path)),
      prepare: () => making.printing?.prepareLate(),
    },
    isMade: (path) => made.has(path) || path.startsWith(runtime),
    finish: (isOutdated) => finishLater(making, { job, call, isOutdated }),
  };
}

async function finishLater(
  making: Making,
  {
    job,
    call,
    isOutdated,
  }: { readonly job: Job; readonly call: AheadCall; readonly isOutdated: () => boolean },
): Promise<Finish> {
  for (let isLeft = true; isLeft; ) {
    // Calls are answered between two steps, and changes of files are noticed.
    await new Promise((done) => setImmediate(done));
    if (isOutdated()) return "outdated";
    isLeft = (await told(() => making.printing?.next())).value ?? false;
  }
  const { output, diagnostics } = await finish({ ...making, diagnostics: [] }, job);
  const faults = [...diagnostics];
  if (faults.length === 0) faults.push(...(await writeFolders([output], false)).faults);
  await reportFindings(call.report, faults);
  return tallyOf(faults).errors > 0 ? "refused" : "written";
}

function absolute(inputs: object, root: string): readonly string[] {
  return Object.keys(inputs).map((path) => resolve(root, path));
}
