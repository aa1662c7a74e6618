import { isUtf8 } from "node:buffer";
import type { Scope } from "../model/scope.ts";
import type { ReadResult, SourceReader } from "../source/reader.ts";
import { declarationTexts } from "./declaration-texts.ts";

/** A reader of the earlier version that leaves out what stands in the new one word for word. */
export interface Shortened {
  readonly reader: SourceReader;
  /** Names of the structs whose fields were left out, once files were read. */
  readonly left: ReadonlySet<string>;
}

/**
 * Leaves out the fields of structs that are the same in the new version: reading them again is most of the work of a comparison.
 * Every line stays where it is. `whole`: structs that are left as they are.
 */
export function shorten(reader: SourceReader, now: readonly Scope[], whole: ReadonlySet<string>): Shortened {
  const known = structTexts(now);
  const left = new Set<string>();
  const shortened = (text: string): string => {
    const parts = text.split(declarationStart);
    return parts
      .map((part) => {
        const name = /^struct[ \t]+(\w+)/.exec(part)?.[1];
        if (name === undefined || whole.has(name) || known.get(name) !== part.trimEnd()) return part;
        left.add(name);
        return withoutBody(part);
      })
      .join("");
  };
  const read = (path: string): ReadResult => {
    const found = reader.read(path);
    if (found.kind !== "bytes" || !path.endsWith(".ridl") || !isUtf8(found.bytes)) return found;
    return { kind: "bytes", bytes: Buffer.from(shortened(Buffer.from(found.bytes).toString())) };
  };
  return { reader: { ...reader, read }, left };
}

/** Where a line begins that may begin a header, an import or a declaration. One too many is no harm: such a part is like no struct. */
const declarationStart = /^(?=[a-z])/m;

/** `struct Pet` and as many lines as there were. */
function withoutBody(struct: string): string {
  const [head = "", ...rest] = struct.split("\n");
  return head + "\n".repeat(rest.length);
}

function structTexts(scopes: readonly Scope[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const twice = new Set<string>();
  for (const { file } of scopes) {
    for (const [node, text] of declarationTexts(file)) {
      if (node.kind !== "struct") continue;
      if (texts.has(node.name.text)) twice.add(node.name.text);
      texts.set(node.name.text, text);
    }
  }
  for (const name of twice) texts.delete(name);
  return texts;
}
