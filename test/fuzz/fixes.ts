import { type Compilation, compile } from "../../generator/language/compile.ts";
import { convert } from "../../generator/language/convert/convert.ts";
import type { Diagnostic, Fix } from "../../generator/language/diagnostics/diagnostic.ts";
import { fixFiles } from "../../generator/language/fixes.ts";
import { writeIr } from "../../generator/language/ir/write.ts";
import { load } from "../../generator/language/load.ts";
import { coreTypeNamedLike } from "../../generator/language/model/core-types.ts";
import { withTexts } from "../../generator/language/source/reader.ts";
import type { Declaration, Name } from "../../generator/language/syntax/tree.ts";
import { type Files, memoryReader } from "../support/memory-reader.ts";
import type { Random } from "../support/random.ts";
import type { ReferenceRequest } from "../support/reference.ts";
import { fileHabits, ridlHabits, yamlHabits } from "./habits.ts";
import { mutate } from "./mutate.ts";

interface MutatedSchema {
  readonly path: string;
  readonly files: Files;
}

interface FixTally {
  /** Schemas, and how many of them were valid, got a fix, and are valid afterwards. */
  schemas: number;
  valid: number;
  fixed: number;
  validAfter: number;
  /** Fixes that were applied, and that had to be dropped because they added an error. */
  fixes: number;
  dropped: number;
}

/** Checks the fixes of changed schemas from a corpus and of their YAML forms. Stops at the first problem. */
export function checkFixes(
  random: Random,
  corpus: readonly ReferenceRequest[],
  count: number,
): { readonly complaint: string | undefined; readonly tally: FixTally } {
  const tally = { schemas: 0, valid: 0, fixed: 0, validAfter: 0, fixes: 0, dropped: 0 };
  const ridl = corpus.filter(({ kind }) => kind === "ridl");
  for (const schema of mutatedSchemas(random, [...ridl, ...inYaml(ridl)], count)) {
    const complaint = complaintAboutFixes(schema, tally);
    if (complaint !== undefined) return { complaint: `${complaint}\n${JSON.stringify(schema)}`, tally };
  }
  return { complaint: undefined, tally };
}

/** Schemas with one to four changes: of tokens, characters and lines, and as other languages or editors write them. */
function* mutatedSchemas(
  random: Random,
  corpus: readonly MutatedSchema[],
  count: number,
): Generator<MutatedSchema> {
  for (let index = 0; index < count; index++) {
    const { path, files } = random.pick(corpus);
    const changed = { ...files };
    for (let changes = 1 + random.below(4); changes > 0; changes--) {
      const target = random.chance(70) ? path : random.pick(Object.keys(files));
      const habits = target.endsWith(".ridl") ? ridlHabits : yamlHabits;
      const text = changed[target] ?? "";
      const kind = random.below(10);
      if (kind < 4) changed[target] = mutate(random, text);
      else changed[target] = random.pick(kind < 8 ? habits : fileHabits)(text, random);
    }
    yield { path, files: changed };
  }
}

/** The schemas of a corpus that the toolkit can convert, in YAML. */
function inYaml(corpus: readonly MutatedSchema[]): readonly MutatedSchema[] {
  return corpus.flatMap(({ path, files }) => {
    const { text } = convert(path, memoryReader(files), { to: "yaml", bundle: true, lossy: true });
    return text === undefined ? [] : [{ path: "m.yaml", files: { "m.yaml": text } }];
  });
}

/**
 * Checks what `lint --fix` promises; undefined if it holds. No fix adds an error or has to be dropped, the meaning and all comments
 * are kept, and a second run changes nothing.
 */
function complaintAboutFixes({ path, files }: MutatedSchema, tally: FixTally): string | undefined {
  tally.schemas++;
  const before = compiled(path, files);
  const { fixed, titles, dropped } = fix(path, files);
  tally.fixes += titles.length;
  tally.dropped += dropped.length;
  if (before.result !== undefined) tally.valid++;
  if (dropped[0] !== undefined) return `a fix adds an error: ${dropped[0].title}`;
  const after = titles.length === 0 ? before : compiled(path, fixed);
  if (after.result !== undefined) tally.validAfter++;
  if (titles.length === 0) return undefined;
  tally.fixed++;
  const again = fix(path, fixed);
  if (again.titles.length > 0) return `the second run applies: ${again.titles.join(", ")}`;
  return (
    guessedWord(files, fixed) ??
    newError(before.diagnostics, after.diagnostics) ??
    (before.result === undefined
      ? changedDeclaration(path, files, fixed)
      : changedIr(before, after, titles.includes("Put the annotations on one line"))) ??
    lostComment(files, fixed)
  );
}

function compiled(path: string, files: Files): Compilation {
  return compile(path, memoryReader(files));
}

interface Fixed {
  readonly fixed: Files;
  readonly titles: readonly string[];
  readonly dropped: readonly Fix[];
}

function fix(path: string, files: Files): Fixed {
  const reader = memoryReader(files);
  const result = fixFiles(
    (texts) => compile(path, withTexts(reader, texts)).diagnostics,
    () => true,
  );
  const fixed = Object.fromEntries(result.files.map(({ file, text }) => [file.path, text]));
  return {
    fixed: { ...files, ...fixed },
    titles: result.files.flatMap(({ fixes }) => fixes),
    dropped: result.dropped,
  };
}

/** No fix turns a modifier into a name, or leaves two arrows. */
function guessedWord(before: Files, after: Files): string | undefined {
  for (const pattern of [/\b(?:stream|optional|repeated|const)\??:/g, /=>[ \t]*=>/g]) {
    const count = (files: Files): number => Object.values(files).join("\n").match(pattern)?.length ?? 0;
    if (count(after) > count(before)) return `a fix writes ${pattern.source}`;
  }
  return undefined;
}

function newError(before: readonly Diagnostic[], after: readonly Diagnostic[]): string | undefined {
  const textsOf = (diagnostics: readonly Diagnostic[]): string[] =>
    diagnostics
      .filter(({ severity, name }) => severity === "error" && name !== "too-many")
      .map(({ path, message }) => `${path}: ${message}`);
  // Only 100 errors are known; fixes make room for the others.
  if (before.some(({ name }) => name === "too-many")) return undefined;
  const known = textsOf(before);
  for (const text of textsOf(after)) {
    const index = known.indexOf(text);
    if (index === -1) return `new error: ${text}`;
    known.splice(index, 1);
  }
  return undefined;
}

/** The fix of annotations on several lines restores documentation that was lost. */
function changedIr(before: Compilation, after: Compilation, mayAddDocs: boolean): string | undefined {
  const [one, other] = [before, after].map(({ result }) => {
    const text = result === undefined ? undefined : writeIr(result.ir);
    return mayAddDocs ? text?.replace(/"comments": \[[^\]]*\]/g, '"comments": []') : text;
  });
  return one === other ? undefined : "the IR is another one";
}

/** Every declaration of the first tree must be in the second, however many mistakes the schema has. */
function changedDeclaration(path: string, before: Files, after: Files): string | undefined {
  const read = (files: Files): ReadonlyMap<string, readonly Declaration[]> =>
    new Map(load(path, memoryReader(files)).files.map(({ file }) => [file.source.path, file.declarations]));
  const now = read(after);
  for (const [file, declarations] of read(before)) {
    const left = (now.get(file) ?? []).map(meaningOf);
    for (const declaration of declarations) {
      const meaning = meaningOf(declaration);
      if (!left.includes(meaning))
        return `${file}: a declaration changes: ${meaning}\nnow: ${left.join("\n")}`;
    }
  }
  return undefined;
}

/** A declaration without positions and with the core types that its type names stand for. */
function meaningOf(declaration: Declaration): string {
  return JSON.stringify(plain(declaration));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const node = value as Readonly<Record<string, unknown>>;
  if (node["kind"] === "named") return coreName(String(node["name"]));
  // Classes for frequent nodes have getters for spans, which are not own properties.
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !/span$/i.test(key) && key !== "quoted")
      .map(([key, part]) => [key, key === "errors" ? errorNames(part as readonly Name[]) : plain(part)]),
  );
}

/** `errors Lost|Gone` is parsed as one name. */
function errorNames(errors: readonly Name[]): readonly string[] {
  return errors.flatMap(({ text }) => text.split("|"));
}

function coreName(name: string): string {
  if (/^bytes$/i.test(name)) return "[]byte";
  const native = coreTypeNamedLike(name);
  return native?.isSame === true ? native.name : name;
}

/** Every comment must still be there as often. A comment of another language becomes one with "#". */
function lostComment(before: Files, after: Files): string | undefined {
  for (const [path, text] of Object.entries(before)) {
    const left = commentsIn(after[path] ?? "");
    for (const comment of commentsIn(text)) {
      const index = left.indexOf(comment);
      if (index === -1) return `${path}: lost "${comment}"`;
      left.splice(index, 1);
    }
  }
  return undefined;
}

function commentsIn(text: string): string[] {
  const unified = text.replace(/(?<=^|\s)\/\/+(?= )/gm, "#");
  return [...unified.matchAll(/(?<=^|\s)#(.*)/gm)].map(([, comment = ""]) => comment.trim());
}
