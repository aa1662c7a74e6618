import { suggest } from "../../diagnostics/suggest.ts";
import { knownAnnotations } from "../../model/annotations.ts";
import { replaceFix } from "../../model/name-fixes.ts";
import { pagingName } from "../../model/paging.ts";
import { resumeName } from "../../model/resume.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { methodsOf } from "../walk.ts";

/** Longest names of which only the letter case may differ. Words near them are often words of their own, such as "oauth". */
const shortMax = 4;

const names = knownAnnotations.map(({ name }) => name);
const known: ReadonlySet<string> = new Set(names);
const shortNames = names.filter(({ length }) => length <= shortMax);
const longNames = names.filter(({ length }) => length > shortMax);

const synonyms: ReadonlyMap<string, string> = new Map([
  ["pagination", pagingName],
  ["resumable", resumeName],
]);

/** Schemas may use any annotation. Bad: `@idempotencykey`. Good: `@idempotencyKey`, `@team`. */
export const misspeltAnnotations: LintRule = defineRule({
  name: "misspelt-annotations",
  preset: "default",
  check(schema, report) {
    for (const { node: owner, file } of methodsOf(schema)) {
      for (const { name } of owner.annotations) {
        const suggestion = meantBy(name.text);
        if (suggestion === undefined) continue;
        const { span } = name;
        const fix = replaceFix(suggestion, { file: file.source, span });
        report({ name: name.text, suggestion }, { file, span, owner }, { fix });
      }
    }
  },
});

function meantBy(name: string): string | undefined {
  if (known.has(name)) return undefined;
  const synonym = synonyms.get(name.toLowerCase());
  if (synonym !== undefined) return synonym;
  // Two typos are too many for short words: "external" is no misspelt "internal".
  return suggest(name, shortNames, 0.5) ?? suggest(name, longNames, name.length < 10 ? 1 : 2);
}
