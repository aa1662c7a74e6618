import { execFile } from "node:child_process";
import { type Example, headerLines } from "../../generator/language/diagnostics/catalog/entry.ts";
import type { FindingsJson } from "../../generator/tools/cli/output/report.ts";
import { folder, type Outcome, ridlkit } from "./program.ts";

/** The codes of all findings of one example, in order. */
export type Codes = readonly string[];

/**
 * What `ridlkit lint` says of many examples, by the name each is given: one run for all that are only files, and one for
 * each that has commands of its own.
 */
export async function runExamples(
  examples: ReadonlyMap<string, Example>,
  options: readonly string[] = [],
): Promise<ReadonlyMap<string, Codes>> {
  const files = [...examples].filter(([, example]) => commandsOf(example) === undefined);
  const found = new Map(await lintAll(files, options));
  for (const [name, example] of examples) {
    const commands = commandsOf(example);
    if (commands !== undefined) found.set(name, await runCommands(filesOf(example), commands));
  }
  return found;
}

function commandsOf(example: Example): readonly string[] | undefined {
  return "files" in example ? example.commands : undefined;
}

/** Path → text. */
function filesOf(example: Example): Record<string, string> {
  const files = "files" in example ? example.files : { "api.ridl": [...headerLines, ...example] };
  return Object.fromEntries(Object.entries(files).map(([path, lines]) => [path, `${lines.join("\n")}\n`]));
}

async function lintAll(
  examples: readonly (readonly [string, Example])[],
  options: readonly string[],
): Promise<(readonly [string, Codes])[]> {
  const named = examples.map(([name, example]) => ({ name, files: filesOf(example) }));
  const inFolders = named.flatMap(({ name, files }) =>
    Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const),
  );
  using dir = folder(Object.fromEntries(inFolders));
  const entries = named.map(({ name, files }) => `${name}/${Object.keys(files)[0]}`);
  const { out } = await ridlkit(["lint", "--format", "json", ...options, ...entries], { cwd: dir.path });
  const { diagnostics } = JSON.parse(out) as FindingsJson;
  return named.map(({ name }) => [
    name,
    diagnostics.filter(({ path }) => path.startsWith(`${name}/`)).map(({ code }) => code),
  ]);
}

/** The codes that the last command reports. A command before it that fails ends the example, as under `set -e`. */
async function runCommands(
  files: Readonly<Record<string, string>>,
  commands: readonly string[],
): Promise<Codes> {
  using dir = folder(files);
  for (const command of commands.slice(0, -1)) {
    const { code, out, err } = await runCommand(command, dir.path);
    if (code !== 0) return [`${command} failed: ${out}${err}`];
  }
  const { out, err } = await runCommand(`${commands.at(-1)} --format json`, dir.path);
  const output = `${out}${err}`;
  const from = output.lastIndexOf("\n{\n") + 1;
  const end = output.indexOf("\n}\n", from);
  if (!output.startsWith("{\n", from) || end === -1) return [`no document: ${output}`];
  return (JSON.parse(output.slice(from, end + 3)) as FindingsJson).diagnostics.map(({ code }) => code);
}

/** Runs our own command line in this process, and any other command by a shell. */
function runCommand(command: string, cwd: string): Promise<Outcome> {
  const words = command.split(" ");
  if (words[0] === "ridlkit") return ridlkit(words.slice(1), { cwd });
  return new Promise((done) =>
    execFile("bash", ["-c", command], { cwd }, (err, out, errOut) =>
      done({ code: err === null ? 0 : 1, out, err: errOut }),
    ),
  );
}
