import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type InitFile, planProject } from "../../init/project.ts";
import { configNames } from "../config/config-names.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { systemReason } from "../files/reader.ts";
import { replaceFile } from "../files/replace-file.ts";
import { reportFindings } from "../output/report.ts";
import { usageText } from "../refusal.ts";
import { type Call, defineVerb, type Verb } from "../verb.ts";

const options = {
  ridlkit: {
    kind: "text",
    value: "SPEC",
    says: "where npm gets ridlkit: a tarball, a folder, a version; default: this version",
  },
  dryRun: { kind: "flag", says: "write nothing; name the files" },
} as const;

type InitCall = Call<typeof options>;

/** Makes a project, or makes one of what is there. */
export const init: Verb = defineVerb({
  name: "init",
  says: "start a project, or add what one lacks",
  usage: "[options] [DIR]",
  about: `Writes what a project needs into DIR, or here: a schema of eight lines with its handler, the
configuration, scripts, compiler options, and what Git, VS Code and CI are told of generated files.
What is there is never written over; to package.json, .gitattributes and the settings of VS Code
only what they lack is added. Prints the commands that come next: npm install and npm run dev. A new
package also has a host on Koa (main.ts), a test, and the scripts build, start and test.
With --format json: { ok, files: [{ path, state }], diagnostics }; state: added or changed`,
  options,
  exclusive: [],
  several: true,
  readsSchemas: false,
  documentOn: "out",
  examples: [
    { command: "ridlkit init shop", says: "a project in the folder shop" },
    { command: "ridlkit init --dry-run", says: "which files would be written here" },
    { command: "ridlkit init shop --ridlkit ./ridlkit-0.1.0.tgz", says: "with the package of this file" },
  ],
  run,
});

async function run(call: InitCall): Promise<ExitCode> {
  const { cwd, words, report, terminal } = call;
  if (words.length > 1) return refuse(`"init" takes one DIR, found ${words.length}.`, call);
  const dir = words[0] ?? ".";
  const root = resolve(cwd, dir);
  const { ridlkit = `^${report.version}` } = call.options;
  const spec = packageSpec(ridlkit, cwd, root);
  if (spec === undefined) return refuse(`There is no file "${ridlkit}", which --ridlkit names.`, call);
  const plan = planProject({
    name: basename(root),
    ridlkit: spec,
    present: (path) => contentOf(join(root, path)),
    configurations: configurationsIn(root),
  });
  const reason = call.options.dryRun === true ? undefined : write(plan.files, root);
  if (reason !== undefined) {
    await reportFindings(report, [diagnose("cannot-write", reason, { path: reason.path })]);
    return exitCode.usage;
  }
  const files = plan.files.map(({ path, before }) => ({
    path: join(dir, path),
    state: before === undefined ? "added" : "changed",
  }));
  if (report.format === "text" && !report.quiet) {
    terminal.out(files.map(({ path, state }) => `  ${state.padEnd(7)} ${visible(path)}\n`).join(""));
    terminal.out(plan.hints.map((hint) => `  ${visible(hint)}\n`).join(""));
    const next = dir === "." ? plan.next : [`cd ${shellWord(dir)}`, ...plan.next];
    terminal.out(`Next:\n${next.map((command) => `  ${visible(command)}\n`).join("")}`);
  }
  await reportFindings(report, [], { files });
  return exitCode.ok;
}

/** As package.json says it, where files are found from its folder; undefined for a file that is not there. */
function packageSpec(given: string, cwd: string, root: string): string | undefined {
  const path = given.replace(/^file:/, "");
  const isFile = /^([.]{0,2}[\\/]|[A-Za-z]:[\\/])|[.]tgz$/.test(path) && !/^\w+:[\\/]{2}/.test(path);
  if (!isFile) return given;
  const target = resolve(cwd, path);
  return existsSync(target) ? `file:${relative(root, target).replaceAll("\\", "/")}` : undefined;
}

/** As a shell of Unix takes it for one word. */
function shellWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function refuse(message: string, { terminal }: InitCall): ExitCode {
  terminal.err(usageText(message, "ridlkit help init"));
  return exitCode.usage;
}

/** A folder, or what cannot be read, is something that is there. */
function contentOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function configurationsIn(root: string): readonly string[] {
  const names = existsSync(root) && statSync(root).isDirectory() ? readdirSync(root) : [];
  const own = configNames.filter((name) => names.includes(name));
  const inPackage = /"ridlkit"\s*:\s*\{/.test(contentOf(join(root, "package.json")) ?? "");
  return inPackage ? [...own, "package.json"] : own;
}

/** Stops at the first file that cannot be written; a new one never takes the place of another that came meanwhile. */
function write(
  files: readonly InitFile[],
  root: string,
): { readonly path: string; readonly reason: string } | undefined {
  for (const { path, before, text } of files) {
    const target = join(root, path);
    try {
      mkdirSync(dirname(target), { recursive: true });
      if (before === undefined) writeFileSync(target, text, { flag: "wx" });
      else {
        // Whoever may do everything still asks, because the mode says that somebody meant it.
        const isReadOnly = (statSync(target).mode & 0o222) === 0;
        const reason = isReadOnly ? "it is read-only" : replaceFile(target, text);
        if (reason !== undefined) return { path, reason };
      }
    } catch (err) {
      return { path, reason: systemReason(err) };
    }
  }
  return undefined;
}
