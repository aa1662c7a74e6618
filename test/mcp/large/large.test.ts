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
import { apiOf, toolsOf } from "../../generator/runtime/mcp/api.ts";

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
  const tools = toolsOf(api, "https://api.example");
  return { api, search: new McpSearch(api, api.methods), tools };
});

function apiWith(method: string) {
  return [large, payments, bots].find((one) => one?.api.methods.some(({ name }) => name === method));
}

/** Counts the questions whose method is among the first results. Several methods may be right: `A|B`. */
function found(questions: readonly (readonly [methods: string, question: string])[], results = 3): number {
  return questions.filter(([methods, question]) => {
    const right = methods.split("|");
    const first =
      apiWith(right[0] ?? "")
        ?.search.find(question)
        .slice(0, results) ?? [];
    return first.some(({ name }) => right.includes(name));
  }).length;
}

/** Counts the questions whose method the tool names, with its arguments or without. */
async function named(questions: readonly (readonly [methods: string, question: string])[]): Promise<number> {
  let count = 0;
  for (const [methods, question] of questions) {
    const text = await apiWith(methods.split("|")[0] ?? "")?.tools.search(question);
    if (new RegExp(`\\b(?:${methods})\\b`).test(text ?? "")) count++;
  }
  return count;
}

test.each([
  ["questions", 300, 274],
  ["held-out", 60, 54],
])("of the %s about 2,000 methods, %i, at least %i find theirs", (name, count, least) => {
  expect(large?.api.methods).toHaveLength(2_000);
  const questions = rowsOf(`${name}.tsv`).map(([method = "", question = ""]) => [method, question] as const);
  expect(questions).toHaveLength(count);
  expect(found(questions)).toBeGreaterThanOrEqual(least);
});

test.each([
  ["seen", 21, 29, 35, 40],
  ["kept", 18, 25, 28, 40],
])(
  "of 40 %s sentences %i find their method in three results, %i in eight, %i by name, and of as many keywords %i in three",
  async (half, sentences, listed, names, keywords) => {
    expect([payments?.api.methods.length, bots?.api.methods.length]).toEqual([514, 185]);
    const rows = rowsOf("untuned.tsv").filter(([first]) => first === half);
    expect(rows).toHaveLength(40);
    const asked = (column: number) => rows.map((row) => [row[1] ?? "", row[column] ?? ""] as const);
    expect(found(asked(2))).toBeGreaterThanOrEqual(sentences);
    expect(found(asked(2), 8)).toBeGreaterThanOrEqual(listed);
    expect(await named(asked(2))).toBeGreaterThanOrEqual(names);
    expect(found(asked(3))).toBeGreaterThanOrEqual(keywords);
  },
);
