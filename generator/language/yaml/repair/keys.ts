import { insertion, type Line, type Repair, spanIn } from "./repair.ts";

/** A key of a schema: `input`, `next?`, `go.field.name`. */
const key = String.raw`(?<key>[A-Za-z_][\w.-]*\??)`;
/** What can precede an entry on its line: indentation, a dash, a bracket or a comma. */
const lead = String.raw`(?<=^\s*|^\s*- |[{,]\s*)`;

const wrongSeparator: RegExp = new RegExp(`${lead}${key}\\s*(?<separator>[=;])\\s*(?![=;])`, "g");
const tightColon: RegExp = new RegExp(`${lead}${key}:(?=[^\\s,}\\]:/])\\S*`, "g");
const bareKey: RegExp = new RegExp(`${lead}${key}(?=\\s+["'[{\\w]|\\s*$)(?!\\s*:)`, "g");

/** Proposes repairs for keys that are not followed by a colon and a space. */
export function keyRepairs(line: Line): Repair[] {
  const { text } = line;
  return [
    ...outsideQuotes(text, wrongSeparator).map((match) => replaceSeparator(line, match)),
    ...outsideQuotes(text, tightColon).map((match) => tightColonAt(line, match)),
    ...outsideQuotes(text, bareKey).map((match) => bareKeyAt(line, match)),
    ...separatorAtEnd(line),
    ...dashAtStart(line),
  ];
}

function replaceSeparator(line: Line, match: RegExpExecArray): Repair {
  const name = match.groups?.["key"] ?? "";
  const from = match.index + name.length;
  const to = match.index + match[0].length;
  return {
    reason: `"${match.groups?.["separator"]}" follows "${name}" where a colon belongs`,
    advice: 'Write "key: value".',
    title: 'Write ":"',
    at: spanIn(line, match.index, to),
    edits: [{ span: spanIn(line, from, to), text: to === line.text.length ? ":" : ": " }],
  };
}

function tightColonAt(line: Line, match: RegExpExecArray): Repair {
  const after = match.index + (match.groups?.["key"] ?? "").length + 1;
  return {
    reason: "a space is missing after the colon",
    advice: 'Write "key: value".',
    title: "Add the space",
    at: spanIn(line, match.index, match.index + match[0].length),
    edits: insertion(line, after, " "),
  };
}

function bareKeyAt(line: Line, match: RegExpExecArray): Repair {
  const name = match.groups?.["key"] ?? "";
  const end = match.index + name.length;
  return {
    reason: `a colon is missing after "${name}"`,
    advice: 'Write "key: value", or "key:" above the indented lines.',
    title: "Add the colon",
    at: spanIn(line, match.index, end),
    edits: insertion(line, end, ":"),
  };
}

/** A line must not end with a separator, as it would in other languages. */
function separatorAtEnd(line: Line): Repair[] {
  const [end, , rest = ""] = /([;,])(\s*(?:#.*)?)$/.exec(line.text) ?? [];
  if (end === undefined) return [];
  const at = line.text.length - end.length;
  const found = end.charAt(0);
  return [
    {
      reason: `the line ends with "${found}"`,
      advice: "Leave it out: an entry ends with its line.",
      title: `Remove "${found}"`,
      at: spanIn(line, at, at + 1),
      edits: [{ span: spanIn(line, at, line.text.length), text: rest }],
    },
  ];
}

/** A dash before an entry of a map. */
function dashAtStart(line: Line): Repair[] {
  const [lead] = /^\s*- +(?=[\w.-]+\??:)/.exec(line.text) ?? [];
  if (lead === undefined) return [];
  const at = lead.indexOf("-");
  return [
    {
      reason: 'entries of a map do not start with "-"',
      advice: 'Write "key: value".',
      title: 'Remove "-"',
      at: spanIn(line, at, line.text.trimEnd().length),
      edits: [{ span: spanIn(line, at, lead.length), text: "" }],
    },
  ];
}

function outsideQuotes(text: string, pattern: RegExp): RegExpExecArray[] {
  return [...text.matchAll(pattern)].filter(
    ({ index }) => (text.slice(0, index).match(/"/g)?.length ?? 0) % 2 === 0,
  );
}
