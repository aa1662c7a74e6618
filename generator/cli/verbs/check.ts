import { posix } from "node:path";
import { orphansIn } from "../../check/orphans.ts";
import type { Cause, Damage } from "../../check/verdict.ts";
import { type Diagnostic, diagnose } from "../../diagnostics/diagnostic.ts";
import { counted, tallyOf } from "../../diagnostics/tally.ts";
import { visible } from "../../diagnostics/visible.ts";
import { withoutCarriageReturns } from "../../write/diff.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import {
  damageIn,
  generationOptions,
  type Job,
  jobOf,
  make,
  refusedGeneration,
  whyOutdated,
} from "../generation.ts";
import { schemaOptions } from "../options.ts";
import { type Change, patchOf } from "../patch.ts";
import { usageText } from "../refusal.ts";
import { type FileJson, type FolderJson, reportFindings } from "../report.ts";
import { typedAgain } from "../typed-again.ts";
import { type Call, defineVerb, type Verb } from "../verb.ts";

const options = {
  ...schemaOptions,
  ...generationOptions,
  diff: { kind: "flag", says: "show the whole difference; --no-diff: none, and nothing is generated for it" },
} as const;

type CheckCall = Call<typeof options>;

/** Lines of the difference that are shown unless it is asked for: about two screens. */
const shownLines = 100;

/** Says whether the generated files are those of the schema, and why not. */
export const check: Verb = defineVerb({
  name: "check",
  says: "tell whether generated files are up to date",
  usage: "[options] [FILE]",
  about: `Holds the generated files against the hashes of the run that wrote them, and answers without parsing
the schema. With something to tell it is generated in memory, to show the difference:
  edited    a file is not as it was generated
  stale     the schema changed since, be it a comment
  template  your templates changed, or ridlkit did, in what it prints
  missing   a file is gone, or new
  orphaned  a file of ours that nothing makes any more
  options   the configuration or the command line asks for something else
Writes nothing. The exit code is 1 if a run of generate would have something to do.
With --format json, where with --diff each file has its diff:
  { ok, command, folders: [{ path, schema, ok, causes }], files: [{ path, state }], diagnostics }`,
  options,
  exclusive: [],
  several: true,
  documentOn: "out",
  examples: [
    { command: "ridlkit check", says: "all schemas of the configuration; for CI" },
    { command: "ridlkit check --diff > changes.patch", says: "what generate would change" },
  ],
  async run(call) {
    const refusal = refusedGeneration(call);
    if (refusal !== undefined) {
      call.terminal.err(usageText(refusal, "ridlkit help check"));
      return exitCode.usage;
    }
    const verdicts = call.schemas.map((schema) => judge(jobOf(schema, call), call));
    return tell(verdicts, call);
  },
});

/** What is to be said of one folder. */
interface Verdict {
  readonly job: Job;
  readonly causes: readonly Cause[];
  readonly damage: readonly Damage[];
  /** Ours, and not in the manifest. */
  readonly orphans: readonly string[];
  readonly isClean: boolean;
}

function judge(job: Job, { reader }: CheckCall): Verdict {
  const { folder, manifest } = job;
  const causes = whyOutdated(job, reader);
  const damage = damageIn(job);
  const isKnown = (path: string): boolean =>
    manifest.files[path] !== undefined || manifest.next?.[path] !== undefined;
  // Without a manifest nothing is known, and all of ours would be taken for left over.
  const isUnknown = causes.some(({ kind }) => kind === "unwritten");
  const orphans = isUnknown ? [] : orphansIn(folder.list(), isKnown, (path) => folder.read(path));
  return { job, causes, damage, orphans, isClean: causes.length + damage.length + orphans.length === 0 };
}

async function tell(verdicts: readonly Verdict[], call: CheckCall): Promise<ExitCode> {
  const { report, terminal } = call;
  const command = `npx ridlkit ${typedAgain("generate", call)}`;
  const diagnostics = verdicts.flatMap((verdict) => findingsOf(verdict, command));
  const told = await Promise.all(verdicts.map((verdict) => filesOf(verdict, call)));
  diagnostics.push(...told.flatMap(({ faults }) => faults));
  const files = told.flatMap((each) => each.files);
  const isClean = verdicts.every((verdict) => verdict.isClean);
  if (report.format === "text" && !report.quiet) {
    terminal.out(verdicts.map((verdict, at) => summary(verdict, told[at] ?? nothingTold)).join(""));
    if (call.options.diff !== false) terminal.out(await differenceOf(files, call));
  }
  await reportFindings(report, diagnostics, {
    ...(isClean ? {} : { command }),
    folders: verdicts.map(folderJson),
    files: await Promise.all(files.map((file) => fileJson(file, call))),
  });
  return isClean && tallyOf(diagnostics).errors === 0 ? exitCode.ok : exitCode.findings;
}

function findingsOf({ job: { out }, causes, damage, orphans }: Verdict, command: string): Diagnostic[] {
  const run = { advice: `Run: ${command}` };
  const findings = causes.map((cause) => findingOf(cause, out, run));
  for (const { path, state } of damage) {
    const at = { path: posix.join(out, path) };
    if (state === "missing") findings.push(diagnose("missing-output", at, at, run));
    else {
      const advice = `Move what you added out of the folder. Then run: ${command} --force`;
      findings.push(diagnose("edited-output", at, at, { advice }));
    }
  }
  for (const path of orphans) {
    const at = { path: posix.join(out, path) };
    findings.push(diagnose("orphaned-output", at, at, { advice: "Remove it." }));
  }
  return findings;
}

function findingOf(cause: Cause, out: string, run: { readonly advice: string }): Diagnostic {
  const place = { path: out };
  switch (cause.kind) {
    case "unwritten":
      return diagnose("unwritten-output", place, place, run);
    case "unfinished":
      return diagnose("unfinished-output", place, place, run);
    case "stale": {
      const inputs = cause.inputs.map((path) => posix.join(out, path)).join(", ");
      return diagnose("stale-output", { ...place, inputs }, place, run);
    }
    case "tool":
      return diagnose("tool-output", { ...place, before: cause.before, now: cause.now }, place, run);
    case "template":
      return diagnose("template-output", place, place, run);
    case "configuration":
      return diagnose("configuration-output", place, place, run);
  }
}

/** A file and what a run would make of it. */
interface CheckedFile extends Change {
  readonly state: string;
}

interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  /** What keeps the schema from being generated. */
  readonly faults: readonly Diagnostic[];
  /** Whether these are all files that a run would change. */
  readonly isWhole: boolean;
}

const nothingTold: CheckedFiles = { files: [], faults: [], isWhole: false };

/** Which files a run would change, told by generating in memory; from hashes alone where no difference is wanted. */
async function filesOf(verdict: Verdict, call: CheckCall): Promise<CheckedFiles> {
  const { job, causes, damage, orphans } = verdict;
  const { folder, manifest, out } = job;
  const known = new Map(damage.map(({ path, state }) => [path, state]));
  const standing = (path: string): string | undefined => folder.readText(path);
  const file = (path: string, state: string, after: string | undefined): CheckedFile => {
    const before = standing(path);
    const text = before === undefined ? undefined : withoutCarriageReturns(before);
    return { path: posix.join(out, path), state, before: text, after };
  };
  const lost = orphans.map((path) => file(path, "orphaned", undefined));
  if (call.options.diff === false || causes.length + damage.length === 0) {
    const damaged = damage.map(({ path, state }) => file(path, state, undefined));
    return { files: [...damaged, ...lost], faults: [], isWhole: false };
  }
  const { output, diagnostics } = await make(job, call);
  const faults = diagnostics.filter(({ severity }) => severity === "error");
  if (faults.length > 0) {
    const damaged = damage.map(({ path, state }) => file(path, state, undefined));
    return { files: [...damaged, ...lost], faults, isWhole: false };
  }
  const changed = [...output.files].flatMap(([path, text]) => {
    const made = file(
      path,
      known.get(path) ?? (standing(path) === undefined ? "missing" : stateBy(causes)),
      text,
    );
    return made.before === text ? [] : [made];
  });
  const gone = Object.keys(manifest.files)
    .filter((path) => !output.files.has(path) && standing(path) !== undefined)
    .map((path) => file(path, known.get(path) ?? "orphaned", undefined));
  return { files: [...changed, ...gone, ...lost], faults: [], isWhole: true };
}

/** The schema goes before the tool, and that before the options: who edits a schema is told so. */
function stateBy(causes: readonly Cause[]): string {
  const kinds = new Set(causes.map(({ kind }) => kind));
  if (kinds.has("stale") || kinds.has("unfinished") || kinds.has("unwritten")) return "stale";
  return kinds.has("tool") || kinds.has("template") ? "template" : "options";
}

/** `generated: up to date, 66 files`, or the files of it that are not. */
function summary({ job, isClean, causes }: Verdict, { files, isWhole }: CheckedFiles): string {
  const out = visible(job.out);
  if (isClean) return `${out}: up to date, ${counted(Object.keys(job.manifest.files).length, "file")}\n`;
  const words = new Set(causes.length === 0 ? files.map(({ state }) => state) : [stateBy(causes)]);
  const lines = files.map(({ state, path }) => `  ${state.padEnd(9)} ${visible(path)}\n`);
  const none = isWhole && files.length === 0 ? "; no file would change but its manifest" : "";
  return `${out}: ${[...words].join(", ")}${none}\n${lines.join("")}`;
}

async function differenceOf(
  files: readonly CheckedFile[],
  { options: { diff } }: CheckCall,
): Promise<string> {
  const lines: string[] = [];
  for (const file of files) {
    if (file.before === undefined && file.after === undefined) continue;
    lines.push(...(await patchOf(file)).split("\n").slice(0, -1));
    if (diff !== true && lines.length > shownLines) {
      const rest = "… and more; all of it: --diff";
      return `${[...lines.slice(0, shownLines), rest].map(visible).join("\n")}\n`;
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function folderJson({ job: { out, schema }, causes, isClean }: Verdict): FolderJson {
  return {
    path: out,
    schema: schema.path,
    ...(schema.project === undefined ? {} : { project: schema.project }),
    ok: isClean,
    causes: causes.map(({ kind }) => kind),
  };
}

async function fileJson(file: CheckedFile, { options: { diff } }: CheckCall): Promise<FileJson> {
  const { path, state } = file;
  return diff === true ? { path, state, diff: await patchOf(file) } : { path, state };
}
