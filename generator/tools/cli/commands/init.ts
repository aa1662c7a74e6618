import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type InitFile, planProject, type ReadExisting, stackIn } from "../../init/project.ts";
import { defaultStack, isStackName, type StackName, stackNames } from "../../init/stacks/index.ts";
import type { SchemaLanguage } from "../../init/texts.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { usageText } from "../command-error.ts";
import { configNames } from "../config/config-names.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { systemReason } from "../files/reader.ts";
import { replaceFile } from "../files/replace-file.ts";
import { reportFindings } from "../output/report.ts";

const languages: readonly SchemaLanguage[] = ["ridl", "yaml"];

const options = {
  stack: { kind: "text", value: "NAME", description: `the stack; default: ${defaultStack}` },
  schema: {
    kind: "text",
    value: "LANGUAGE",
    description: "the language of the schema: ridl (default) or yaml",
  },
  ridlkit: {
    kind: "text",
    value: "SPEC",
    description: "where npm gets ridlkit: a tarball, a folder, a version; default: this version",
  },
  dryRun: { kind: "flag", description: "write nothing; name the files" },
} as const;

type InitCall = CommandCall<typeof options>;

export const init: Command = defineCommand({
  name: "init",
  summary: "start a project, or add ridlkit to one",
  usage: "[options] [DIR]",
  description: `Writes a project into DIR (default: the working directory): a schema of eight lines, its
handler, the configuration, npm scripts, compiler options, and settings of Git, VS Code and CI for
generated files. A new package also gets a server of its stack, a test, and the scripts to build,
start and test it. In an existing package no file is overwritten: only missing keys and lines are
added to package.json, .gitattributes and the settings of VS Code.
On a terminal, init asks for the stack and the language of the schema unless --stack and --schema
name them. In a pipe it uses the stack that package.json depends on, or else ${defaultStack}.
Stacks: ${stackNames.join(", ")}
With --format json: { ok, stack, files: [{ path, state }], diagnostics }; state: added or changed`,
  options,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  readsSchemas: false,
  jsonStream: "out",
  examples: [
    { command: "ridlkit init shop", description: "a project in the folder shop" },
    {
      command: "ridlkit init shop --stack hono --schema yaml",
      description: "on Hono, with a schema in YAML",
    },
    { command: "ridlkit init --dry-run", description: "which files would be written here" },
    {
      command: "ridlkit init shop --ridlkit ./ridlkit-0.1.0.tgz",
      description: "with the package of this file",
    },
  ],
  run,
});

async function run(call: InitCall): Promise<ExitCode> {
  const { cwd, positionals, report, terminal } = call;
  if (positionals.length > 1) return refuse(`"init" takes one DIR, found ${positionals.length}.`, call);
  const dir = positionals[0] ?? ".";
  const root = resolve(cwd, dir);
  const { ridlkit = `^${report.version}` } = call.options;
  const spec = packageSpec(ridlkit, cwd, root);
  if (spec === undefined) return refuse(`There is no file "${ridlkit}", which --ridlkit names.`, call);
  const present: ReadExisting = (path) => contentOf(join(root, path));
  const configurations = configurationsIn(root);
  // A project with a configuration already has a schema.
  const choice = await choose(call, present, configurations.length === 0);
  if ("problem" in choice) return refuse(choice.problem, call);
  const plan = planProject({ name: basename(root), ...choice, ridlkit: spec, present, configurations });
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
    const next = dir === "." ? plan.nextCommands : [`cd ${shellWord(dir)}`, ...plan.nextCommands];
    terminal.out(`Next:\n${next.map((command) => `  ${visible(command)}\n`).join("")}`);
  }
  await reportFindings(report, [], { stack: choice.stack, files });
  return exitCode.ok;
}

type Choice =
  | { readonly stack: StackName; readonly schemaLanguage: SchemaLanguage }
  | { readonly problem: string };

/** Uses the options, then the user's answers, then the existing package.json. */
async function choose(call: InitCall, present: ReadExisting, mayAsk: boolean): Promise<Choice> {
  const { stack, schema } = call.options;
  const isAsking = mayAsk && call.report.format === "text" && !call.report.quiet;
  const ask = isAsking ? call.terminal.ask : undefined;
  const likely = stackIn(present) ?? defaultStack;
  const stackName = await pick("Stack", stack, stackNames, likely, ask);
  if (!isStackName(stackName)) return { problem: unknownName("stack", stackName, stackNames) };
  const language = await pick("Schema language", schema, languages, "ridl", ask);
  const schemaLanguage = languages.find((name) => name === language);
  if (schemaLanguage === undefined) return { problem: unknownName("schema", language, languages) };
  return { stack: stackName, schemaLanguage };
}

/** Asks until the answer is a valid name. An empty answer or the end of the input selects the most likely name. */
async function pick(
  label: string,
  given: string | undefined,
  names: readonly string[],
  likely: string,
  ask: ((question: string) => Promise<string | undefined>) | undefined,
): Promise<string> {
  if (given !== undefined) return given;
  if (ask === undefined) return likely;
  const question = `${label} (${names.join(", ")}) [${likely}]: `;
  for (;;) {
    const answer = (await ask(question))?.trim().toLowerCase() || likely;
    if (names.includes(answer)) return answer;
  }
}

function unknownName(option: string, name: string, names: readonly string[]): string {
  const meant = suggest(name, names);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return `--${option} "${name}" is unknown.${hint} Known: ${names.join(", ")}.`;
}

/** Returns a dependency for package.json, with file paths relative to its folder. Returns undefined if the file is missing. */
function packageSpec(given: string, cwd: string, root: string): string | undefined {
  const path = given.replace(/^file:/, "");
  const isFile = /^([.]{0,2}[\\/]|[A-Za-z]:[\\/])|[.]tgz$/.test(path) && !/^\w+:[\\/]{2}/.test(path);
  if (!isFile) return given;
  const target = resolve(cwd, path);
  return existsSync(target) ? `file:${relative(root, target).replaceAll("\\", "/")}` : undefined;
}

/** Quotes text as one word of a Unix shell. */
function shellWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function refuse(message: string, { terminal }: InitCall): ExitCode {
  terminal.err(usageText(message, "ridlkit help init"));
  return exitCode.usage;
}

/** Returns undefined only for a missing path. Folders and unreadable files count as existing. */
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

/** Stops at the first failure. A new file never overwrites a file that was created in the meantime. */
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
        // Check the mode, because root can write to read-only files.
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
