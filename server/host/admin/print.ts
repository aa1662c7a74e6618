import type { Output, Row } from "./command.ts";

type Printed = Exclude<Output, { readonly isWritten: true }>;

/** What a program reads: an object or a list of them. */
export function printJson(output: Printed): string {
  return `${JSON.stringify("one" in output ? output.one : output.list, null, 2)}\n`;
}

/** What people read: columns for a list, lines for one record. */
export function printTable(output: Printed): string {
  const note = output.note === undefined ? "" : `\n${output.note}\n`;
  return `${"one" in output ? printOne(output.one) : printList(output.list)}${note}`;
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

function printOne(row: Row): string {
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

/** Control characters in a name do not reach the terminal. */
function text(value: Row[string] | undefined): string {
  if (value === undefined || value === null) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const shown = typeof value === "object" ? value.join(" ") : String(value);
  return shown === "" ? "-" : shown.replace(/\p{Cc}/gu, "?");
}
