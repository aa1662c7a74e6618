import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CompletionList } from "vscode-languageserver/node";
import { Editor } from "../support/editor.ts";
import { quantile } from "../support/open-loop.ts";
import { folder } from "../support/program.ts";
import { seededRandom } from "../support/random.ts";
import type { BenchmarkOptions } from "./benchmark.ts";
import { benchSchema } from "./schema.ts";

const size = { types: 2_000, methods: 1_000 } as const;
const maxCompletionMs = 50;

/** A fast typist, at more than 300 keys per minute. Work started for one key must be finished by the next. */
const betweenKeysMs = 60;

/**
 * `npm run bench -- editor --rounds 20`: types one method per round in the middle of a schema of a thousand methods, and requests
 * completion after each key. Measures from the edit to the response.
 */
export async function benchEditor({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const text = benchSchema(size);
  using project = folder({ "api.ridl": text });
  const path = join(project.path, "api.ridl");
  const uri = pathToFileURL(path).href;
  await using editor = await Editor.open(project.path);
  await editor.write(path, text);
  await editor.ask("textDocument/documentSymbol", { textDocument: { uri } });
  const lines = text.split("\n");
  const methodLines = lines.flatMap((line, index) => (line.startsWith("  - Get") ? [index + 1] : []));
  const random = seededRandom(seed);
  const durations: number[] = [];
  let version = 1;
  let offered = 0;
  for (let round = 0; round < rounds; round++) {
    const line = random.pick(methodLines);
    const typed = `  - Find${round}(id: uint64) => (thing: Type${random.below(size.types)}) errors NotFound\n`;
    for (let at = 0; at < typed.length; at++) {
      const start = { line, character: at };
      const startedAt = performance.now();
      await editor.tell("textDocument/didChange", {
        textDocument: { uri, version: ++version },
        contentChanges: [{ range: { start, end: start }, text: at === 0 ? `${typed[0]}\n` : typed[at] }],
      });
      const list = await editor.ask<CompletionList>("textDocument/completion", {
        textDocument: { uri },
        position: { line, character: at + 1 },
      });
      durations.push(performance.now() - startedAt);
      offered += list.items.length;
      await new Promise((done) => setTimeout(done, betweenKeysMs));
    }
  }
  const p95 = quantile(durations, 0.95);
  const sentence = `completion in ${size.methods} methods: p95 ${p95.toFixed(1)} ms from key to response, median ${quantile(durations, 0.5).toFixed(1)}, worst ${Math.max(...durations).toFixed(0)}, of ${durations.length} keys; limit ${maxCompletionMs}`;
  console.log(`${sentence}; ${offered} suggestions`);
  return p95 > maxCompletionMs ? [sentence] : [];
}
