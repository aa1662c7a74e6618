import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { runtimeForms } from "../../../codegen/options.ts";
import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { runtimeBeside, runtimeInRepository } from "../../doctor/runtime-package.ts";
import {
  type InitProject,
  type OwnPackages,
  planProject,
  type ReadExisting,
  type SchemaLanguage,
  stackIn,
} from "../../init/project.ts";
import { defaultStack, isStackName, stackNames } from "../../init/stacks/index.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { configNames } from "../config/config-file.ts";
import { writeFiles } from "../files/write-files.ts";
import { reportFindings } from "../output/report.ts";
import { shellQuote } from "../output/terminal.ts";

const languages: readonly SchemaLanguage[] = ["ridl", "yaml"];

const options = {
  stack: { kind: "text", value: "NAME", description: `Framework or runtime; default: ${defaultStack}` },
  schema: {
    kind: "text",
    value: "LANGUAGE",
    description: "Schema language: ridl (default) or yaml",
  },
  runtime: {
    kind: "text",
    value: "FORM",
    description: "package (default): depend on ridlkit-runtime; copy: copy its modules to generated/runtime/",
  },
  ridlkit: {
    kind: "text",
    value: "SPEC",
    description: "Version, tarball or folder of ridlkit and its runtime; default: this version",
  },
  dryRun: { kind: "flag", description: "Write nothing; list the files" },
} as const;

type InitCall = CommandCall<typeof options>;

export const init: Command = defineCommand({
  name: "init",
  usage: "[options] [DIR]",
  description: `Creates a project in DIR (default: the working directory): a schema of eight lines, its handler, the
configuration, npm scripts, compiler options, and settings of Git, VS Code and CI for generated
files. A new package also gets a server for its stack, a test, and scripts to build, start and test
it.

In an existing package, no file is overwritten. Missing keys and lines are added to package.json,
.gitattributes and the settings of VS Code.

On a terminal, init asks for the stack and the schema language unless --stack and --schema are
given.
Without a terminal it uses the stack that package.json depends on, or else ${defaultStack}.
Stacks: ${stackNames.join(", ")}

With --format json: { ok, stack, files: [{ path, state }], hints, diagnostics }; state: added or changed`,
  options,
  readsSchemas: false,
  jsonStream: "out",
  examples: [
    { command: "ridlkit init shop", description: "Create a project in the folder shop" },
    {
      command: "ridlkit init shop --stack hono --schema yaml",
      description: "Use Hono and a schema in YAML",
    },
    { command: "ridlkit init --dry-run", description: "List the files that would be written" },
    {
      command: "ridlkit init shop --ridlkit ./ridlkit-0.1.0.tgz",
      description: "Install ridlkit, and ridlkit-runtime-0.1.0.tgz, from files",
    },
  ],
  run,
});

async function run(call: InitCall): Promise<ExitCode> {
  const { cwd, positionals, report, terminal } = call;
  if (positionals.length > 1) return call.refuse(`"init" takes one DIR; found ${positionals.length}.`);
  const dir = positionals[0] ?? ".";
  const root = resolve(cwd, dir);
  if (existsSync(root) && !statSync(root).isDirectory())
    return call.refuse(`"${dir}" is a file; "init" takes a folder.`);
  const current = `^${report.version}`;
  const packages = packageSpecs(call.options.ridlkit ?? current, { cwd, root, current });
  if ("problem" in packages) return call.refuse(packages.problem);
  const readExisting: ReadExisting = (path) => contentOf(join(root, path));
  const configurations = configurationsIn(root);
  // A project with a configuration already has a schema.
  const choice = await choose(call, readExisting, configurations.length === 0);
  if ("problem" in choice) return call.refuse(choice.problem);
  const plan = planProject({ name: basename(root), ...choice, packages, readExisting, configurations });
  const reason =
    call.options.dryRun === true
      ? undefined
      : writeFiles(
          plan.files.map(({ path, before, text }) => ({ path, before, after: text, to: path })),
          root,
        );
  if (reason !== undefined) {
    const path = join(dir, reason.path);
    reportFindings(report, [diagnose("cannot-write", { ...reason, path }, { path })]);
    return exitCode.usage;
  }
  const files = plan.files.map(({ path, before }) => ({
    path: join(dir, path),
    state: before === undefined ? "added" : "changed",
  }));
  if (report.format === "text" && !report.quiet) {
    const { outPaint: paint } = report;
    const line = (state: string, path: string): string =>
      `  ${paint.good(state)}${" ".repeat(8 - state.length)}${visible(path)}\n`;
    terminal.out(files.map(({ path, state }) => line(state, path)).join(""));
    terminal.out(plan.hints.map((hint) => `  ${visible(hint)}\n`).join(""));
    const next = dir === "." ? plan.nextCommands : [`cd ${shellQuote(dir)}`, ...plan.nextCommands];
    const commands = next.map((command) => `  ${paint.frame(visible(command))}\n`);
    terminal.out(`${paint.strong("Next:")}\n${commands.join("")}`);
  }
  reportFindings(report, [], { stack: choice.stack, files, hints: plan.hints });
  return exitCode.ok;
}

type Choice = Pick<InitProject, "stack" | "schemaLanguage" | "runtime"> | { readonly problem: string };

/** Takes the options, or else asks, or else inspects the existing package. */
async function choose(call: InitCall, readExisting: ReadExisting, mayAsk: boolean): Promise<Choice> {
  const { stack, schema, runtime: form = "package" } = call.options;
  const isAsking = mayAsk && call.report.format === "text" && !call.report.quiet;
  const ask = isAsking ? call.terminal.ask : undefined;
  const likely = stackIn(readExisting) ?? defaultStack;
  const stackName = await pick("Stack", stack, stackNames, likely, ask);
  if (!isStackName(stackName)) return { problem: unknownName("stack", stackName, stackNames) };
  const language = await pick("Schema language", schema, languages, "ridl", ask);
  const schemaLanguage = languages.find((name) => name === language);
  if (schemaLanguage === undefined) return { problem: unknownName("schema", language, languages) };
  const runtime = runtimeForms.find((name) => name === form);
  if (runtime === undefined) return { problem: unknownName("runtime", form, runtimeForms) };
  return { stack: stackName, schemaLanguage, runtime };
}

/** Asks until the reply is one of the names. An empty reply, or the end of the input, selects the default. */
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
  const suggestion = suggest(name, names);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  return `--${option} does not accept "${name}".${hint} Known: ${names.join(", ")}.`;
}

/**
 * The versions for package.json, with file paths relative to its folder. The runtime is packed next to ridlkit, under a name with
 * `ridlkit-runtime` for `ridlkit`; in a folder, which is a clone of the repository, it is the workspace.
 */
function packageSpecs(
  given: string,
  { cwd, root, current }: { readonly cwd: string; readonly root: string; readonly current: string },
): OwnPackages | { readonly problem: string } {
  const packed = runtimeBeside(given);
  const path = given.replace(/^file:/, "");
  const isFile = /^([.]{0,2}[\\/]|[A-Za-z]:[\\/])|[.]tgz$/.test(path) && !/^\w+:[\\/]{2}/.test(path);
  if (!isFile) {
    // An address names one package only.
    const isVersion = /^[^:/]+$/.test(given);
    return { ridlkit: given, "ridlkit-runtime": isVersion || packed !== given ? packed : current };
  }
  const target = resolve(cwd, path);
  if (!existsSync(target)) return { problem: `The file "${path}" of --ridlkit does not exist.` };
  const runtime = statSync(target).isDirectory()
    ? join(target, runtimeInRepository)
    : resolve(cwd, packed.replace(/^file:/, ""));
  if (runtime === target || !existsSync(runtime))
    return {
      problem: `There is no ridlkit-runtime next to "${path}" of --ridlkit. In the repository of ridlkit, "npm run pack" creates both.`,
    };
  const specOf = (file: string): string => `file:${relative(root, file).replaceAll("\\", "/")}`;
  return { ridlkit: specOf(target), "ridlkit-runtime": specOf(runtime) };
}

/** The text of a file; "" for a folder or an unreadable file, which exist; undefined if nothing exists. */
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
  return configNames.filter((name) => names.includes(name));
}
