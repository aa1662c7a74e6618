import { isUtf8 } from "node:buffer";
import type { Scope } from "../../language/model/scope.ts";
import type { ReadResult, SourceReader } from "../../language/source/reader.ts";
import { declarationTexts } from "./declaration-texts.ts";

/** A reader of the earlier version that omits the contents of unchanged declarations. */
export interface ReducedSource {
  readonly reader: SourceReader;
  /** Declarations whose contents were omitted, filled while files are read: `struct Pet`, `service Pets`. */
  readonly omitted: ReadonlySet<string>;
}

/**
 * Empties structs and services whose text is the same in the new version, because parsing them again is most of the work of a
 * comparison. Line numbers stay the same. Declarations in `keptWhole` are not reduced.
 */
export function omitUnchanged(
  reader: SourceReader,
  newScopes: readonly Scope[],
  keptWhole: ReadonlySet<string>,
): ReducedSource {
  const known = textsByName(newScopes);
  const omitted = new Set<string>();
  const reduced = (text: string): string => {
    const parts = text.split(declarationStart);
    return parts
      .map((part) => {
        const [, kind, word] = /^(struct|service)[ \t]+(\w+)/.exec(part) ?? [];
        const name = `${kind} ${word}`;
        if (kind === undefined || keptWhole.has(name) || known.get(name) !== part.trimEnd()) return part;
        const rest = kind === "struct" ? withoutFields(part) : withoutMethods(part);
        if (rest !== part) omitted.add(name);
        return rest;
      })
      .join("");
  };
  const read = (path: string): ReadResult => {
    const found = reader.read(path);
    if (found.kind !== "bytes" || !path.endsWith(".ridl") || !isUtf8(found.bytes)) return found;
    return { kind: "bytes", bytes: Buffer.from(reduced(Buffer.from(found.bytes).toString())) };
  };
  return { reader: { ...reader, read }, omitted };
}

/** The start of a line that may begin a header, an import or a declaration. False matches are harmless: their text differs from every declaration. */
const declarationStart = /^(?=[a-z])/m;

/** Keeps `struct Pet` and empties all lines after it. */
function withoutFields(struct: string): string {
  return blankLinesFrom(struct, struct.indexOf("\n"));
}

/**
 * Keeps the first method, because a service needs one, and empties the lines after it. Changes nothing if the method spans several
 * lines.
 */
function withoutMethods(service: string): string {
  const first =
    /^[ \t]*-[ \t]*(?:stream[ \t]+)?\w+\([^()\n]*\)(?:[ \t]*=>[ \t]*(?:stream[ \t]+)?\([^()\n]*\))?[^()\n]*$/m.exec(
      service,
    );
  return first === null ? service : blankLinesFrom(service, first.index + first[0].length);
}

function blankLinesFrom(text: string, start: number): string {
  return start === -1 ? text : text.slice(0, start) + text.slice(start).replace(/[^\n]+/g, "");
}

function textsByName(scopes: readonly Scope[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const duplicates = new Set<string>();
  for (const { file } of scopes) {
    for (const [node, text] of declarationTexts(file)) {
      if (node.kind !== "struct" && node.kind !== "service") continue;
      const name = `${node.kind} ${node.kind === "struct" ? node.name.text : node.name.value}`;
      if (texts.has(name)) duplicates.add(name);
      texts.set(name, text);
    }
  }
  for (const name of duplicates) texts.delete(name);
  return texts;
}
