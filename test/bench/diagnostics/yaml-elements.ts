import { coreNames, type Role, type SchemaElement } from "./element.ts";

/**
 * Finds the elements of a YAML schema of the corpus: two blanks per level, one entry per line, inline maps and lists where they fit. Like
 * the RIDL version, it reads lines only and shares no code with ridlkit.
 */
export function yamlElements(path: string, text: string): SchemaElement[] {
  const sites: SchemaElement[] = [];
  let offset = 0;
  let section = "";
  let part = "";
  for (const [line, whole] of text.split("\n").entries()) {
    const code = /^\s*#/.test(whole) ? "" : whole;
    const add = (role: Role, at: number, word: string): void => {
      sites.push({ role, path, start: offset + at, end: offset + at + word.length, text: word, line });
    };
    const head = /^( *)([\w.]+\??):(?: (.*))?$/.exec(code);
    if (head !== null) {
      const [, indent = "", key = "", value = ""] = head;
      const at = code.length - value.length;
      if (indent.length === 0) section = key;
      if (indent.length === 4) part = key;
      entrySites({ section, part, depth: indent.length / 2, key, value, keyAt: indent.length, at }, add);
    }
    for (const { 0: sign, index } of code.matchAll(/: |:$|[[\]{},"]/g)) add("sign", index, sign.trim());
    offset += whole.length + 1;
  }
  return sites;
}

interface Entry {
  readonly section: string;
  /** The key two levels in: `fields`, `methods`. */
  readonly part: string;
  readonly depth: number;
  readonly key: string;
  readonly value: string;
  readonly keyAt: number;
  /** Start of the value. */
  readonly at: number;
}

type Add = (role: Role, at: number, word: string) => void;

function entrySites(entry: Entry, add: Add): void {
  const { section, depth, key, keyAt, value, at } = entry;
  if (depth === 0) {
    add("keyword", keyAt, key);
    if (value !== "") add("header-value", at, value);
  } else if (section === "types") typeEntry(entry, add);
  else if (section === "errors" && depth === 1) errorEntry(entry, add);
  else if (section === "services") serviceEntry(entry, add);
}

function typeEntry({ part, depth, key, value, keyAt, at }: Entry, add: Add): void {
  if (depth === 1) {
    add("declaration", keyAt, key);
    if (/^[\w"]/.test(value)) typeText(value, at, add);
  } else if (depth === 2) {
    add("yaml-key", keyAt, key);
    if (key === "enum") add("enum-base", at, value);
    else if (key === "type") typeText(value, at, add);
  } else if (depth === 3 && part === "fields") {
    add("field", keyAt, key.replace("?", ""));
    if (/^[\w"]/.test(value)) typeText(value, at, add);
  } else if (depth === 4 && key === "type") typeText(value, at, add);
  else if (depth === 4) add("meta-key", keyAt, key);
}

function errorEntry({ key, value, keyAt, at }: Entry, add: Add): void {
  add("error-name", keyAt, key);
  const code = /^\{ code: (\d+)/.exec(value);
  if (code !== null) add("error-code", at + "{ code: ".length, code[1] ?? "");
  const status = /status: (\d+)/.exec(value);
  if (status !== null) add("error-status", at + status.index + "status: ".length, status[1] ?? "");
}

function serviceEntry({ depth, key, value, keyAt, at }: Entry, add: Add): void {
  if (depth === 1) add("service-name", keyAt, key);
  else if (depth === 2) add("yaml-key", keyAt, key);
  else if (depth === 3) add("method", keyAt, key);
  else if (depth === 4) {
    add("yaml-key", keyAt, key);
    if (key === "errors") {
      for (const { 0: name, index } of value.matchAll(/\w+/g)) add("error-reference", at + index, name);
    } else if (/^\w+$/.test(value)) add("declared-type", at, value);
    else if (key === "input" || key === "output") {
      for (const { 1: lead = "", 2: type = "", index } of value.matchAll(/(\w+\??: )("[^"]*"|[\w[\]]+)/g))
        typeText(type, at + index + lead.length, add);
    }
  }
}

function typeText(text: string, at: number, add: Add): void {
  for (const { 0: word, index } of text.matchAll(/\w+/g)) {
    if (word === "map") continue;
    const isKey = text[index - 1] === "<";
    add(isKey ? "map-key" : coreNames.includes(word) ? "core-type" : "declared-type", at + index, word);
  }
}
