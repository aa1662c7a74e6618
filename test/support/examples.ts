import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FindingsJson } from "../../generator/cli/report.ts";
import { type Example, headerLines } from "../../generator/diagnostics/explanations/explanation.ts";
import { folder, program, ridlkit } from "./program.ts";

/** The codes of all findings of one example, in order. */
export type Codes = readonly string[];

/**
 * What `ridlkit lint` says of many examples, by the name each is given: one process for all that are only files, and one for each
 * that has commands of its own, run by the shell as they stand.
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

/** Those of the last command, which is asked for JSON. */
async function runCommands(
  files: Readonly<Record<string, string>>,
  commands: readonly string[],
): Promise<Codes> {
  using dir = folder(files);
  const bin = join(dir.path, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "ridlkit"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "ridlkit"), 0o755);
  const script = ["set -e", ...commands.slice(0, -1), `${commands.at(-1)} --format json`].join("\n");
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const output = await new Promise<string>((done) => {
    const maxBuffer = 64 * 1024 * 1024;
    execFile("bash", ["-c", script], { cwd: dir.path, env, maxBuffer }, (_, out, err) =>
      done(`${out}${err}`),
    );
  });
  const from = output.lastIndexOf("\n{\n") + 1;
  const end = output.indexOf("\n}\n", from);
  if (!output.startsWith("{\n", from) || end === -1) return [`no document: ${output}`];
  return (JSON.parse(output.slice(from, end + 3)) as FindingsJson).diagnostics.map(({ code }) => code);
}
