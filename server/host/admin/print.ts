import type { Output, Row } from "./command.ts";

type Printed = Exclude<Output, { readonly isWritten: true }>;

/** Prints an object or a list of objects, for programs. */
export function printJson(output: Printed): string {
  return `${JSON.stringify("record" in output ? output.record : output.list, null, 2)}\n`;
}

/** Prints columns for a list, and lines for one record, for people. */
export function printTable(output: Printed): string {
  const note = output.note === undefined ? "" : `\n${output.note}\n`;
  return `${"record" in output ? printRecord(output.record) : printList(output.list)}${note}`;
}

function printList(list: readonly Row[]): string {
  if (list.length === 0) return "none\n";
  const names = Object.keys(list[0] ?? {});
  const lines = [names.map(spaced), ...list.map((row) => names.map((name) => text(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function printRecord(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => spaced(name).length));
  return Object.entries(row)
    .map(([name, value]) => `${spaced(name).padEnd(width)}  ${text(value)}`.trimEnd())
    .join("\n")
    .concat("\n");
}

/** `createdAt` → `created at` */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Replaces control characters, so that a name cannot control the terminal. */
function text(value: Row[string] | undefined): string {
  if (value === undefined || value === null) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const shown = typeof value === "object" ? value.join(" ") : String(value);
  return shown === "" ? "-" : shown.replace(/\p{Cc}/gu, "?");
}
