import { isUtf8 } from "node:buffer";
import type { Scope } from "../../language/model/scope.ts";
import type { ReadResult, SourceReader } from "../../language/source/reader.ts";
import { declarationTexts } from "./declaration-texts.ts";

/** A reader of the earlier version that leaves out what stands in the new one word for word. */
export interface ReducedSource {
  readonly reader: SourceReader;
  /** What was left out of, once files were read: `struct Pet`, `service Pets`. */
  readonly omitted: ReadonlySet<string>;
}

/**
 * Leaves out the fields of structs and the methods of services that are the same in the new version: reading them again is most
 * of the work of a comparison. Every line stays where it is. `whole`: those that are left as they are.
 */
export function omitUnchanged(
  reader: SourceReader,
  now: readonly Scope[],
  whole: ReadonlySet<string>,
): ReducedSource {
  const known = textsByName(now);
  const omitted = new Set<string>();
  const shortened = (text: string): string => {
    const parts = text.split(declarationStart);
    return parts
      .map((part) => {
        const [, kind, word] = /^(struct|service)[ \t]+(\w+)/.exec(part) ?? [];
        const name = `${kind} ${word}`;
        if (kind === undefined || whole.has(name) || known.get(name) !== part.trimEnd()) return part;
        const rest = kind === "struct" ? withoutFields(part) : withoutMethods(part);
        if (rest !== part) omitted.add(name);
        return rest;
      })
      .join("");
  };
  const read = (path: string): ReadResult => {
    const found = reader.read(path);
    if (found.kind !== "bytes" || !path.endsWith(".ridl") || !isUtf8(found.bytes)) return found;
    return { kind: "bytes", bytes: Buffer.from(shortened(Buffer.from(found.bytes).toString())) };
  };
  return { reader: { ...reader, read }, omitted };
}

/** Where a line begins that may begin a header, an import or a declaration. One too many is no harm: such a part is like no struct. */
const declarationStart = /^(?=[a-z])/m;

/** `struct Pet` and as many lines as there were. */
function withoutFields(struct: string): string {
  return blankLinesFrom(struct, struct.indexOf("\n"));
}

/** Up to the first method, since a service has one, if it ends with its line. */
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
  const twice = new Set<string>();
  for (const { file } of scopes) {
    for (const [node, text] of declarationTexts(file)) {
      if (node.kind !== "struct" && node.kind !== "service") continue;
      const name = `${node.kind} ${node.kind === "struct" ? node.name.text : node.name.value}`;
      if (texts.has(name)) twice.add(name);
      texts.set(name, text);
    }
  }
  for (const name of twice) texts.delete(name);
  return texts;
}
