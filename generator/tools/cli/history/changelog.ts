import { type ContractChanges, changesBetween } from "../../../verify/breaking/release.ts";
import type { ChangesJson, FindingJson, HistoryJson, VersionJson } from "../output/report.ts";
import { type ChangesSince, currentChanges, isUnreleased, type OpenHistory } from "./open.ts";

interface VersionEntry {
  readonly version: string;
  readonly released: boolean;
  readonly since?: { readonly version: string; readonly changes: ContractChanges };
}

/** The changes of each version, newest first. The schema itself comes first if its contract is not kept. */
function changelogOf(history: OpenHistory): readonly VersionEntry[] {
  const { versions, current } = history;
  const entries: VersionEntry[] = versions.map(({ version, compiled }, index) => {
    const before = versions[index - 1];
    if (before === undefined) return { version, released: true };
    const changes = changesBetween(before.compiled.model, compiled.model);
    return { version, released: true, since: { version: before.version, changes } };
  });
  if (isUnreleased(history)) {
    const latest = versions.at(-1);
    const since = latest && { version: latest.version, changes: currentChanges(latest, history) };
    entries.push({
      version: current.ir.version,
      released: false,
      ...(since === undefined ? {} : { since }),
    });
  }
  return entries.toReversed();
}

export function changelogJson(history: OpenHistory): readonly VersionJson[] {
  return changelogOf(history).map(({ version, released, since }) => ({
    version,
    released,
    ...(since === undefined ? {} : { since: since.version, ...changesJson(since.changes) }),
  }));
}

/** Markdown with a section for each version. */
export function changelogText(history: OpenHistory): string {
  const title = `# Versions of ${inCode(history.current.ir.name)}`;
  return `${[title, ...changelogOf(history).map(section)].join("\n\n")}\n`;
}

function section({ version, released, since }: VersionEntry): string {
  const heading = `## ${version}${released ? "" : " (unreleased)"}`;
  if (since === undefined) return `${heading}\n\nThe first version.`;
  const lists = listsOf(since.changes, since.version).filter(({ lines }) => lines.length > 0);
  if (lists.length === 0) return `${heading}\n\nNo changes for clients.`;
  return [
    heading,
    ...lists.map(({ title, lines }) => `### ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`),
  ].join("\n\n");
}

function listsOf(
  changes: ContractChanges,
  before: string,
): readonly { title: string; lines: readonly string[] }[] {
  const { breaking, warnings, added, renamed, deprecated } = changesJson(changes);
  const messages = (found: typeof breaking): readonly string[] =>
    found.map(
      ({ code, message, converted }) =>
        `${quotesAsCode(message)} (${code}${converted === true ? `, converted for ${before}` : ""})`,
    );
  return [
    { title: "Breaking", lines: messages(breaking) },
    { title: "May affect clients", lines: messages(warnings) },
    { title: "Added", lines: added.map(({ kind, name }) => `${kind} ${inCode(name)}`) },
    { title: "Renamed", lines: renamed.map(({ from, to }) => `${inCode(from)} is now ${inCode(to)}`) },
    {
      title: "Deprecated",
      lines: deprecated.map(
        ({ name, reason }) => `${inCode(name)}${reason === undefined ? "" : `: ${escaped(reason)}`}`,
      ),
    },
  ];
}

/** `"Shop.Price" is required` → `` `Shop.Price` is required ``. Names have no quotes. */
function quotesAsCode(message: string): string {
  return message
    .split(/("[^"`]*")/)
    .map((part, index) => (index % 2 === 1 ? inCode(part.slice(1, -1)) : escaped(part)))
    .join("");
}

function inCode(text: string): string {
  return `\`${text}\``;
}

function escaped(text: string): string {
  return text.replace(/[\\`*_<>[\]]/g, "\\$&");
}

export function historyJson(
  { schema: { path, project }, folder, current, versions }: OpenHistory,
  since: ChangesSince | undefined,
): HistoryJson {
  return {
    schema: path,
    ...(project === undefined ? {} : { project }),
    folder,
    version: current.ir.version,
    kept: versions.map(({ version, path: file }) => ({ version, path: file })),
    ...(since === undefined
      ? {}
      : { since: { version: since.version, release: since.release, next: since.next } }),
  };
}

function changesJson({ findings, added, renamed, deprecated }: ContractChanges): ChangesJson {
  const of = (wanted: string): readonly FindingJson[] =>
    findings
      .filter(({ severity }) => severity === wanted)
      .map(({ code, message, isConvertible }) => ({
        code,
        message,
        ...(isConvertible ? { converted: true } : {}),
      }));
  return { breaking: of("error"), warnings: of("warning"), added, renamed, deprecated };
}
