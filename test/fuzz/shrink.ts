import { type JsonNode, parseJson } from "../../generator/language/source/json.ts";
import { SourceFile } from "../../generator/language/source/source-file.ts";
import type { Span } from "../../generator/language/source/span.ts";
import type { Files } from "../support/memory-reader.ts";

/** Maximum number of attempts per input. Each attempt calls the reference. */
const triesMost = 1_000;

/**
 * Removes whole files, parts of JSON, lines, words and characters, larger parts first, as long as `stillFails`.
 * The result still fails.
 */
export async function shrinkFiles(
  files: Files,
  stillFails: (files: Files) => Promise<boolean>,
): Promise<Files> {
  let current = files;
  let tries = 0;
  const attempt = async (candidate: Files): Promise<boolean> => {
    if (++tries > triesMost || !(await stillFails(candidate))) return false;
    current = candidate;
    return true;
  };
  for (const path of Object.keys(files)) {
    const { [path]: _, ...rest } = current;
    await attempt(rest);
  }
  for (const path of Object.keys(current)) {
    const shortened = (text: string): Promise<boolean> => attempt({ ...current, [path]: text });
    await shrinkJson(() => current[path] ?? "", shortened);
    for (const split of [/(?<=\n)/, /(?=\s)|(?<=\s)|(?<=\W)|(?=\W)/, /(?:)/u]) {
      await shrinkParts((current[path] ?? "").split(split), shortened);
    }
  }
  return current;
}

type Attempt = (text: string) => Promise<boolean>;

async function shrinkParts(all: readonly string[], attempt: Attempt): Promise<void> {
  let parts = all;
  for (let size = parts.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < parts.length; ) {
      const fewer = [...parts.slice(0, at), ...parts.slice(at + size)];
      if (await attempt(fewer.join(""))) parts = fewer;
      else at += size;
    }
  }
}

/** Removes entries and items of JSON, outer ones first. Text that is not JSON stays unchanged. */
async function shrinkJson(text: () => string, attempt: Attempt): Promise<void> {
  for (let index = 0; ; index++) {
    const before = text();
    const parsed = parseJson(new SourceFile("m.json", before));
    const cut = parsed.fault === undefined ? cutsOf(parsed.value)[index] : undefined;
    if (cut === undefined) return;
    if (await attempt(before.slice(0, cut.start) + before.slice(cut.end))) index--;
  }
}

/** Each part with the comma after it, or before it for the last of several. */
function cutsOf(node: JsonNode): Span[] {
  const open: JsonNode[] = [node];
  const cuts: Span[] = [];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next.kind !== "object" && next.kind !== "array") continue;
    const values = next.kind === "object" ? next.entries.map(({ value }) => value) : next.items;
    const spans =
      next.kind === "object"
        ? next.entries.map((e) => ({ start: e.keySpan.start, end: e.value.span.end }))
        : next.items.map(({ span }) => span);
    spans.forEach((span, index) => {
      const after = spans[index + 1];
      const beforeEnd = spans[index - 1]?.end ?? span.start;
      cuts.push(
        after === undefined ? { start: beforeEnd, end: span.end } : { start: span.start, end: after.start },
      );
    });
    open.push(...values);
  }
  return cuts;
}
