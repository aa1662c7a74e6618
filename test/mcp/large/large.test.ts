/**
 * How well the search finds methods. `questions.tsv` and `held-out.tsv` ask for methods of an API of 2,000, which `extract.mjs` made of
 * real ones. `untuned.tsv` asks for methods of two public APIs, from `extract-types.mjs`: drawn at random, with a sentence and keywords
 * for each, written from the names before the first search. Changes of the search are tried with the questions that are marked "seen".
 * Those marked "kept" are asked at the end.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { McpSearch } from "../../../generator/runtime/src/mcp-search.ts";
import { apiOf } from "../../generator/runtime/mcp/api.ts";

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

function rowsOf(name: string): readonly (readonly string[])[] {
  const lines = read(name).toString().trimEnd().split("\n");
  return lines.map((line) => line.split("\t"));
}

const [large, payments, bots] = ["large", "payments", "bots"].map((name) => {
  const [, declarations = ""] = gunzipSync(read(`${name}.ridl.gz`))
    .toString()
    .split("basepath = /rpc\n");
  const api = apiOf(declarations);
  return { api, search: new McpSearch(api, api.methods) };
});

/** Counts the questions whose method is among the first results. Several methods may be right: `A|B`. */
function found(questions: readonly (readonly [methods: string, question: string])[], results = 3): number {
  return questions.filter(([methods, question]) => {
    const right = methods.split("|");
    const searched = [large, payments, bots].find((one) =>
      one?.api.methods.some(({ name }) => name === right[0]),
    );
    const first = searched?.search.find(question).slice(0, results) ?? [];
    return first.some(({ name }) => right.includes(name));
  }).length;
}

test.each([
  ["questions", 300, 265],
  ["held-out", 60, 52],
])("of the %s about 2,000 methods, %i, at least %i find theirs", (name, count, least) => {
  expect(large?.api.methods).toHaveLength(2_000);
  const questions = rowsOf(`${name}.tsv`).map(([method = "", question = ""]) => [method, question] as const);
  expect(questions).toHaveLength(count);
  expect(found(questions)).toBeGreaterThanOrEqual(least);
});

test.each([
  ["seen", 20, 28, 40],
  ["kept", 18, 25, 40],
])(
  "of 40 %s sentences %i find their method in three results, %i in eight, and of as many keywords %i in three",
  (half, sentences, listed, keywords) => {
    expect([payments?.api.methods.length, bots?.api.methods.length]).toEqual([514, 185]);
    const rows = rowsOf("untuned.tsv").filter(([first]) => first === half);
    expect(rows).toHaveLength(40);
    const asked = (column: number, results?: number) =>
      found(
        rows.map((row) => [row[1] ?? "", row[column] ?? ""] as const),
        results,
      );
    expect(asked(2)).toBeGreaterThanOrEqual(sentences);
    expect(asked(2, 8)).toBeGreaterThanOrEqual(listed);
    expect(asked(3)).toBeGreaterThanOrEqual(keywords);
  },
);
