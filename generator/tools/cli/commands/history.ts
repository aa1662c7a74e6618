import type { Diagnostic } from "../../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { counted, tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { didYouMean, type ExitCode, exitCode } from "../command-error.ts";
import type { ChangesSince, OpenHistory } from "../history/open.ts";
import { schemaOptions } from "../options.ts";
import { type HistoryJson, reportFindings } from "../output/report.ts";

/** What `ridlkit history` does with the versions of a contract. */
export const historyActions = ["add", "list", "changelog"] as const;
export type HistoryAction = (typeof historyActions)[number];

export const history: Command = defineCommand({
  name: "history",
  usage: "add | list | changelog [options]",
  description: `Works on the schemas of the configuration that have "history", the folder of their kept versions.

  add        keeps the contract of the schema as latest.webrpc.json, and the one before as its
             difference in VERSION.webrpc.json. Warns if the version is too low for its changes.
             A kept version never changes: add rejects another contract under the same version.
  list       lists the kept versions, and the lowest version for changes that are not kept
  changelog  prints what each version changed for its clients, as Markdown, newest first

A change that breaks calls needs a major version, an addition or a warning of "ridlkit breaking" a
minor one, and any other change a patch. Before 1.0.0, a breaking change needs a minor version, and
any other change a patch.

With --format json:
  { ok, histories: [{ schema, folder, version, kept, state, since, changelog }], diagnostics }

The exit code is 1 if the schema or a kept version has errors, or if add rejects the version.`,
  options: schemaOptions,
  takesNames: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit history add", description: "Keep the current version, before each release" },
    { command: "ridlkit history changelog > CHANGES.md", description: "Write what each version changed" },
  ],
  async run(call) {
    const [word = "", ...more] = call.positionals;
    const action = historyActions.find((one) => one === word);
    if (action === undefined || more.length > 0) return call.refuse(actionError(call.positionals));
    // Entries for server and client of one schema share its history.
    const schemas = new Map(
      call.schemas.flatMap((schema) => {
        const folder = schema.generation?.history;
        return folder === undefined ? [] : [[`${schema.path} ${folder}`, { schema, folder }] as const];
      }),
    );
    if (schemas.size === 0) return call.refuse(folderError(call));
    const { openHistory } = await import("../history/open.ts");
    const results: Result[] = [];
    for (const { schema, folder } of schemas.values()) {
      const { history: opened, diagnostics } = openHistory(schema, folder, call);
      results.push(
        opened === undefined ? { diagnostics, text: "" } : await perform(action, opened, diagnostics, call),
      );
    }
    return print(results, call);
  },
});

interface Result {
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
  readonly json?: HistoryJson;
}

async function perform(
  action: HistoryAction,
  opened: OpenHistory,
  found: readonly Diagnostic[],
  { cwd }: CommandCall,
): Promise<Result> {
  const [{ changelogJson, changelogText, historyJson }, { addVersion, changesSinceLatest }] =
    await Promise.all([import("../history/changelog.ts"), import("../history/open.ts")]);
  const since = changesSinceLatest(opened);
  const json = historyJson(opened, since);
  switch (action) {
    case "list":
      return { diagnostics: found, text: listText(opened, since), json };
    case "changelog": {
      const changelog = changelogJson(opened);
      return { diagnostics: found, text: changelogText(opened), json: { ...json, changelog } };
    }
    case "add": {
      const { diagnostics, state, path } = await addVersion(opened, since, cwd);
      // "add" reports the same finding as an error.
      const others = found.filter(({ name }) => name !== "history-contract-differs");
      const { schema, current } = opened;
      const done = state === "added" ? `kept ${current.ir.version} in ${path}` : `${path} is up to date`;
      return {
        diagnostics: [...others, ...diagnostics],
        text: state === undefined ? "" : `${visible(`${schema.path}: ${done}`)}\n${sinceText(since)}`,
        json: { ...json, ...(state === undefined ? {} : { state }) },
      };
    }
  }
}

async function print(results: readonly Result[], { report, terminal }: CommandCall): Promise<ExitCode> {
  const diagnostics = results.flatMap((result) => result.diagnostics);
  const histories = results.flatMap(({ json }) => json ?? []);
  reportFindings(report, diagnostics, { histories });
  if (report.format === "text") terminal.out(results.map(({ text }) => text).join(""));
  if (diagnostics.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  return tallyOf(diagnostics).errors === 0 ? exitCode.ok : exitCode.findings;
}

function listText(
  { schema, folder, current, versions }: OpenHistory,
  since: ChangesSince | undefined,
): string {
  const head = `${schema.path}: ${current.ir.version}, ${counted(versions.length, "kept version")} in ${folder}`;
  const lines = versions.map(({ version, compiled: { counts } }) => {
    const contents = `${counted(counts.services, "service")}, ${counted(counts.methods, "method")}`;
    return `  ${version}  ${contents}, ${counted(counts.types, "type")}`;
  });
  return [head, ...lines].map((line) => `${visible(line)}\n`).join("") + sinceText(since);
}

/** `Since v1.0.0: 1 breaking change, 2 additions. Next: v2.0.0 or higher.` */
function sinceText(since: ChangesSince | undefined): string {
  if (since === undefined) return "";
  const { version, changes, next } = since;
  const { errors, warnings } = tallyOf(changes.findings);
  const additions = changes.added.length + changes.renamed.length + changes.deprecated.length;
  const parts = [
    ...(errors === 0 ? [] : [counted(errors, "breaking change")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
    ...(additions === 0 ? [] : [counted(additions, "addition")]),
  ];
  const found = parts.length === 0 ? "no changes for clients" : parts.join(", ");
  return `${visible(`Since ${version}: ${found}. Next: ${next} or higher.`)}\n`;
}

function actionError(words: readonly string[]): string {
  const [word] = words;
  const near = word === undefined ? undefined : suggest(word, historyActions);
  const found = word === undefined ? "nothing" : `"${words.join(" ")}"`;
  return `"history" takes ${historyActions.slice(0, -1).join(", ")} or ${historyActions.at(-1)}; found ${found}.${didYouMean(near === word ? undefined : near)}`;
}

function folderError({ schemas }: CommandCall): string {
  const [path] = schemas.map((schema) => schema.path);
  return `"${path}" has no folder for its versions: set "history" in the configuration, for example to "schema/history".`;
}
