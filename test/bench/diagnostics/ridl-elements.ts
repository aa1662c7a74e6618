import { coreNames, type Role, type SchemaElement } from "./element.ts";

/**
 * Finds the elements of a RIDL schema line by line. It shares no code with ridlkit, so that the two are independent. It reads the corpus,
 * where each element has its own line, but not all of RIDL.
 */
export function ridlElements(path: string, text: string): SchemaElement[] {
  const sites: SchemaElement[] = [];
  let offset = 0;
  let within = "";
  for (const [line, whole] of text.split("\n").entries()) {
    const code = withoutComment(whole);
    const keyword = /^[a-z]+/.exec(code)?.[0];
    if (keyword !== undefined) within = keyword;
    const add = (role: Role, at: number, word: string): void => {
      sites.push({ role, path, start: offset + at, end: offset + at + word.length, text: word, line });
    };
    lineSites(code, within, add);
    for (const { 0: sign, index } of code.matchAll(/=>|["()[\]<>:=,|@+]|^\s*-|-(?= )/g)) {
      const lead = sign.length - sign.trimStart().length;
      add("sign", index + lead, sign.trim());
    }
    offset += whole.length + 1;
  }
  return sites;
}

/** Comments of the corpus start at "#" outside of quotes. */
function withoutComment(line: string): string {
  return /^([^"#]|"[^"]*")*/.exec(line)?.[0] ?? "";
}

type Add = (role: Role, at: number, word: string) => void;

function lineSites(code: string, within: string, add: Add): void {
  const head = /^(webrpc|name|version|basepath|import|enum|struct|type|error|service)\b/.exec(code)?.[1];
  if (head !== undefined) {
    add("keyword", 0, head);
    declarationSites(code, head, add);
    return;
  }
  const item = /^(\s*-\s*)(\S.*)$/.exec(code);
  if (item !== null) itemSites(item[1]?.length ?? 0, item[2] ?? "", within, add);
  const meta = /^(\s*\+\s*)([\w.]+)/.exec(code);
  if (meta !== null) add("meta-key", meta[1]?.length ?? 0, meta[2] ?? "");
  if (/^\s*@/.test(code)) {
    for (const { 1: name = "", index } of code.matchAll(/@(\w+)/g)) add("annotation", index + 1, name);
  }
}

function declarationSites(code: string, head: string, add: Add): void {
  const header = /^(\w+\s*=\s*)(\S+)/.exec(code);
  if (header !== null) add("header-value", header[1]?.length ?? 0, header[2] ?? "");
  else if (head === "import") importSites(code, add);
  else if (head === "error") errorSites(code, add);
  else namedSites(code, head, add);
}

function importSites(code: string, add: Add): void {
  const path = /^(import\s+"?)([^\s"]+)/.exec(code);
  if (path !== null) add("import-path", path[1]?.length ?? 0, path[2] ?? "");
}

function namedSites(code: string, head: string, add: Add): void {
  const named = /^(\w+\s+)(\w+)/.exec(code);
  if (named === null) return;
  add(head === "service" ? "service-name" : "declaration", named[1]?.length ?? 0, named[2] ?? "");
  const colon = code.indexOf(":");
  if (colon === -1) return;
  if (head === "type") typeSites(code.slice(colon + 1), colon + 1, add);
  const base = head === "enum" ? /^:\s*(\w+)/.exec(code.slice(colon)) : null;
  if (base !== null) add("enum-base", colon + base[0].length - (base[1]?.length ?? 0), base[1] ?? "");
}

function errorSites(code: string, add: Add): void {
  const parts = /^(error\s+)(\d+)(\s+)(\w+)/.exec(code);
  if (parts === null) return;
  const [, lead = "", number = "", gap = "", name = ""] = parts;
  add("error-code", lead.length, number);
  add("error-name", lead.length + number.length + gap.length, name);
  const status = /HTTP\s+(\d+)/.exec(code);
  if (status !== null)
    add("error-status", status.index + status[0].length - (status[1]?.length ?? 0), status[1] ?? "");
}

function itemSites(at: number, text: string, within: string, add: Add): void {
  const word = /^\w+/.exec(text)?.[0] ?? "";
  if (within === "import") {
    const path = text.trim().replaceAll('"', "");
    add(path.includes(".") ? "import-path" : "import-member", at + text.indexOf(path), path);
  } else if (within === "enum") add("enum-value", at, word);
  else if (within === "struct") {
    add("field", at, word);
    const colon = text.indexOf(":");
    if (colon !== -1) typeSites(text.slice(colon + 1), at + colon + 1, add);
  } else if (within === "service") methodSites(at, text, add);
}

function methodSites(at: number, text: string, add: Add): void {
  const name = /^(stream\s+)?(\w+)/.exec(text);
  if (name !== null) add("method", at + (name[1]?.length ?? 0), name[2] ?? "");
  const clause = /\serrors\s/.exec(text);
  const signature = clause === null ? text : text.slice(0, clause.index);
  for (const group of signature.matchAll(/\(([^)]*)\)/g)) {
    const start = group.index + 1;
    const inner = group[1] ?? "";
    if (/^\w+$/.test(inner)) {
      add("declared-type", at + start, inner);
      continue;
    }
    for (const argument of inner.matchAll(/(\w+)\??:\s*([^:]*?)(?=,\s*\w+\??:|$)/g)) {
      add("argument", at + start + argument.index, argument[1] ?? "");
      const typeAt = argument.index + argument[0].length - (argument[2]?.length ?? 0);
      typeSites(argument[2] ?? "", at + start + typeAt, add);
    }
  }
  if (clause === null) return;
  const from = clause.index + clause[0].length;
  for (const { 0: error, index } of text.slice(from).matchAll(/\w+/g))
    add("error-reference", at + from + index, error);
}

/** The names in a type; keys of maps are marked. */
function typeSites(text: string, at: number, add: Add): void {
  for (const { 0: word, index } of text.matchAll(/\w+/g)) {
    if (word === "map") continue;
    const isKey = /<\s*$/.test(text.slice(0, index));
    add(isKey ? "map-key" : coreNames.includes(word) ? "core-type" : "declared-type", at + index, word);
  }
}
