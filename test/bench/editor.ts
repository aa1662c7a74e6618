import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CompletionList } from "vscode-languageserver/node";
import { Editor } from "../support/editor.ts";
import { quantile } from "../support/open-loop.ts";
import { folder } from "../support/program.ts";
import { seededRandom } from "../support/random.ts";
import type { PartOptions } from "./part.ts";
import { benchSchema } from "./schema.ts";

const size = { types: 2_000, methods: 1_000 } as const;
const completionMaxMs = 50;

/** A person at 300 keys a minute and more; what was started for the last key is then done, or in the way. */
const betweenKeysMs = 60;

/**
 * `npm run bench -- editor --rounds 20`: somebody types a method in the middle of a schema of a thousand, one a round, and after each
 * key asks what may follow; from the key to the answer, with the edit.
 */
export async function benchEditor({ rounds, seed }: PartOptions): Promise<readonly string[]> {
  const text = benchSchema(size);
  using project = folder({ "api.ridl": text });
  const path = join(project.path, "api.ridl");
  const uri = pathToFileURL(path).href;
  await using editor = await Editor.open(project.path);
  await editor.write(path, text);
  await editor.ask("textDocument/documentSymbol", { textDocument: { uri } });
  const lines = text.split("\n");
  const places = lines.flatMap((line, index) => (line.startsWith("  - Get") ? [index + 1] : []));
  const random = seededRandom(seed);
  const tooks: number[] = [];
  let version = 1;
  let offered = 0;
  for (let round = 0; round < rounds; round++) {
    const line = random.pick(places);
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
      tooks.push(performance.now() - startedAt);
      offered += list.items.length;
      await new Promise((done) => setTimeout(done, betweenKeysMs));
    }
  }
  const p95 = quantile(tooks, 0.95);
  const sentence = `completion in ${size.methods} methods: p95 ${p95.toFixed(1)} ms from key to answer, median ${quantile(tooks, 0.5).toFixed(1)}, worst ${Math.max(...tooks).toFixed(0)}, of ${tooks.length} keys; at most ${completionMaxMs} is stated`;
  console.log(`${sentence}; ${offered} suggestions`);
  return p95 > completionMaxMs ? [sentence] : [];
}
