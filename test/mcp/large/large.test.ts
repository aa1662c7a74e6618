/**
 * How well the search finds methods of an API of 2,000 methods, which `extract.mjs` made of real ones. `questions.tsv` has 300
 * methods, drawn at random, and a question for each, written from name and documentation and before the first search. The
 * weights of the search were then chosen with these questions, and not with the 60 of `held-out.tsv`.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { McpSearch } from "../../../generator/runtime/src/mcp-search.ts";
import { apiOf } from "../../generator/runtime/mcp/api.ts";

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
const [, declarations = ""] = gunzipSync(read("large.ridl.gz")).toString().split("basepath = /rpc\n");
const api = apiOf(declarations);

const questionsOf = (name: string): readonly (readonly [method: string, question: string])[] =>
  read(name)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t") as [method: string, question: string]);

const search = new McpSearch(api, api.methods);

/** Returns the questions whose method is not among the first three, one on each line, with its rank among the first ten. */
function missesOf(questions: ReturnType<typeof questionsOf>): readonly string[] {
  return questions.flatMap(([method, question]) => {
    const rank = search.find(question, 10).findIndex(({ name }) => name === method);
    return rank >= 0 && rank < 3 ? [] : [`${method}\t${question}\t${rank < 0 ? "-" : rank + 1}`];
  });
}

test("the right method is among the first three for at least 85 % of 300 questions", async () => {
  expect(api.methods).toHaveLength(2_000);
  const questions = questionsOf("questions.tsv");
  expect(new Set(questions.map(([method]) => method)).size).toBe(300);
  const misses = missesOf(questions);
  await expect(`${misses.join("\n")}\n`).toMatchFileSnapshot("misses.tsv");
  expect(misses.length).toBeLessThanOrEqual(45);
});

test("so it is for 60 questions that were written later, and for which nothing was changed", async () => {
  const questions = questionsOf("held-out.tsv");
  expect(questions).toHaveLength(60);
  const misses = missesOf(questions);
  await expect(`${misses.join("\n")}\n`).toMatchFileSnapshot("held-out-misses.tsv");
  expect(misses.length).toBeLessThanOrEqual(9);
});
